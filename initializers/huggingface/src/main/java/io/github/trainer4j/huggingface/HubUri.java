package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InvalidJobException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A storage URI of the Hub: {@code hf://[ORG/]NAME[@REVISION][/PATH]}.
 *
 * <ul>
 *   <li>ORG and NAME have letters, digits, {@code -}, {@code _} and {@code .}, at most 96 of them; {@code -} and
 *       {@code .} stand neither first nor last nor twice in a row.
 *   <li>REVISION is a branch, a tag or a commit; without it the branch {@code main} is meant. A {@code /} in it is written
 *       {@code %2F}, except in {@code refs/pr/1} and {@code refs/convert/parquet}.
 *   <li>PATH is a directory or a file of the repository: only what is below it is fetched, and its own name is not part of
 *       what lands. After a NAME without ORG it needs a REVISION before it: {@code hf://a/b} is always ORG and NAME.
 * </ul>
 *
 * @param id {@code ORG/NAME} or {@code NAME}
 * @param revision the revision, decoded
 * @param path the path within the repository, without slashes at its ends
 */
record HubUri(String id, Optional<String> revision, Optional<String> path) {
    private static final String EXPECTED =
            "write hf://org/name, hf://name, hf://org/name@revision or hf://org/name@revision/path";
    private static final Pattern NAME =
            Pattern.compile("(?!.*(?:--|\\.\\.))[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?");
    private static final Pattern REFS = Pattern.compile("(refs/(?:pr|convert)/[^/]+)(?:/(.*))?", Pattern.DOTALL);
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");

    /**
     * Parses a storage URI.
     *
     * @throws InvalidJobException if it does not follow the grammar; the message has the expected form
     */
    static HubUri parse(String uri) {
        String text = uri.startsWith("hf://") ? uri.substring("hf://".length()) : "";
        int at = text.indexOf('@');
        Optional<String> revision = Optional.empty();
        String id = text;
        String path = "";
        if (at >= 0) {
            id = text.substring(0, at);
            String rest = text.substring(at + 1);
            Matcher refs = REFS.matcher(rest);
            int slash = rest.indexOf('/');
            String name = refs.matches() ? refs.group(1) : slash < 0 ? rest : rest.substring(0, slash);
            path = rest.substring(name.length());
            revision = Optional.of(name.replace("%2F", "/").replace("%2f", "/"));
            checkRevision(revision.get(), uri);
        } else {
            int second = text.indexOf('/', text.indexOf('/') + 1);
            if (text.indexOf('/') >= 0 && second >= 0) {
                id = text.substring(0, second);
                path = text.substring(second);
            }
        }
        checkId(id, uri);
        return new HubUri(id, revision, checkedPath(path, uri));
    }

    private static void checkId(String id, String uri) {
        String[] parts = id.split("/", -1);
        if (parts[0].equals("datasets") || parts[0].equals("models") || parts[0].equals("spaces")) {
            throw malformed(
                    uri,
                    "starts with '" + parts[0] + "/', but whether it is a dataset or a model follows from"
                            + " where it is given");
        }
        boolean good = parts.length <= 2;
        for (String part : parts) {
            good &= NAME.matcher(part).matches()
                    && !part.toLowerCase(Locale.ROOT).endsWith(".git");
        }
        if (!good) {
            throw malformed(uri, "does not name a repository");
        }
    }

    private static void checkRevision(String revision, String uri) {
        boolean good = !revision.isBlank()
                && !revision.contains("..")
                && !revision.startsWith("/")
                && !revision.endsWith("/")
                && revision.chars().allMatch(c -> c > ' ' && c != 0x7f && "~^:?*[\\@%#".indexOf(c) < 0);
        if (!good) {
            throw malformed(uri, "has no good revision after '@' (a '/' in it is written %2F)");
        }
    }

    private static Optional<String> checkedPath(String path, String uri) {
        if (path.isEmpty()) {
            return Optional.empty();
        }
        String inner = path.substring(1);
        if (inner.isEmpty()) {
            throw malformed(uri, "ends with a '/' after the repository");
        }
        String bare = inner.endsWith("/") ? inner.substring(0, inner.length() - 1) : inner;
        for (String segment : bare.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw malformed(uri, "has an empty part, '.' or '..' in its path");
            }
        }
        return Optional.of(bare);
    }

    private static InvalidJobException malformed(String uri, String fault) {
        return new InvalidJobException("the storage URI '" + Text.shown(uri) + "' " + fault + "; " + EXPECTED);
    }

    /** Returns the revision that is meant. */
    String revisionOrMain() {
        return revision.orElse("main");
    }

    /** Returns whether the revision is a commit and so cannot move. */
    boolean isCommit() {
        return revision.filter(name -> COMMIT.matcher(name).matches()).isPresent();
    }

    /** Returns a copy with this revision. */
    HubUri at(String other) {
        String uri = "hf://" + id + "@" + other;
        checkRevision(other, uri);
        return new HubUri(id, Optional.of(other), path);
    }

    /**
     * Returns the URI in the form that no program mistakes: a path always has a revision before it, because some take
     * what follows {@code ORG/NAME} for nothing, but none takes an {@code @} for a part of a name.
     */
    @Override
    public String toString() {
        Optional<String> shown = path.isPresent() ? Optional.of(revisionOrMain()) : revision;
        return "hf://" + id
                + shown.map(name -> "@" + (REFS.matcher(name).matches() ? name : name.replace("/", "%2F")))
                        .orElse("")
                + path.map(inner -> "/" + inner).orElse("");
    }
}
