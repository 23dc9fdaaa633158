package io.github.trainer4j.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What the tests ask of a pom, read as it stands in its file: nothing inherited, no property resolved. */
record Pom(Path file, Element project) {

    record Dependency(String groupId, String artifactId, String scope) {
        boolean isFirstParty() {
            return groupId.equals("io.github.trainer4j");
        }
    }

    static Pom read(Path file) {
        try {
            return new Pom(
                    file,
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(file.toFile())
                            .getDocumentElement());
        } catch (Exception e) {
            throw new IllegalStateException("Cannot read " + file, e);
        }
    }

    String artifactId() {
        return text(project, "artifactId").orElseThrow();
    }

    Optional<String> version() {
        return text(project, "version");
    }

    Optional<String> property(String name) {
        return child(project, "properties").flatMap(properties -> text(properties, name));
    }

    List<String> modules() {
        return child(project, "modules").map(Pom::children).orElse(List.of()).stream()
                .map(module -> module.getTextContent().strip())
                .toList();
    }

    List<Dependency> dependencies() {
        return dependenciesOf(project);
    }

    List<Dependency> managedDependencies() {
        return child(project, "dependencyManagement").map(Pom::dependenciesOf).orElse(List.of());
    }

    boolean isPublishedJar() {
        return text(project, "packaging").orElse("jar").equals("jar")
                && !property("maven.deploy.skip").orElse("false").equals("true");
    }

    private static List<Dependency> dependenciesOf(Element owner) {
        return child(owner, "dependencies").map(Pom::children).orElse(List.of()).stream()
                .map(dependency -> new Dependency(
                        text(dependency, "groupId").orElseThrow(),
                        text(dependency, "artifactId").orElseThrow(),
                        text(dependency, "scope").orElse("compile")))
                .toList();
    }

    private static Optional<String> text(Element owner, String name) {
        return child(owner, name).map(element -> element.getTextContent().strip());
    }

    private static Optional<Element> child(Element owner, String name) {
        return children(owner).stream()
                .filter(element -> element.getTagName().equals(name))
                .findFirst();
    }

    private static List<Element> children(Element owner) {
        List<Element> children = new ArrayList<>();
        for (Node node = owner.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }
}
