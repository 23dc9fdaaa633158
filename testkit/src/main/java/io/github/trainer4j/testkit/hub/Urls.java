package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Percent-encoding of paths and queries. */
final class Urls {

    private Urls() {}

    /** Encodes all but slashes. */
    static String path(String path) {
        return Arrays.stream(path.split("/", -1)).map(Urls::component).collect(Collectors.joining("/"));
    }

    static String component(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
