package io.github.trainer4j.local;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Makes the backend {@code local}, which runs jobs as processes of this host. */
public final class LocalBackendProvider implements BackendProvider {
    /** Makes the provider. */
    public LocalBackendProvider() {}

    @Override
    public String name() {
        return LocalBackend.NAME;
    }

    /**
     * Makes the backend. It reads the settings {@code strict}, {@code python} and {@code grace-period}, and keeps all its
     * state below {@code local} in the work directory.
     *
     * @throws BackendUnavailableException on Windows, and where processes cannot be given sessions of their own
     */
    @Override
    public Backend create(Settings settings, BackendContext context) {
        LocalSettings read = LocalSettings.read(settings, context.home());
        requirePosix(System.getProperty("os.name", ""));
        return new LocalBackend(read, context, new Host(context.environment(), Path.of("/dev"), read.python()));
    }

    static void requirePosix(String system) {
        if (system.toLowerCase(Locale.ROOT).startsWith("windows")) {
            throw new BackendUnavailableException(
                    "backend local runs on Linux and macOS, and this is " + system
                            + "; use backend docker or kubernetes, or run this program in WSL",
                    List.of(),
                    null);
        }
    }
}
