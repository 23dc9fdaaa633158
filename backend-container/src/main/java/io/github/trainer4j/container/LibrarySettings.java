package io.github.trainer4j.container;

import com.github.dockerjava.api.model.AuthConfig;
import com.github.dockerjava.api.model.AuthConfigurations;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.RemoteApiVersion;
import com.github.dockerjava.core.SSLConfig;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What the library for engines is told. Its own settings read the user's files and environment once more, and fail where one
 * of these is damaged that is not needed at all.
 */
final class LibrarySettings implements DockerClientConfig {
    private final URI host;

    LibrarySettings(URI host) {
        this.host = host;
    }

    @Override
    public URI getDockerHost() {
        return host;
    }

    /** No version: the engine then speaks its own newest one, whatever its age. */
    @Override
    public RemoteApiVersion getApiVersion() {
        return RemoteApiVersion.unknown();
    }

    @Override
    public @Nullable String getRegistryUsername() {
        return null;
    }

    @Override
    public @Nullable String getRegistryPassword() {
        return null;
    }

    @Override
    public @Nullable String getRegistryEmail() {
        return null;
    }

    @Override
    public String getRegistryUrl() {
        return AuthConfig.DEFAULT_SERVER_ADDRESS;
    }

    @Override
    public @Nullable AuthConfig effectiveAuthConfig(String image) {
        return null;
    }

    @Override
    public AuthConfigurations getAuthConfigurations() {
        return new AuthConfigurations();
    }

    @Override
    @SuppressWarnings("deprecation") // the interface has it
    public @Nullable SSLConfig getSSLConfig() {
        return null;
    }
}
