package io.github.trainer4j.container;

/** Does what must be done although the thread is being interrupted, and keeps the interrupt for afterwards. */
final class Uninterrupted {
    private Uninterrupted() {}

    static void run(Runnable body) {
        boolean interrupted = Thread.interrupted();
        try {
            body.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
