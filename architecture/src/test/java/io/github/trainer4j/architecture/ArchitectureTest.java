package io.github.trainer4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArchitectureTest {
    private static final JavaClasses FIRST_PARTY = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.github.trainer4j");

    @ParameterizedTest
    @EnumSource
    void aModuleKeepsItsArrows(Module module) {
        // Only a module that has no pom yet may have no class.
        boolean toCome = !Poms.publishedModuleNames().contains(module.root());
        Rules.keepsItsArrows(module).allowEmptyShould(toCome).check(FIRST_PARTY);
    }

    @Test
    void everyPackageBelongsToAModule() {
        Rules.everyPackageBelongsToAModule().check(FIRST_PARTY);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noPackageCycles().check(FIRST_PARTY);
    }

    @Test
    void namesSayWhatAClassIs() {
        Rules.namesSayWhatAClassIs().check(FIRST_PARTY);
    }

    @Test
    void librariesStayOutOfPublicSignatures() {
        Rules.librariesStayOutOfPublicSignatures().check(FIRST_PARTY);
    }

    @Test
    void aPackageLivesInOneArtifact() {
        Rules.aPackageLivesInOneArtifact().check(FIRST_PARTY);
    }

    @Test
    void theClassesOfEveryPublishedModuleAreLookedAt() {
        assertThat(Poms.publishedModuleNames())
                .allSatisfy(
                        name -> assertThat(FIRST_PARTY).anyMatch(type -> Rules.isBelow(type.getPackageName(), name)));
    }
}
