package io.github.trainer4j.client;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Puts jars onto the thread's class path until it is closed. */
final class PluginLoader implements AutoCloseable {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final URLClassLoader loader;

    PluginLoader(Path... jars) throws MalformedURLException {
        URL[] urls = new URL[jars.length];
        for (int i = 0; i < jars.length; i++) {
            urls[i] = jars[i].toUri().toURL();
        }
        loader = new URLClassLoader(urls, PluginLoader.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
    }

    ClassLoader loader() {
        return loader;
    }

    @Override
    public void close() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        loader.close();
    }
}
