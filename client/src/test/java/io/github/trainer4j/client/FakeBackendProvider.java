package io.github.trainer4j.client;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes backends in memory, and remembers what it was given. It stands in no services file: tests make one. */
public final class FakeBackendProvider implements BackendProvider {
    /** What was given for one backend. */
    record Made(FakeBackend backend, BackendContext context, String color, int size, Map<String, String> env) {}

    static final List<Made> MADE = new ArrayList<>();

    /** A jar in which nothing stands but the line for this provider. */
    static Path jar(Path directory) throws java.io.IOException {
        return new PluginJar()
                .service(BackendProvider.class, FakeBackendProvider.class.getName())
                .in(directory, "fake.jar");
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Backend create(Settings settings, BackendContext context) {
        String color = settings.text("color", "red");
        int size = settings.number("size", 1, 1);
        settings.duration("grace-period", Duration.ofSeconds(1));
        Map<String, String> env = settings.map("env");
        FakeBackend backend = new FakeBackend();
        MADE.add(new Made(backend, context, color, size, env));
        if (color.equals("mauve")) {
            settings.problem("color", "nobody can see that");
        }
        if (color.equals("clash")) {
            throw new ConfigurationException(List.of("fake.color (" + settings.source("color") + ") clashes"));
        }
        if (color.equals("crash")) {
            throw new IllegalStateException("crashed");
        }
        return backend;
    }
}
