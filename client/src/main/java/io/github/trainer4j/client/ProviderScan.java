package io.github.trainer4j.client;

import io.github.trainer4j.client.ProviderReport.State;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.Spliterator;

/** Looks for all providers of one kind. What is wrong with one is recorded and keeps no other from being found. */
final class ProviderScan<S> {
    /** A loader that fails for good would fail the same way for ever. */
    private static final int MOST_FAILURES = 1000;

    private final ProviderKind<S> kind;
    private final Map<String, Candidate<S>> byClass = new LinkedHashMap<>();
    private final List<ProviderReport> broken = new ArrayList<>();
    private final Set<String> brokenClasses = new LinkedHashSet<>();

    private ProviderScan(ProviderKind<S> kind) {
        this.kind = kind;
    }

    /** Looks into these class loaders, in this order. */
    static <S> ProviderScan<S> of(ProviderKind<S> kind, List<ClassLoader> loaders) {
        ProviderScan<S> scan = new ProviderScan<>(kind);
        loaders.stream().distinct().forEach(scan::scan);
        return scan;
    }

    /** Returns the loader of the thread and ours: containers and IDEs load plug-ins by the one, plain programs by both. */
    static List<ClassLoader> loaders() {
        List<ClassLoader> loaders = new ArrayList<>();
        Optional.ofNullable(Thread.currentThread().getContextClassLoader()).ifPresent(loaders::add);
        Optional.ofNullable(ProviderScan.class.getClassLoader()).ifPresent(loaders::add);
        return loaders;
    }

    /** Returns the providers that said their name, in the order they were found. */
    List<Candidate<S>> candidates() {
        return List.copyOf(byClass.values());
    }

    List<ProviderReport> broken() {
        return List.copyOf(broken);
    }

    private void scan(ClassLoader loader) {
        Set<String> loaded = new LinkedHashSet<>();
        List<Throwable> failures = new ArrayList<>();
        Spliterator<ServiceLoader.Provider<S>> providers =
                ServiceLoader.load(kind.service(), loader).stream().spliterator();
        boolean more = true;
        while (more && failures.size() < MOST_FAILURES) {
            try {
                more = providers.tryAdvance(provider -> {
                    loaded.add(provider.type().getName());
                    ask(provider);
                });
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            explain(loader, loaded, failures);
        }
    }

    private void ask(ServiceLoader.Provider<S> provider) {
        String className = provider.type().getName();
        if (byClass.containsKey(className) || brokenClasses.contains(className)) {
            return;
        }
        String location = location(provider.type());
        try {
            S instance = provider.get();
            String name = kind.nameOf().apply(instance);
            if (name == null || !kind.names().matcher(name).matches()) {
                broken(className, location, "its name is '" + name + "'; a name has " + kind.rule());
            } else if (kind.reserved().contains(name)) {
                broken(
                        className,
                        location,
                        "its name '" + name + "' is taken by settings of the client; choose another");
            } else {
                byClass.put(className, new Candidate<>(name, instance, location));
            }
        } catch (ServiceConfigurationError e) {
            broken(className, location, reason(e.getCause() == null ? e : e.getCause()));
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            broken(className, location, reason(e));
        }
    }

    /**
     * ServiceLoader says little about a class that it could not even load, and nothing about its jar: look again at what
     * the services files name.
     */
    private void explain(ClassLoader loader, Set<String> loaded, List<Throwable> failures) {
        Set<String> explained = new LinkedHashSet<>();
        for (ServicesFile.Entry entry : ServicesFile.entries(loader, kind.service())) {
            if (!loaded.contains(entry.className())) {
                explained.add(entry.className());
                if (!brokenClasses.contains(entry.className())) {
                    broken(entry.className(), entry.location(), whyNotLoaded(loader, entry.className()));
                }
            }
        }
        for (Throwable failure : failures) {
            String message = String.valueOf(failure.getMessage());
            boolean known = (failure instanceof LinkageError && !explained.isEmpty())
                    || explained.stream().anyMatch(message::contains);
            if (!known && broken.stream().noneMatch(report -> report.problem().equals(Optional.of(message)))) {
                broken.add(report(Optional.empty(), "a services file", message));
            }
        }
    }

    private String whyNotLoaded(ClassLoader loader, String className) {
        try {
            Class<?> type = Class.forName(className, false, loader);
            if (!kind.service().isAssignableFrom(type)) {
                return "it does not implement " + kind.service().getName() + " as loaded here";
            }
            return "it is no public class that has a public constructor without parameters";
        } catch (ClassNotFoundException e) {
            return "there is no such class";
        } catch (LinkageError e) {
            return reason(e);
        }
    }

    private void broken(String className, String location, String problem) {
        brokenClasses.add(className);
        broken.add(report(Optional.of(className), location, problem));
    }

    private ProviderReport report(Optional<String> className, String location, String problem) {
        return new ProviderReport(
                kind.word(), Optional.empty(), className, location, State.BROKEN, Optional.of(problem));
    }

    private static String reason(Throwable e) {
        return e.getCause() == null || e.getMessage() != null ? e.toString() : e + " caused by " + e.getCause();
    }

    private static String location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null
                ? "a place its class loader does not tell"
                : ServicesFile.location(source.getLocation());
    }
}
