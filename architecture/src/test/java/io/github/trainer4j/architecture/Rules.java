package io.github.trainer4j.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Collection;
import java.util.List;

/** The rules every first-party class is held to. */
final class Rules {
    private Rules() {}

    static ArchRule keepsItsArrows(Module module) {
        return classes()
                .that(liveBelow(List.of(module.root())))
                .should()
                .onlyDependOnClassesThat(liveBelow(module.allowedPackages()))
                .as(module + " leans on nothing but " + module.allowedPackages());
    }

    static ArchRule everyPackageBelongsToAModule() {
        return classes()
                .should(new ArtifactConditions.LiveBelow(Module.roots()))
                .as("every class lives below the root package of a module that Module.java names");
    }

    static ArchRule noPackageCycles() {
        return slices().matching("io.github.trainer4j.(**)").should().beFreeOfCycles();
    }

    static ArchRule namesSayWhatAClassIs() {
        return noClasses()
                .should()
                .haveNameMatching(".*[.$](Abstract[A-Z]\\w*|\\w*(Impl|Util|Utils|Manager|Helper|Helpers))")
                .as("no class is named Abstract*, *Impl, *Util, *Manager or *Helper")
                .because("such a name says how a class was made, not what it is");
    }

    static ArchRule librariesStayOutOfPublicSignatures() {
        return classes()
                .that(describe(
                        "are not for users of Guice",
                        type -> !type.getPackageName().equals("io.github.trainer4j.client.guice")))
                .should(new HideLibraries(
                        List.of("com.github.dockerjava", "io.fabric8", "software.amazon.awssdk", "com.google.inject")));
    }

    static ArchRule aPackageLivesInOneArtifact() {
        return classes().should(new ArtifactConditions.ShareAPackageOnlyWithinAnArtifact());
    }

    static DescribedPredicate<JavaClass> liveBelow(Collection<String> packages) {
        return describe("live below " + packages, type -> {
            JavaClass element = type.getBaseComponentType();
            return element.isPrimitive() || packages.stream().anyMatch(root -> isBelow(element.getPackageName(), root));
        });
    }

    static boolean isBelow(String packageName, String root) {
        return packageName.equals(root) || packageName.startsWith(root + ".");
    }
}
