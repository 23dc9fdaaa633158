package io.github.trainer4j.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The public types of this module, as they were compiled. */
final class PublicTypes {
    private PublicTypes() {}

    static List<Class<?>> all() throws ReflectiveOperationException {
        try {
            Path classes = Path.of(TrainJob.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(classes)) {
                return files.map(file -> classes.relativize(file).toString().replace('\\', '/'))
                        .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
                        .map(name -> name.substring(0, name.length() - ".class".length())
                                .replace('/', '.'))
                        .<Class<?>>map(PublicTypes::load)
                        .filter(PublicTypes::isPublic)
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (java.net.URISyntaxException e) {
            throw new ReflectiveOperationException(e);
        }
    }

    /** Whether a type and all types around it are public. */
    static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return java.lang.reflect.Modifier.isPublic(type.getModifiers())
                && !type.isAnonymousClass()
                && !type.isLocalClass()
                && (outer == null || isPublic(outer));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, TrainJob.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
