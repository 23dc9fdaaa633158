package io.github.trainer4j.testkit;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The initializers that the contract has a backend run within this JVM: the scheme {@code test}, whose URIs say what to do
 * (see {@link InitializerActions}). It counts what runs, so that a test sees an initializer that was not stopped. Safe for
 * several threads.
 */
public final class ActionsInitializerProvider implements InitializerProvider {
    private static final Pattern ACTION = Pattern.compile("ok|hang|(sleep|size|lines|fail-after|flaky)-(\\d{1,9})");

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();

    /** Makes a provider that has run nothing yet. */
    public ActionsInitializerProvider() {}

    @Override
    public String scheme() {
        return "test";
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        List<String> actions = new InitializerActions(spec.location()).each();
        for (String action : actions) {
            if (!ACTION.matcher(action).matches()) {
                throw new InvalidJobException("'" + spec.storageUri() + "' asks for '" + action
                        + "'; write for example test://ok, test://sleep-2 or test://lines-3_fail-after-1");
            }
        }
        return new Initializer() {
            @Override
            public InitializerPlan plan() {
                Map<String, String> environment = new LinkedHashMap<>();
                environment.put("STORAGE_URI", spec.storageUri());
                spec.options().forEach((name, value) -> environment.put(name.toUpperCase(Locale.ROOT), value));
                Map<String, Secret> secrets = new LinkedHashMap<>();
                spec.secrets().forEach((name, value) -> secrets.put(name.toUpperCase(Locale.ROOT), value));
                return new InitializerPlan(spec.target(), spec.storageUri(), environment, secrets);
            }

            @Override
            public Optional<Fetcher> fetcher() {
                return Optional.of((directory, context) -> fetch(spec, actions, directory, context));
            }
        };
    }

    /** Returns how many fetches run now. */
    public int running() {
        return running.get();
    }

    /** Returns how many fetches were ever started, further attempts among them. */
    public int started() {
        return started.get();
    }

    private void fetch(InitializerSpec spec, List<String> actions, Path directory, FetchContext context)
            throws IOException, InterruptedException {
        started.incrementAndGet();
        running.incrementAndGet();
        try {
            for (String action : actions) {
                context.log(spec.target().directory() + ": " + action);
                act(spec, action, directory, context);
            }
            Files.writeString(directory.resolve("given.txt"), "STORAGE_URI=" + spec.storageUri() + "\n");
            context.log(spec.target().directory() + ": done");
        } finally {
            running.decrementAndGet();
        }
    }

    private static void act(InitializerSpec spec, String action, Path directory, FetchContext context)
            throws IOException, InterruptedException {
        Matcher parts = ACTION.matcher(action);
        if (!parts.matches()) {
            throw new IllegalStateException("checked before: " + action);
        }
        int number = parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2));
        switch (parts.group(1) == null ? action : parts.group(1)) {
            case "sleep" -> Thread.sleep(number * 1000L);
            case "hang" -> new CountDownLatch(1).await();
            case "size" -> write(directory.resolve("data.bin"), number, context);
            case "lines" -> {
                for (int line = 1; line <= number; line++) {
                    context.log(spec.target().directory() + " line " + line);
                }
            }
            case "fail-after" -> {
                Thread.sleep(number * 1000L);
                throw failure("failed after " + number + " s, as " + spec.storageUri() + " asks", context);
            }
            case "flaky" -> {
                Path runs = directory.resolve(".runs");
                int before = Files.exists(runs) ? Integer.parseInt(Files.readString(runs)) : 0;
                Files.writeString(runs, Integer.toString(before + 1));
                if (before < number) {
                    throw failure("run " + (before + 1) + " fails, as " + spec.storageUri() + " asks", context);
                }
            }
            default -> context.progress(0, OptionalLong.empty());
        }
    }

    private static void write(Path file, int size, FetchContext context) throws IOException {
        byte[] half = new byte[size / 2];
        Files.write(file, half);
        context.progress(half.length, OptionalLong.of(size));
        Files.write(file, new byte[size]);
        context.progress(size, OptionalLong.of(size));
    }

    private static InitializerException failure(String line, FetchContext context) {
        context.log(line);
        return new InitializerException(line, "TestFailure", null);
    }
}
