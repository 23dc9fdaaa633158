package io.github.trainer4j.container;

/**
 * Something of the engine's machine that a container sees.
 *
 * @param source an absolute path, or the name of a volume
 * @param target where the container sees it
 * @param options {@code ro} or {@code rw}, and {@code z} or {@code Z} to have it labelled for SELinux
 */
record Mount(String source, String target, String options) {
    static Mount readOnly(String source, String target) {
        return new Mount(source, target, "ro");
    }

    static Mount writable(String source, String target) {
        return new Mount(source, target, "rw");
    }

    /** Returns it as engines are told of it. */
    String toBind() {
        return source + ":" + target + ":" + options;
    }
}
