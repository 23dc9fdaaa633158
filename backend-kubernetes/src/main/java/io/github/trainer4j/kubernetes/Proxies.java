package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.BackendUnavailableException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The proxy on the way to an API server: what the kubeconfig names, else what the environment does, as for kubectl. */
final class Proxies {
    private Proxies() {}

    /**
     * Returns the proxy's address.
     *
     * @param named what the kubeconfig names
     * @throws BackendUnavailableException if it is of a kind that the JVM's HTTP client does not speak to
     */
    static Optional<String> find(Optional<String> named, URI server, Map<String, String> environment) {
        Optional<String> proxy = named.or(() -> isDirect(server, environment)
                ? Optional.empty()
                : variable(environment, server.getScheme() + "_proxy").or(() -> variable(environment, "all_proxy")));
        return proxy.map(Proxies::check);
    }

    private static String check(String proxy) {
        String address = proxy.contains("://") ? proxy : "http://" + proxy;
        if (!address.startsWith("http://") || URI.create(address).getPort() < 0) {
            throw new BackendUnavailableException(
                    "the proxy " + address.replaceFirst("//[^/@]*@", "//")
                            + " on the way to the cluster cannot be used: it"
                            + " must be http://HOST:PORT; change proxy-url in the kubeconfig, or HTTPS_PROXY",
                    List.of(),
                    null);
        }
        return address;
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .or(() -> Optional.ofNullable(environment.get(name.toUpperCase(Locale.ROOT))))
                .filter(value -> !value.isBlank());
    }

    private static boolean isDirect(URI server, Map<String, String> environment) {
        String host = server.getHost().replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
        if (host.equals("localhost") || host.startsWith("127.") || host.equals("::1")) {
            return true;
        }
        for (String raw : variable(environment, "no_proxy").orElse("").split(",", -1)) {
            String entry = raw.strip().toLowerCase(Locale.ROOT);
            if (entry.equals("*") || (!entry.isEmpty() && matches(host, server.getPort(), entry))) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String host, int port, String entry) {
        if (entry.contains("/")) {
            return isWithin(host, entry);
        }
        String name = entry.replaceFirst("^\\*?\\.", "");
        if (name.matches("[^:]+:\\d+")) {
            if (!name.endsWith(":" + port)) {
                return false;
            }
            name = name.substring(0, name.lastIndexOf(':'));
        }
        return host.equals(name) || host.endsWith("." + name);
    }

    private static boolean isWithin(String host, String network) {
        if (!host.matches("[0-9.]+|[0-9a-f:.]+")) {
            // A name is not looked up for this.
            return false;
        }
        try {
            byte[] address = InetAddress.getByName(host).getAddress();
            byte[] begin = InetAddress.getByName(network.substring(0, network.indexOf('/')))
                    .getAddress();
            int bits = Integer.parseInt(network.substring(network.indexOf('/') + 1));
            if (address.length != begin.length || bits > address.length * 8) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % 8);
                if ((address[bit / 8] & mask) != (begin[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException | NumberFormatException e) {
            return false;
        }
    }
}
