package io.github.trainer4j.client;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.NearNames;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the backend that the configuration names, and reports everything that is wrong with the configuration. */
final class BackendChoice {
    private static final String KEY = "backend";

    private final Settings settings;
    private final ProviderRegistry<BackendProvider> providers;
    private final BackendContext context;

    @Inject
    BackendChoice(Settings settings, ProviderRegistry<BackendProvider> providers, BackendContext context) {
        this.settings = settings;
        this.providers = providers;
        this.context = context;
    }

    /**
     * A backend and the name it was chosen by.
     *
     * @param name the name
     * @param backend the backend
     */
    record Chosen(String name, Backend backend) {}

    /**
     * Makes the backend.
     *
     * @throws ConfigurationException if anything in the configuration is wrong; all of it at once
     * @throws BackendUnavailableException if the backend cannot work here, or its provider is broken
     */
    Chosen make() {
        List<String> problems = new ArrayList<>();
        Optional<Candidate<BackendProvider>> chosen = choose(problems);
        // Somebody may keep the settings of several backends side by side and switch between them.
        providers.names().stream()
                .filter(name -> !chosen.map(Candidate::name).equals(Optional.of(name)))
                .forEach(settings::map);
        Backend backend = null;
        RuntimeException failure = null;
        if (chosen.isPresent()) {
            try {
                backend = create(chosen.get());
            } catch (ConfigurationException e) {
                problems.addAll(e.problems());
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        try {
            settings.check();
        } catch (ConfigurationException e) {
            e.problems().stream().filter(problem -> !problems.contains(problem)).forEach(problems::add);
        }
        if (!problems.isEmpty()) {
            ConfigurationException wrong = new ConfigurationException(problems);
            if (failure != null) {
                wrong.addSuppressed(failure);
            }
            close(backend, wrong);
            throw wrong;
        }
        if (failure != null) {
            throw failure;
        }
        if (chosen.isEmpty() || backend == null) {
            throw new IllegalStateException("no backend and no problem");
        }
        return new Chosen(chosen.get().name(), backend);
    }

    private Optional<Candidate<BackendProvider>> choose(List<String> problems) {
        Optional<String> configured = settings.text(KEY).map(String::strip);
        if (configured.isEmpty() && providers.names().size() != 1) {
            problems.add(noneConfigured());
            return Optional.empty();
        }
        String name = configured.orElseGet(() -> providers.names().iterator().next());
        List<Candidate<BackendProvider>> found = providers.find(name);
        if (found.isEmpty()) {
            problems.add("there is no backend '" + name + "' (" + settings.source(KEY) + ")"
                    + NearNames.hint(name, providers.names()) + "; backends on the class path: " + listed()
                    + providers.brokenHint());
            // Its settings are no further mistake.
            settings.map(name);
            return Optional.empty();
        }
        if (found.size() > 1) {
            problems.add(providers.ambiguity(found));
            return Optional.empty();
        }
        return Optional.of(found.get(0));
    }

    private String noneConfigured() {
        if (providers.names().isEmpty()) {
            return "there is no backend on the class path; add the jar of one, such as trainer4j-backend-local"
                    + providers.brokenHint();
        }
        return "no backend is chosen and there are several: " + listed() + "; choose one, for example with 'backend: "
                + providers.names().iterator().next() + "' in trainer4j.yaml or the variable TRAINER4J_BACKEND"
                + providers.brokenHint();
    }

    private String listed() {
        return providers.names().isEmpty() ? "none" : String.join(", ", providers.names());
    }

    private Backend create(Candidate<BackendProvider> candidate) {
        try {
            Backend backend = candidate.provider().create(settings.under(candidate.name()), context);
            if (backend == null) {
                throw new NullPointerException("create() returned null");
            }
            return backend;
        } catch (TrainerException e) {
            throw e;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            providers.failed(candidate, e);
            throw new BackendUnavailableException(
                    "the backend '" + candidate.name() + "' cannot be made; its provider is broken: replace its jar, or"
                            + " choose another backend",
                    List.of(candidate.describe() + ": " + e),
                    e);
        }
    }

    private static void close(@org.jspecify.annotations.Nullable Backend backend, ConfigurationException wrong) {
        if (backend != null) {
            try {
                backend.close();
            } catch (RuntimeException e) {
                wrong.addSuppressed(e);
            }
        }
    }
}
