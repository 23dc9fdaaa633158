package io.github.trainer4j.testkit.hub;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * A model or dataset repository of a {@link FakeHub}.
 *
 * <p>Changes go to branch {@code main} and are seen by the next request. Changes that nobody could have seen between
 * them are one commit; {@link #commit} makes several changes one commit whatever happens meanwhile. Older commits stay
 * readable by their hash. Names are taken as given, also those with which a Hub would attack a client.
 *
 * <p>Safe for use by many threads.
 */
public final class HubRepository {

    private final FakeHub hub;
    private final Kind kind;
    private final String id;
    private final Map<String, Commit> commits = new HashMap<>();
    private final Map<String, Commit> refs = new HashMap<>();
    private final SortedMap<String, Entry> working = new TreeMap<>();
    private final Set<String> mayRead = new CopyOnWriteArraySet<>();
    private boolean changed = true;
    private volatile Access access = Access.PUBLIC;

    HubRepository(FakeHub hub, Kind kind, String id) {
        this.hub = hub;
        this.kind = kind;
        this.id = id;
    }

    /** The two kinds of repositories, which have addresses of their own. */
    enum Kind {
        MODEL("models", ""),
        DATASET("datasets", "/datasets");

        private final String plural;
        private final String resolvePrefix;

        Kind(String plural, String resolvePrefix) {
            this.plural = plural;
            this.resolvePrefix = resolvePrefix;
        }

        String plural() {
            return plural;
        }

        String resolvePrefix() {
            return resolvePrefix;
        }
    }

    /** Who may read. */
    enum Access {
        PUBLIC,
        GATED,
        PRIVATE
    }

    /**
     * Adds or replaces a small file, which the Hub serves itself.
     *
     * @param path within the repository, with slashes
     * @param content its bytes
     * @return this repository
     */
    public HubRepository file(String path, Content content) {
        return put(new Entry(path, content, false));
    }

    /**
     * Adds or replaces a small file, which the Hub serves itself.
     *
     * @param path within the repository, with slashes
     * @param content its bytes
     * @return this repository
     */
    public HubRepository file(String path, byte[] content) {
        return file(path, Content.of(content));
    }

    /**
     * Adds or replaces a small file, which the Hub serves itself.
     *
     * @param path within the repository, with slashes
     * @param content its text
     * @return this repository
     */
    public HubRepository file(String path, String content) {
        return file(path, Content.of(content));
    }

    /**
     * Adds or replaces a large (LFS) file, which the Hub redirects to its store. Its digest is computed here.
     *
     * @param path within the repository, with slashes
     * @param content its bytes
     * @return this repository
     */
    public HubRepository lfs(String path, Content content) {
        return put(new Entry(path, content, true));
    }

    /**
     * Adds or replaces a large (LFS) file, which the Hub redirects to its store.
     *
     * @param path within the repository, with slashes
     * @param content its bytes
     * @return this repository
     */
    public HubRepository lfs(String path, byte[] content) {
        return lfs(path, Content.of(content));
    }

    private HubRepository put(Entry entry) {
        Objects.requireNonNull(entry.path(), "path");
        // Here and not in a request, whose client may have no patience for it; and outside of the lock.
        entry.oid();
        synchronized (this) {
            working.put(entry.path(), entry);
            changed = true;
        }
        return this;
    }

    /**
     * Removes a file.
     *
     * @param path of the file
     * @return this repository
     * @throws NoSuchElementException if there is no such file
     */
    public synchronized HubRepository remove(String path) {
        if (working.remove(path) == null) {
            throw new NoSuchElementException("No file " + path + " in " + id + "; there are " + working.keySet());
        }
        changed = true;
        return this;
    }

    /**
     * Makes several changes one commit: no request sees some of them only.
     *
     * @param changes what to do with this repository
     * @return the hash of the new head of {@code main}
     */
    public synchronized String commit(Consumer<HubRepository> changes) {
        sha();
        changes.accept(this);
        return sha();
    }

    /**
     * The head of {@code main}.
     *
     * @return a commit hash, 40 lower-case hex digits
     */
    public String sha() {
        return head().sha();
    }

    /**
     * Lets a branch, tag or other ref point at what is now the head of {@code main}, where it stays.
     *
     * @param name for example {@code v1.0} or {@code refs/pr/1}
     * @return this repository
     * @throws IllegalArgumentException if the name is {@code main}, which moves by itself
     */
    public synchronized HubRepository ref(String name) {
        if (name.equals("main")) {
            throw new IllegalArgumentException("main moves with every change; choose another name");
        }
        refs.put(name, head());
        return this;
    }

    /**
     * The bytes of a file at the head of {@code main}.
     *
     * @param path of the file
     * @return its content
     * @throws NoSuchElementException if there is no such file
     */
    public Content content(String path) {
        return head().entry(path)
                .orElseThrow(() -> new NoSuchElementException("No file " + path + " in " + id))
                .content();
    }

    /**
     * Hides the repository from all but these tokens, as if it did not exist.
     *
     * @param tokens that may read; the hub knows them from now on
     * @return this repository
     */
    public HubRepository privateTo(String... tokens) {
        return restrict(Access.PRIVATE, tokens);
    }

    /**
     * Gates the files: everybody sees the listing, and only these tokens, whose owners accepted the terms, the files.
     *
     * @param tokens that may read; the hub knows them from now on
     * @return this repository
     */
    public HubRepository gatedTo(String... tokens) {
        return restrict(Access.GATED, tokens);
    }

    private HubRepository restrict(Access to, String... tokens) {
        mayRead.clear();
        mayRead.addAll(Arrays.asList(tokens));
        hub.tokens(tokens);
        access = to;
        return this;
    }

    /**
     * Redirects requests for an older id to this repository, as after a rename.
     *
     * @param oldId the id it had
     * @return this repository
     */
    public HubRepository formerly(String oldId) {
        hub.renamed(kind, oldId, this);
        return this;
    }

    /**
     * The id by which clients ask for it.
     *
     * @return for example {@code org/base}, or {@code gpt2}
     */
    public String id() {
        return id;
    }

    Kind kind() {
        return kind;
    }

    Access access() {
        return access;
    }

    boolean mayRead(Optional<String> token) {
        return token.isPresent() && mayRead.contains(token.get());
    }

    /** Seals what was changed since somebody last looked. */
    synchronized Commit head() {
        Commit head = refs.get("main");
        if (head == null || changed) {
            Commit sealed = Commit.of(head == null ? kind + " " + id : head.sha(), working);
            commits.put(sealed.sha(), sealed);
            refs.put("main", sealed);
            changed = false;
            return sealed;
        }
        return head;
    }

    synchronized Optional<Commit> resolve(String revision) {
        Commit head = head();
        if (revision.equals("main")) {
            return Optional.of(head);
        }
        return Optional.ofNullable(refs.getOrDefault(revision, commits.get(revision)));
    }

    @Override
    public String toString() {
        return kind + " " + id;
    }
}
