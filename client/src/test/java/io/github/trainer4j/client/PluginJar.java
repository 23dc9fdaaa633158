package io.github.trainer4j.client;

import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a plug-in and puts it into a jar, as its author would. */
final class PluginJar {
    private final Map<String, String> sources = new TreeMap<>();
    private final Map<String, String> services = new TreeMap<>();
    private final List<String> leftOut = new ArrayList<>();

    /** A class whose code stands between the braces; it may use everything of the api. */
    PluginJar type(String declaration, String body) {
        String qualified = declaration.replaceFirst(" .*", "");
        int dot = qualified.lastIndexOf('.');
        String simple = qualified.substring(dot + 1);
        String rest = declaration.substring(qualified.length());
        sources.put(
                qualified,
                "package " + qualified.substring(0, dot) + ";\n"
                        + "import io.github.trainer4j.api.*;\nimport io.github.trainer4j.api.spi.*;\n"
                        + "import java.util.*;\n"
                        + "public class " + simple + rest + " {\n" + body + "\n}\n");
        return this;
    }

    /** A backend provider that works; its backend answers nothing but lists. */
    PluginJar backend(String className, String name) {
        return backend(className, "public String name() { return \"" + name + "\"; }", BACKEND);
    }

    PluginJar backend(String className, String members, String create) {
        type(
                className + " implements BackendProvider",
                members + "\npublic Backend create(Settings settings, BackendContext context) {" + create + "}");
        return service(BackendProvider.class, className);
    }

    /** An initializer provider that works. */
    PluginJar initializer(String className, String scheme) {
        return initializer(className, scheme, """
                return new Initializer() {
                    public InitializerPlan plan() {
                        return new InitializerPlan(spec.target(), spec.storageUri(),
                                Map.of("STORAGE_URI", spec.storageUri(), "MADE_BY", "%s"), Map.of());
                    }
                    public Optional<Fetcher> fetcher() { return Optional.empty(); }
                };
                """.formatted(className));
    }

    PluginJar initializer(String className, String scheme, String create) {
        type(
                className + " implements InitializerProvider",
                "public String scheme() { return \"" + scheme + "\"; }\n"
                        + "public Initializer create(InitializerSpec spec) {" + create + "}");
        return service(InitializerProvider.class, className);
    }

    /** A line in a services file; any text. */
    PluginJar service(Class<?> service, String line) {
        services.merge("META-INF/services/" + service.getName(), line + "\n", String::concat);
        return this;
    }

    /** Leaves a class out of the jar although it was compiled, as when a library is missing. */
    PluginJar leavingOut(String className) {
        leftOut.add(className.replace('.', '/') + ".class");
        return this;
    }

    Path in(Path directory, String fileName) throws IOException {
        Path classes = Files.createDirectories(directory.resolve(fileName + ".classes"));
        if (!sources.isEmpty()) {
            compile(classes);
        }
        Path jar = directory.resolve(fileName);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString();
                if (!leftOut.contains(name)) {
                    out.putNextEntry(new JarEntry(name));
                    out.write(Files.readAllBytes(file));
                }
            }
            for (Map.Entry<String, String> service : services.entrySet()) {
                out.putNextEntry(new JarEntry(service.getKey()));
                out.write(service.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private void compile(Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Source(name, text)));
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-d", classes.toString(), "-cp", api(), "-proc:none");
        if (!compiler.getTask(messages, null, null, options, null, units).call()) {
            throw new IllegalArgumentException(messages.toString());
        }
    }

    private static String api() {
        try {
            return Path.of(BackendProvider.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Makes a backend that lists nothing. */
    static final String BACKEND = """
            return (Backend) java.lang.reflect.Proxy.newProxyInstance(
                    Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, args) ->
                            method.getReturnType() == List.class ? List.of() : null);
            """;
}
