package io.github.trainer4j.testkit.hub;

import io.github.trainer4j.testkit.hub.HubRepository.Access;
import java.util.Optional;
import java.util.Set;

/** Who may see what, and the words with which the Hub refuses. */
final class Refusals {

    private final Set<String> tokens;

    Refusals(Set<String> tokens) {
        this.tokens = tokens;
    }

    static Optional<String> token(RecordedRequest request) {
        return request.header("Authorization")
                .filter(value -> value.startsWith("Bearer "))
                .map(value -> value.substring("Bearer ".length()));
    }

    /** A token nobody knows is refused everywhere, also where none would be needed. */
    Optional<Answer> badCredentials(RecordedRequest request) {
        boolean good = request.header("Authorization").isEmpty()
                || token(request).filter(tokens::contains).isPresent();
        return good
                ? Optional.empty()
                : Optional.of(Answer.error(401, "", "Invalid credentials in Authorization header"));
    }

    /** Missing, or hidden from this client: one answer for both, so that nothing is given away. */
    static Answer notFound(RecordedRequest request) {
        return token(request).isPresent()
                ? Answer.error(404, "RepoNotFound", "Repository not found")
                : Answer.error(401, "RepoNotFound", "Invalid username or password.");
    }

    static Answer noSuchRevision(String revision) {
        return Answer.error(404, "RevisionNotFound", "Invalid rev id: " + ascii(revision));
    }

    static Answer noSuchEntry(String path) {
        return Answer.error(404, "EntryNotFound", "Entry not found: " + ascii(path));
    }

    static Answer noSuchPage() {
        return Answer.error(404, "", "Sorry, we can't find the page you are looking for.");
    }

    static Optional<Answer> hidden(RecordedRequest request, HubRepository repository) {
        boolean hidden = repository.access() == Access.PRIVATE && !repository.mayRead(token(request));
        return hidden ? Optional.of(notFound(request)) : Optional.empty();
    }

    static Optional<Answer> gated(RecordedRequest request, HubRepository repository, String page) {
        if (repository.access() != Access.GATED || repository.mayRead(token(request))) {
            return Optional.empty();
        }
        String restricted = "Access to " + repository.id() + " is restricted";
        return Optional.of(
                token(request).isPresent()
                        ? Answer.error(
                                403,
                                "GatedRepo",
                                restricted + " and you are not in the authorized list. Visit " + page
                                        + " to ask for access.")
                        : Answer.error(
                                401,
                                "GatedRepo",
                                restricted + ". You must have access to it and be authenticated to access it."));
    }

    /** Fit for a header: what a client sent must not end it, or leave ASCII. */
    private static String ascii(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
