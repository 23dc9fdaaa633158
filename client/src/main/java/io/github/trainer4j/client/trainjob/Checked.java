package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.InvalidJobException;
import java.util.function.Supplier;

/** Makes values of the API, and records what they refuse at the place that the value was read from. */
final class Checked {
    private Checked() {}

    static <T> T value(Place place, Supplier<T> make, T instead) {
        try {
            return make.get();
        } catch (InvalidJobException e) {
            place.wrong(String.valueOf(e.getMessage()));
            return instead;
        }
    }
}
