package io.github.trainer4j.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The poms of this repository. */
final class Poms {
    private Poms() {}

    static Pom parent() {
        return Pom.read(root().resolve("pom.xml"));
    }

    static Pom bom() {
        return Pom.read(root().resolve("bom/pom.xml"));
    }

    /** The pom of the module these tests stand in. */
    static Pom architecture() {
        return Pom.read(root().resolve("architecture/pom.xml"));
    }

    /** The modules that are published as jars, in reading order. */
    static List<Pom> published() {
        return parent().modules().stream()
                .map(folder -> Pom.read(root().resolve(folder).resolve("pom.xml")))
                .filter(Pom::isPublishedJar)
                .toList();
    }

    static Set<String> publishedModuleNames() {
        return published().stream()
                .flatMap(pom -> pom.property("trainer4j.module-name").stream())
                .collect(Collectors.toSet());
    }

    private static Path root() {
        return Stream.iterate(Path.of("").toAbsolutePath(), folder -> folder != null, Path::getParent)
                .filter(folder -> Files.isDirectory(folder.resolve(".mvn")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Run these tests inside the repository"));
    }
}
