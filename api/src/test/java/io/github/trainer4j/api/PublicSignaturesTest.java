package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whoever calls what is public can also name every type that it takes, gives and throws. */
class PublicSignaturesTest {
    @Test
    void everyTypeOfAPublicSignatureIsPublicToo() throws ReflectiveOperationException {
        List<String> hidden = new ArrayList<>();
        for (Class<?> type : PublicTypes.all()) {
            hidden.addAll(hiddenTypes(type));
        }

        assertThat(PublicTypes.all()).hasSizeGreaterThan(60);
        assertThat(hidden).isEmpty();
    }

    @Test
    void aHiddenTypeIsFoundWhereverItStands() {
        assertThat(hiddenTypes(Leaky.class))
                .extracting(found -> found.substring(found.lastIndexOf(' ') + 1))
                .contains("returned", "taken", "thrown", "bound", "listed", "held");
    }

    private static final class Hidden extends Exception {}

    /** Has the mistake that is looked for, in each place. */
    public static class Leaky {
        public List<? extends Hidden[]> held;

        public Hidden returned() {
            return new Hidden();
        }

        public void taken(Hidden hidden) {
            assertThat(hidden).isNotNull();
        }

        public void thrown() throws Hidden {
            throw new Hidden();
        }

        public <T extends Hidden> void bound(T value) {
            assertThat(value).isNotNull();
        }

        public List<Collection<Hidden>> listed() {
            return List.of();
        }
    }

    private static List<String> hiddenTypes(Class<?> type) {
        List<String> hidden = new ArrayList<>();
        Set<Class<?>> above = new LinkedHashSet<>();
        collect(type.getGenericSuperclass(), above, new HashSet<>());
        for (Type implemented : type.getGenericInterfaces()) {
            collect(implemented, above, new HashSet<>());
        }
        report(type, "extends", above, hidden);
        for (Field field : type.getDeclaredFields()) {
            report(type, field, hidden, field.getGenericType());
        }
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                report(type, method, hidden, types(method, method.getGenericReturnType()));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            report(type, constructor, hidden, types(constructor, type));
        }
        return hidden;
    }

    private static Type[] types(Executable executable, Type result) {
        List<Type> types = new ArrayList<>(List.of(result));
        types.addAll(Arrays.asList(executable.getGenericParameterTypes()));
        types.addAll(Arrays.asList(executable.getGenericExceptionTypes()));
        for (TypeVariable<?> variable : executable.getTypeParameters()) {
            types.addAll(Arrays.asList(variable.getBounds()));
        }
        return types.toArray(Type[]::new);
    }

    private static void report(Class<?> type, Member member, List<String> hidden, Type... types) {
        if (Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers())) {
            Set<Class<?>> named = new LinkedHashSet<>();
            for (Type each : types) {
                collect(each, named, new HashSet<>());
            }
            report(type, member.getName(), named, hidden);
        }
    }

    private static void report(Class<?> type, String member, Set<Class<?>> named, List<String> hidden) {
        for (Class<?> each : named) {
            boolean ours = each.getPackageName().startsWith("io.github.trainer4j.api");
            boolean ofTheJdk = each.getPackageName().startsWith("java.") || each.isPrimitive();
            if (!ofTheJdk && !(ours && PublicTypes.isPublic(each))) {
                hidden.add(each.getName() + " in " + type.getName() + " " + member);
            }
        }
    }

    private static void collect(Type type, Set<Class<?>> named, Set<Type> seen) {
        if (type == null || !seen.add(type)) {
            return;
        }
        if (type instanceof Class<?> plain) {
            Class<?> element = plain;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            named.add(element);
        } else if (type instanceof ParameterizedType parameterized) {
            collect(parameterized.getRawType(), named, seen);
            for (Type argument : parameterized.getActualTypeArguments()) {
                collect(argument, named, seen);
            }
        } else if (type instanceof GenericArrayType array) {
            collect(array.getGenericComponentType(), named, seen);
        } else if (type instanceof WildcardType wildcard) {
            for (Type bound : wildcard.getUpperBounds()) {
                collect(bound, named, seen);
            }
            for (Type bound : wildcard.getLowerBounds()) {
                collect(bound, named, seen);
            }
        } else if (type instanceof TypeVariable<?> variable) {
            for (Type bound : variable.getBounds()) {
                collect(bound, named, seen);
            }
        }
    }
}
