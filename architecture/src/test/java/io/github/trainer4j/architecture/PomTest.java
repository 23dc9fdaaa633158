package io.github.trainer4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PomTest {
    private static final String MODULE_NAME = "trainer4j.module-name";

    static List<Pom> published() {
        return Poms.published();
    }

    @ParameterizedTest
    @MethodSource("published")
    void theAutomaticModuleNameIsTheRootPackage(Pom pom) {
        assertThat(pom.property(MODULE_NAME))
                .as(MODULE_NAME + " in " + pom.file())
                .isPresent();
        assertThat(Module.roots()).contains(pom.property(MODULE_NAME).orElseThrow());
    }

    @ParameterizedTest
    @MethodSource("published")
    void aPomKeepsTheArrowsToo(Pom pom) {
        Module module = moduleOf(pom);
        Map<String, Module> modules =
                Poms.published().stream().collect(Collectors.toMap(Pom::artifactId, PomTest::moduleOf));

        assertThat(pom.dependencies().stream()
                        .filter(Pom.Dependency::isFirstParty)
                        .filter(dependency -> dependency.scope().equals("compile"))
                        .map(dependency -> modules.get(dependency.artifactId())))
                .isSubsetOf(module.leansOn());
    }

    @Test
    void theBomListsEveryPublishedArtifactInReadingOrder() {
        assertThat(Poms.bom().managedDependencies())
                .extracting(Pom.Dependency::artifactId)
                .containsExactlyElementsOf(artifactIds());
    }

    @Test
    void theBomHasTheVersionOfTheParent() {
        assertThat(Poms.bom().version()).isEqualTo(Poms.parent().version());
    }

    @Test
    void theseTestsSeeEveryPublishedArtifact() {
        assertThat(Poms.architecture().dependencies())
                .extracting(Pom.Dependency::artifactId)
                .containsAll(artifactIds());
    }

    private static List<String> artifactIds() {
        return Poms.published().stream().map(Pom::artifactId).toList();
    }

    private static Module moduleOf(Pom pom) {
        return pom.property(MODULE_NAME).stream()
                .flatMap(Module::byRoot)
                .findFirst()
                .orElseThrow(() -> new AssertionError("Module.java does not name the root package of " + pom.file()));
    }
}
