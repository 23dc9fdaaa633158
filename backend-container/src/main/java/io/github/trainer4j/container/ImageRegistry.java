package io.github.trainer4j.container;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where an image is pulled from.
 *
 * @param host the registry, with its port if it has one
 * @param scopes the keys under which files may have credentials for it, the most special first: those of Podman may be for a
 *     part of a registry
 */
record ImageRegistry(String host, List<String> scopes) {
    static final String HUB = "docker.io";
    private static final String HUB_SERVER = "https://index.docker.io/v1/";

    static ImageRegistry of(String image) {
        int at = image.indexOf('@');
        String name = at < 0 ? image : image.substring(0, at);
        int tag = name.indexOf(':', name.lastIndexOf('/') + 1);
        name = tag < 0 ? name : name.substring(0, tag);
        int slash = name.indexOf('/');
        String first = slash < 0 ? "" : name.substring(0, slash);
        // As all engines tell a registry from the first part of a name on the Hub.
        boolean named = first.indexOf('.') >= 0 || first.indexOf(':') >= 0 || first.equals("localhost");
        String host = named ? known(first.toLowerCase(Locale.ROOT)) : HUB;
        String path = named ? name.substring(slash + 1) : slash < 0 ? "library/" + name : name;
        List<String> scopes = new ArrayList<>();
        for (String scope = host + "/" + path; scope.indexOf('/') >= 0; ) {
            scopes.add(scope);
            scope = scope.substring(0, scope.lastIndexOf('/'));
        }
        scopes.add(host);
        return new ImageRegistry(host, List.copyOf(scopes));
    }

    /** Returns what a key of a file stands for: it may be written as an address of the registry's interface. */
    static String scope(String key) {
        String scope = key.strip().replaceFirst("^https?://", "").replaceFirst("/(v[12]/?)?$", "");
        int slash = scope.indexOf('/');
        String host = known((slash < 0 ? scope : scope.substring(0, slash)).toLowerCase(Locale.ROOT));
        return slash < 0 ? host : host + scope.substring(slash);
    }

    private static String known(String host) {
        return host.equals("index.docker.io") || host.equals("registry-1.docker.io") ? HUB : host;
    }

    /** Returns the name under which Docker knows it. */
    String server() {
        return host.equals(HUB) ? HUB_SERVER : host;
    }
}
