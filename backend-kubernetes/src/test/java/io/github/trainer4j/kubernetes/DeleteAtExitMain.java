package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.spi.Backend;
import java.nio.file.Path;

/** A program that deletes its job when it ends. */
final class DeleteAtExitMain {
    private DeleteAtExitMain() {}

    public static void main(String[] args) {
        Backend backend = Backends.of(Path.of(args[0]));
        backend.get("one");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                backend.delete("one");
                System.out.println("deleted");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }
}
