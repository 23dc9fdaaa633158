package io.github.trainer4j.client;

import io.github.trainer4j.client.ProviderReport.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The providers of one kind by name. Of two that have one name, a first-party one is used; two plug-ins of one name are
 * both unusable, and an error for whoever asks for that name. Safe for several threads.
 */
final class ProviderRegistry<S> {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderRegistry.class);

    private final ProviderKind<S> kind;
    private final Map<String, List<Candidate<S>>> byName = new TreeMap<>();
    private final List<ProviderReport> reports = new CopyOnWriteArrayList<>();

    /** Finds the providers in these class loaders, and logs what is wrong. */
    ProviderRegistry(ProviderKind<S> kind, List<ClassLoader> loaders) {
        this.kind = kind;
        ProviderScan<S> scan = ProviderScan.of(kind, loaders);
        Map<String, List<Candidate<S>>> all = new TreeMap<>();
        scan.candidates()
                .forEach(candidate -> all.computeIfAbsent(candidate.name(), name -> new ArrayList<>())
                        .add(candidate));
        all.values().forEach(this::settle);
        reports.addAll(scan.broken());
        reports.stream()
                .filter(report -> report.state() != State.USABLE)
                .forEach(report -> LOG.warn("not used: {}", report));
    }

    private void settle(List<Candidate<S>> sameName) {
        List<Candidate<S>> firstParty =
                sameName.stream().filter(Candidate::isFirstParty).toList();
        List<Candidate<S>> used = firstParty.isEmpty() ? sameName : firstParty;
        byName.put(used.get(0).name(), List.copyOf(used));
        for (Candidate<S> candidate : sameName) {
            if (!used.contains(candidate)) {
                report(
                        candidate,
                        State.HIDDEN,
                        "the name belongs to " + used.get(0).describe());
            } else if (used.size() > 1) {
                report(candidate, State.AMBIGUOUS, "others have the same name: " + describe(used, candidate));
            } else {
                reports.add(report(candidate, State.USABLE, Optional.empty()));
            }
        }
    }

    private String describe(List<Candidate<S>> candidates, Candidate<S> except) {
        return String.join(
                ", ",
                candidates.stream()
                        .filter(candidate -> !candidate.equals(except))
                        .map(Candidate::describe)
                        .toList());
    }

    /** Returns all names, also those that two providers claim. */
    Set<String> names() {
        return byName.keySet();
    }

    /** Returns the providers that claim a name: none, the one to use, or several of which none is used. */
    List<Candidate<S>> find(String name) {
        return byName.getOrDefault(name, List.of());
    }

    /** Returns a sentence that names all providers that claim a name. */
    String ambiguity(Collection<Candidate<S>> claimants) {
        return "the " + kind.word() + " '" + claimants.iterator().next().name() + "' is provided by "
                + String.join(
                        " and by ", claimants.stream().map(Candidate::describe).toList())
                + "; remove all but one from the class path";
    }

    /** Returns a hint at providers that could not be used, to be appended to a sentence; empty if there are none. */
    String brokenHint() {
        List<String> broken = reports.stream()
                .filter(report -> report.state() == State.BROKEN)
                .map(ProviderReport::toString)
                .toList();
        return broken.isEmpty() ? "" : "; found but not usable: " + String.join("; ", broken);
    }

    /** Records that a provider failed when it was used, in place of what was said of it before. */
    void failed(Candidate<S> candidate, Throwable failure) {
        ProviderReport broken = report(candidate, State.BROKEN, Optional.of(failure.toString()));
        reports.replaceAll(report -> report.className().equals(broken.className()) ? broken : report);
    }

    /** Returns all that was found. */
    List<ProviderReport> reports() {
        return List.copyOf(reports);
    }

    private void report(Candidate<S> candidate, State state, String problem) {
        reports.add(report(candidate, state, Optional.of(problem)));
    }

    private ProviderReport report(Candidate<S> candidate, State state, Optional<String> problem) {
        return new ProviderReport(
                kind.word(),
                Optional.of(candidate.name()),
                Optional.of(candidate.className()),
                candidate.location(),
                state,
                problem);
    }
}
