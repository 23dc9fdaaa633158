package io.github.trainer4j.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which packages a module owns, and what it may lean on besides the JDK and slf4j.
 *
 * <p>Modules that are still to come stand here too, so that they meet their arrows on their first day.
 */
@SuppressWarnings("ImmutableEnumChecker") // Set.of() is immutable; Error Prone knows only Guava's sets to be so
enum Module {
    API("io.github.trainer4j.api", Set.of(), Set.of()),
    CLIENT(
            "io.github.trainer4j.client",
            Set.of(API),
            Set.of("com.google.inject", "jakarta.inject", "com.fasterxml.jackson", "org.yaml.snakeyaml")),
    TRANSFER("io.github.trainer4j.transfer", Set.of(API), Set.of()),
    HUGGINGFACE("io.github.trainer4j.huggingface", Set.of(API, TRANSFER), Set.of()),
    S3("io.github.trainer4j.s3", Set.of(API, TRANSFER), Set.of("software.amazon.awssdk")),
    DATACACHE("io.github.trainer4j.datacache", Set.of(API), Set.of()),
    ENTRYPOINT("io.github.trainer4j.entrypoint", Set.of(API), Set.of()),
    LOCAL("io.github.trainer4j.local", Set.of(API), Set.of()),
    CONTAINER("io.github.trainer4j.container", Set.of(API), Set.of("com.github.dockerjava", "com.fasterxml.jackson")),
    KUBERNETES("io.github.trainer4j.kubernetes", Set.of(API), Set.of("io.fabric8", "com.fasterxml.jackson")),
    TESTKIT("io.github.trainer4j.testkit", Set.of(API), Set.of("org.junit", "org.opentest4j", "org.assertj")),
    CLI("io.github.trainer4j.cli", Set.of(API, CLIENT), Set.of("picocli"));

    /** Packages of the JDK, and of the two libraries that everything may use. */
    private static final Set<String> EVERYWHERE =
            Set.of("java", "javax", "com.sun.net.httpserver", "org.slf4j", "org.jspecify");

    private final String root;
    private final Set<Module> leansOn;
    private final Set<String> libraries;

    Module(String root, Set<Module> leansOn, Set<String> libraries) {
        this.root = root;
        this.leansOn = leansOn;
        this.libraries = libraries;
    }

    /** The module's root package, and its Automatic-Module-Name. */
    String root() {
        return root;
    }

    Set<Module> leansOn() {
        return leansOn;
    }

    /** Every package, with those below it, that the module's classes may name. */
    Set<String> allowedPackages() {
        Set<String> allowed = new TreeSet<>(EVERYWHERE);
        allowed.addAll(libraries);
        allowed.add(root);
        leansOn.forEach(other -> allowed.add(other.root));
        return allowed;
    }

    static List<String> roots() {
        return Arrays.stream(values()).map(Module::root).toList();
    }

    static Stream<Module> byRoot(String root) {
        return Arrays.stream(values()).filter(module -> module.root.equals(root));
    }
}
