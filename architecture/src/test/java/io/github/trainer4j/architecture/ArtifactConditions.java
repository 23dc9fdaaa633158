package io.github.trainer4j.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Conditions on where a class was found: in which package, in which jar or class folder. */
final class ArtifactConditions {
    private ArtifactConditions() {}

    static final class LiveBelow extends ArchCondition<JavaClass> {
        private final Collection<String> roots;

        LiveBelow(Collection<String> roots) {
            super("live below one of " + roots);
            this.roots = roots;
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            if (roots.stream().noneMatch(root -> Rules.isBelow(type.getPackageName(), root))) {
                events.add(SimpleConditionEvent.violated(type, type.getFullName() + " belongs to no module"));
            }
        }
    }

    static final class ShareAPackageOnlyWithinAnArtifact extends ArchCondition<JavaClass> {
        private final Map<String, Set<String>> artifactsByPackage = new TreeMap<>();

        ShareAPackageOnlyWithinAnArtifact() {
            super("share their package only with classes of their own artifact");
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            artifactsByPackage
                    .computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                    .add(artifactOf(type));
        }

        @Override
        public void finish(ConditionEvents events) {
            artifactsByPackage.forEach((name, artifacts) -> {
                if (artifacts.size() > 1) {
                    events.add(SimpleConditionEvent.violated(name, name + " lives in " + artifacts));
                }
            });
        }

        private static String artifactOf(JavaClass type) {
            String file = type.getSource().orElseThrow().getUri().toString();
            return file.substring(0, file.length() - (type.getName().length() + ".class".length()));
        }
    }
}
