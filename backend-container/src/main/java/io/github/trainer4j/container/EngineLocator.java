package io.github.trainer4j.container;

import io.github.trainer4j.api.ConfigurationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows where an engine may listen: by setting, by environment, by the places where engines listen by default. It looks at
 * no socket; whoever connects tries the addresses in turn.
 */
final class EngineLocator {
    private final Product product;
    private final Optional<String> host;
    private final Map<String, String> environment;
    private final Path home;

    /**
     * Makes a locator.
     *
     * @param product whose engine is looked for
     * @param host the configured address, if there is one
     * @param environment the environment of this process
     * @param home the user's home directory
     */
    EngineLocator(Product product, Optional<String> host, Map<String, String> environment, Path home) {
        this.product = product;
        this.host = host;
        this.environment = environment;
        this.home = home;
    }

    /**
     * Returns the addresses to try, in order. Where somebody said which one to use it is the only one.
     *
     * @throws ConfigurationException if an address is malformed
     */
    List<EngineAddress> candidates() {
        if (host.isPresent()) {
            return List.of(address(host.get(), "setting " + product.backend() + ".host"));
        }
        String variable = product.hostVariable();
        String said = environment.getOrDefault(variable, "");
        if (!said.isBlank()) {
            return List.of(address(said, "environment variable " + variable));
        }
        List<EngineAddress> addresses = new ArrayList<>();
        String runtimeDirectory = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtimeDirectory.isBlank()) {
            addresses.add(socket(
                    Path.of(runtimeDirectory).resolve(product.rootlessSocket()), "rootless, in XDG_RUNTIME_DIR"));
        }
        if (product == Product.DOCKER) {
            addresses.add(socket(home.resolve(".docker/run/docker.sock"), "Docker Desktop"));
        }
        addresses.add(socket(Path.of(product.rootfulSocket()), "the system's engine"));
        return addresses;
    }

    private static EngineAddress socket(Path path, String source) {
        return new EngineAddress(URI.create("unix://" + path), Optional.empty(), source);
    }

    private static EngineAddress address(String text, String source) {
        try {
            URI uri = new URI(text.strip());
            if ("unix".equals(uri.getScheme()) || ("tcp".equals(uri.getScheme()) && uri.getHost() != null)) {
                return new EngineAddress(uri, Optional.empty(), source);
            }
        } catch (URISyntaxException e) {
            throw new ConfigurationException(List.of(problem(text, source)));
        }
        throw new ConfigurationException(List.of(problem(text, source)));
    }

    private static String problem(String text, String source) {
        return source + ": '" + text + "' is not the address of an engine; write for example"
                + " unix:///var/run/docker.sock or tcp://host:2376";
    }
}
