package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryTest {
    private final AtomicInteger calls = new AtomicInteger();

    private String failing(int times, String message) {
        if (calls.incrementAndGet() <= times) {
            throw new EngineException(EngineException.Kind.FAILED, message, null);
        }
        return "done";
    }

    @Test
    void whatPassesIsTriedAgain() {
        assertThat(Retry.ofPassing(
                        Dialect.PODMAN, () -> failing(2, "netavark: aardvark-dns failed to start: Error from child")))
                .isEqualTo("done");
        assertThat(calls).hasValue(3);
    }

    @Test
    void whatStaysIsToldAtOnce() {
        assertThatThrownBy(() -> Retry.ofPassing(Dialect.PODMAN, () -> failing(1, "no such image")))
                .hasMessage("no such image");
        assertThat(calls).hasValue(1);
    }

    @Test
    void whatDoesNotPassAfterAllIsTold() {
        assertThatThrownBy(() ->
                        Retry.ofPassing(Dialect.PODMAN, () -> failing(1000, "route ip+net: no such network interface")))
                .hasMessageContaining("no such network interface");
    }
}
