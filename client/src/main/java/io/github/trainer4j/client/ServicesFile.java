package io.github.trainer4j.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads the files in META-INF/services, to say which jar a broken provider comes from. */
final class ServicesFile {
    private ServicesFile() {}

    /**
     * A class that a services file names.
     *
     * @param className the class
     * @param location the jar or directory of the services file
     */
    record Entry(String className, String location) {}

    /** Returns what all services files of a service name, as far as they can be read. */
    static List<Entry> entries(ClassLoader loader, Class<?> service) {
        String path = "META-INF/services/" + service.getName();
        List<Entry> entries = new ArrayList<>();
        try {
            for (URL file : Collections.list(loader.getResources(path))) {
                String text = file.toString();
                String root = text.substring(0, text.length() - path.length());
                for (String name : names(file)) {
                    entries.add(new Entry(name, location(root)));
                }
            }
        } catch (IOException e) {
            // What cannot be read cannot be explained; ServiceLoader's own words stand.
            return entries;
        }
        return entries;
    }

    private static List<String> names(URL file) throws IOException {
        URLConnection connection = file.openConnection();
        // Else the jar would stay open in a cache shared by the whole JVM.
        connection.setUseCaches(false);
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty() && line.chars().noneMatch(Character::isWhitespace))
                    .toList();
        }
    }

    static String location(URL url) {
        try {
            return url.getProtocol().equals("file") ? Path.of(url.toURI()).toString() : location(url.toString());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return url.toString();
        }
    }

    private static String location(String url) {
        String text = url.startsWith("jar:") ? url.substring("jar:".length()) : url;
        text = text.endsWith("!/") ? text.substring(0, text.length() - 2) : text;
        try {
            return text.startsWith("file:") ? Path.of(java.net.URI.create(text)).toString() : text;
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
