package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What all records of the package have in common: no nulls, copies of what they are given, nothing to change. */
class RecordsTest {
    @Test
    void everyRecordHasASample() throws ReflectiveOperationException {
        Set<Class<?>> records = PublicTypes.all().stream()
                .filter(type -> type.getPackage() == TrainJob.class.getPackage())
                .filter(Class::isRecord)
                .collect(Collectors.toSet());

        assertThat(Samples.all()).extracting(Object::getClass).containsExactlyInAnyOrderElementsOf(records);
    }

    static Stream<Arguments> components() {
        return Samples.all().stream()
                .flatMap(sample -> Arrays.stream(sample.getClass().getRecordComponents())
                        .filter(component -> !component.getType().isPrimitive())
                        .map(component -> Arguments.of(
                                Named.of(sample.getClass().getSimpleName(), sample),
                                Named.of(component.getName(), component))));
    }

    @ParameterizedTest(name = "{0}.{1}")
    @MethodSource("components")
    void nullIsRefusedExceptWhereItMeansNone(Record sample, RecordComponent component) throws Throwable {
        Class<?> type = component.getType();
        Throwable failure = catchThrowable(() -> with(sample, component, null));
        if (failure == null) {
            assertThat(type).as("a type that can be empty").isIn(List.class, Map.class);
            Object empty = type == List.class ? List.of() : Map.of();
            assertThat(with(sample, component, null)).isEqualTo(with(sample, component, empty));
        } else {
            assertThat(failure).isInstanceOf(InvalidJobException.class).hasMessageMatching(".*(null|empty).*[;,] .+");
        }
    }

    @ParameterizedTest(name = "{0}.{1}")
    @MethodSource("components")
    void nullIsRefusedWithinCollections(Record sample, RecordComponent component) throws ReflectiveOperationException {
        for (Object value : withNulls(component.getAccessor().invoke(sample))) {
            assertThatThrownBy(() -> with(sample, component, value))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("null");
        }
    }

    @ParameterizedTest(name = "{0}.{1}")
    @MethodSource("components")
    void collectionsAreCopiedAndCannotBeChanged(Record sample, RecordComponent component) throws Throwable {
        Object value = component.getAccessor().invoke(sample);
        Object given = mutableCopy(value);
        if (given == null) {
            return;
        }
        Record made = with(sample, component, given);
        String before = made.toString();
        clear(given);

        assertThat(made).isEqualTo(sample).hasToString(before);
        Object held = component.getAccessor().invoke(made);
        assertThatThrownBy(() -> clear(held)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theSamplesAreEqualToThemselvesMadeAgain() {
        List<Record> again = Samples.all();
        for (int i = 0; i < again.size(); i++) {
            if (!(again.get(i) instanceof WaitOptions)) {
                assertThat(again.get(i)).isEqualTo(Samples.all().get(i)).hasSameHashCodeAs(again.get(i));
            }
        }
    }

    private static Record with(Record sample, RecordComponent changed, Object value) throws Throwable {
        RecordComponent[] components = sample.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = components[i].getName().equals(changed.getName())
                    ? value
                    : components[i].getAccessor().invoke(sample);
        }
        Constructor<?> constructor = sample.getClass().getDeclaredConstructor(types);
        try {
            return (Record) constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static List<Object> withNulls(Object value) {
        if (value instanceof List<?>) {
            return List.of(Collections.singletonList(null));
        }
        if (value instanceof Set<?>) {
            return List.of(Collections.singleton(null));
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> nullKey = new HashMap<>();
            nullKey.put(null, map.values().iterator().next());
            Map<Object, Object> nullValue = new HashMap<>();
            nullValue.put(map.keySet().iterator().next(), null);
            return List.of(nullKey, nullValue);
        }
        return List.of();
    }

    private static Object mutableCopy(Object value) {
        if (value instanceof List<?> list) {
            return new ArrayList<>(list);
        }
        if (value instanceof Set<?> set) {
            return new LinkedHashSet<>(set);
        }
        return value instanceof Map<?, ?> map ? new LinkedHashMap<>(map) : null;
    }

    private static void clear(Object collection) {
        if (collection instanceof Collection<?> elements) {
            elements.clear();
        } else if (collection instanceof Map<?, ?> map) {
            map.clear();
        }
    }
}
