package io.github.trainer4j.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Holds a class whose users see it to signatures, supertypes included, without a class of the given libraries. */
final class HideLibraries extends ArchCondition<JavaClass> {
    private static final Set<JavaModifier> VISIBLE = Set.of(JavaModifier.PUBLIC, JavaModifier.PROTECTED);

    private final List<String> libraries;

    HideLibraries(List<String> libraries) {
        super("show no class of " + libraries + " in a public signature");
        this.libraries = libraries;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        if (!isVisible(type)) {
            return;
        }
        report(type, type.getFullName(), supertypes(type), events);
        for (JavaMember member : type.getMembers()) {
            if (VISIBLE.stream().anyMatch(member.getModifiers()::contains)) {
                report(type, member.getFullName(), signature(member), events);
            }
        }
    }

    /** A nested class is seen only where all classes around it are. */
    private static boolean isVisible(JavaClass type) {
        return VISIBLE.stream().anyMatch(type.getModifiers()::contains)
                && type.getEnclosingClass().map(HideLibraries::isVisible).orElse(true);
    }

    private static Stream<JavaType> supertypes(JavaClass type) {
        Stream<JavaType> bounds =
                type.getTypeParameters().stream().flatMap(parameter -> parameter.getBounds().stream());
        return Stream.of(type.getSuperclass().stream(), type.getInterfaces().stream(), bounds)
                .flatMap(types -> types);
    }

    private static Stream<JavaType> signature(JavaMember member) {
        if (member instanceof JavaCodeUnit unit) {
            Stream<JavaType> bounds =
                    unit.getTypeParameters().stream().flatMap(parameter -> parameter.getBounds().stream());
            Stream<JavaType> thrown = unit.getThrowsClause().getTypes().stream().map(JavaType.class::cast);
            return Stream.of(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream(), thrown, bounds)
                    .flatMap(types -> types);
        }
        return Stream.of(((JavaField) member).getType());
    }

    private void report(JavaClass type, String where, Stream<JavaType> seen, ConditionEvents events) {
        Optional<JavaClass> shown = seen.flatMap(each -> each.getAllInvolvedRawTypes().stream())
                .filter(each -> Rules.liveBelow(libraries).test(each) && !each.isPrimitive())
                .findFirst();
        shown.ifPresent(
                library -> events.add(SimpleConditionEvent.violated(type, where + " shows " + library.getFullName())));
    }
}
