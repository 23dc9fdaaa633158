package io.github.trainer4j.transfer.http;

import io.github.trainer4j.api.Secret;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Says through which proxy an origin is reached: the JVM's own settings first, then the environment's. */
final class Routes {
    private final Map<String, String> environment;

    Routes(Map<String, String> environment) {
        this.environment = environment;
    }

    /** A way to an origin: direct, or by a proxy. */
    record Route(Proxy.Type type, String host, int port, Optional<Secret> authorization) {
        static final Route DIRECT = new Route(Proxy.Type.DIRECT, "", 0, Optional.empty());

        boolean isHttpProxy() {
            return type == Proxy.Type.HTTP;
        }

        boolean isSocksProxy() {
            return type == Proxy.Type.SOCKS;
        }

        InetSocketAddress address() {
            return new InetSocketAddress(host, port);
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    Route to(Origin origin) {
        URI uri = URI.create(origin.toString());
        ProxySelector selector = ProxySelector.getDefault();
        if (selector != null) {
            for (Proxy proxy : selector.select(uri)) {
                if (proxy.type() != Proxy.Type.DIRECT && proxy.address() instanceof InetSocketAddress address) {
                    return new Route(proxy.type(), address.getHostString(), address.getPort(), Optional.empty());
                }
            }
        }
        return isExempt(origin) ? Route.DIRECT : fromEnvironment(origin);
    }

    private Route fromEnvironment(Origin origin) {
        // Upper-case HTTP_PROXY is left out: a web server may have it from a request's header "Proxy".
        List<String> names = origin.secure()
                ? List.of("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
                : List.of("http_proxy", "all_proxy", "ALL_PROXY");
        for (String name : names) {
            String value = environment.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return parse(value, name);
            }
        }
        return Route.DIRECT;
    }

    private static Route parse(String value, String name) {
        URI uri;
        try {
            uri = URI.create(value.contains("://") ? value : "http://" + value);
        } catch (IllegalArgumentException e) {
            throw bad(name);
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        if (uri.getHost() == null || !(scheme.equals("http") || scheme.startsWith("socks"))) {
            throw bad(name);
        }
        Optional<Secret> login = Optional.ofNullable(uri.getRawUserInfo()).map(text -> {
            String plain = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
            return Secret.of("Basic " + Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8)));
        });
        return scheme.equals("http")
                ? new Route(Proxy.Type.HTTP, uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort(), login)
                : new Route(
                        Proxy.Type.SOCKS, uri.getHost(), uri.getPort() < 0 ? 1080 : uri.getPort(), Optional.empty());
    }

    private static io.github.trainer4j.api.InitializerException bad(String name) {
        return new io.github.trainer4j.api.InitializerException(
                "the variable " + name + " does not name a proxy; write for example http://proxy.example:3128",
                "BadProxy",
                null);
    }

    /** As most programs have it: loopback is never proxied, and NO_PROXY lists hosts, domains, or all. */
    private boolean isExempt(Origin origin) {
        String host = origin.host();
        if (host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}")) {
            return true;
        }
        String list = environment.getOrDefault("no_proxy", environment.getOrDefault("NO_PROXY", ""));
        return Arrays.stream(list.toLowerCase(Locale.ROOT).split(",", -1))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .map(entry -> entry.startsWith("*.") ? entry.substring(2) : entry)
                .map(entry -> entry.startsWith(".") ? entry.substring(1) : entry)
                .anyMatch(entry -> entry.equals("*")
                        || host.equals(entry)
                        || host.endsWith("." + entry)
                        || (host + ":" + origin.port()).equals(entry));
    }
}
