package io.github.trainer4j.testkit;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells {@link InitializerContract} about an initializer: what it fetches in the test, what must be there then, and how
 * its source is made to fail.
 *
 * <pre>{@code
 * return InitializerUnderTest.of(new FtpInitializerProvider(), InitializerSpec.dataset("ftp://127.0.0.1:" + port + "/data"))
 *         .file("a.txt", "content of a")
 *         .secretOption("password")
 *         .option("passive", "true")
 *         .malformed(InitializerSpec.dataset("ftp://host:notaport/data"))
 *         .fails(server::cutTheNextDownload)
 *         .hangs(server::sendNothingMore);
 * }</pre>
 *
 * <p>The methods change this object and return it. Not for use by several threads at once.
 */
public final class InitializerUnderTest {
    private final InitializerProvider provider;
    private final InitializerSpec spec;
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final List<InitializerSpec> malformed = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>();
    private Set<InitializerTarget> targets = EnumSet.allOf(InitializerTarget.class);
    private Map<String, String> environment = Map.of();
    private Optional<String> secretOption = Optional.empty();
    private boolean fetches = true;
    private @Nullable Runnable fails;
    private @Nullable Runnable hangs;
    private @Nullable BooleanSupplier hanging;
    private @Nullable IntSupplier requests;

    private InitializerUnderTest(InitializerProvider provider, InitializerSpec spec) {
        this.provider = provider;
        this.spec = spec;
    }

    /** Starts to tell about a provider, and about something that it can fetch. */
    public static InitializerUnderTest of(InitializerProvider provider, InitializerSpec spec) {
        return new InitializerUnderTest(provider, spec);
    }

    /** Names a file that must be there after the fetch, with what is in it; the path is relative, with {@code /}. */
    public InitializerUnderTest file(String path, byte[] content) {
        files.put(path, content.clone());
        return this;
    }

    /** Names a file that must be there after the fetch, with the text that is in it as UTF-8. */
    public InitializerUnderTest file(String path, String content) {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Says that it fetches only these targets; without this call it fetches datasets and models. */
    public InitializerUnderTest targets(InitializerTarget first, InitializerTarget... more) {
        targets = EnumSet.of(first, more);
        return this;
    }

    /** Names an option that it takes, with a value that changes nothing about what is fetched. */
    public InitializerUnderTest option(String name, String value) {
        options.put(name, value);
        return this;
    }

    /** Names the option that takes a secret; what is fetched in the test must not need it. */
    public InitializerUnderTest secretOption(String name) {
        secretOption = Optional.of(name);
        return this;
    }

    /** Gives the environment that the fetch sees, for endpoints and credentials that come from there. */
    public InitializerUnderTest environment(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
        return this;
    }

    /** Names specifications that it must refuse when it is created. */
    public InitializerUnderTest malformed(InitializerSpec... specs) {
        malformed.addAll(List.of(specs));
        return this;
    }

    /** Says that it cannot fetch within a JVM. */
    public InitializerUnderTest withoutFetcher() {
        fetches = false;
        return this;
    }

    /**
     * Says how to make the next fetch fail when it is halfway: cut, refused, corrupted for good. The fetch after that must
     * find the source as it was before.
     */
    public InitializerUnderTest fails(Runnable prepare) {
        fails = prepare;
        return this;
    }

    /**
     * Says how to make the next fetch hang or go on for minutes; the fetch after that must find the source as it was.
     * Without a sign that it hangs, a second after the source's next request is taken for one.
     */
    public InitializerUnderTest hangs(Runnable prepare) {
        hangs = prepare;
        return this;
    }

    /**
     * Says how to make the next fetch hang or go on for minutes; the fetch after that must find the source as it was.
     *
     * @param prepare has the next fetch hang
     * @param hangsNow whether a fetch has come to the point where it hangs
     */
    public InitializerUnderTest hangs(Runnable prepare, BooleanSupplier hangsNow) {
        hanging = hangsNow;
        return hangs(prepare);
    }

    /** Says how many requests the source has seen so far, so that the contract sees I/O where none may be. */
    public InitializerUnderTest requests(IntSupplier soFar) {
        requests = soFar;
        return this;
    }

    InitializerProvider provider() {
        return provider;
    }

    InitializerSpec spec() {
        return spec;
    }

    /** The same source for another target. */
    InitializerSpec spec(InitializerTarget target) {
        return new InitializerSpec(
                target,
                spec.storageUri(),
                spec.options(),
                spec.secrets(),
                spec.image(),
                spec.timeout(),
                spec.retries(),
                spec.resources());
    }

    Map<String, byte[]> files() {
        return files;
    }

    Set<InitializerTarget> targets() {
        return targets;
    }

    Map<String, String> options() {
        return options;
    }

    Optional<String> secretOption() {
        return secretOption;
    }

    Map<String, String> environment() {
        return environment;
    }

    List<InitializerSpec> malformed() {
        return malformed;
    }

    boolean fetches() {
        return fetches;
    }

    Optional<Runnable> fails() {
        return Optional.ofNullable(fails);
    }

    Optional<Runnable> hangs() {
        return Optional.ofNullable(hangs);
    }

    Optional<BooleanSupplier> hanging() {
        return Optional.ofNullable(hanging);
    }

    Optional<IntSupplier> requests() {
        return Optional.ofNullable(requests);
    }
}
