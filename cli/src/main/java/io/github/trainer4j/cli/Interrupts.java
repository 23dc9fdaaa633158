package io.github.trainer4j.cli;

import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * Signals of the terminal. The JDK has no supported way to take one without ending, so that this goes by reflection, and does
 * nothing where the way is not there.
 */
final class Interrupts implements AutoCloseable {
    private static final String[] SIGNALS = {"INT", "TERM"};

    private final Object[] before = new Object[SIGNALS.length];

    private Interrupts() {}

    /** Hands signals to an action until it is closed; the action is called on threads of the JVM. */
    static Interrupts to(Consumer<String> action) {
        Interrupts interrupts = new Interrupts();
        for (int i = 0; i < SIGNALS.length; i++) {
            String name = SIGNALS[i];
            interrupts.before[i] = handle(name, handler(() -> action.accept(name)));
        }
        return interrupts;
    }

    private static Object handler(Runnable action) {
        try {
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            return Proxy.newProxyInstance(
                    Interrupts.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                            return null;
                        }
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "equals" -> proxy == args[0];
                            default -> "signal handler";
                        };
                    });
        } catch (ReflectiveOperationException e) {
            return action;
        }
    }

    private static Object handle(String signal, Object handler) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            return type.getMethod("handle", type, handlerType)
                    .invoke(null, type.getConstructor(String.class).newInstance(signal), handler);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // Such a signal ends the JVM then, as it always does.
            return handler;
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < SIGNALS.length; i++) {
            handle(SIGNALS[i], before[i]);
        }
    }
}
