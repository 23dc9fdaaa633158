package io.github.trainer4j.testkit.hub;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** An immutable state of a repository. The same files on the same parent give the same hash in every run. */
final class Commit {

    private final String sha;
    private final SortedMap<String, Entry> entries;

    private Commit(String sha, SortedMap<String, Entry> entries) {
        this.sha = sha;
        this.entries = entries;
    }

    static Commit of(String parent, SortedMap<String, Entry> entries) {
        StringBuilder text = new StringBuilder("commit ").append(parent);
        entries.forEach((path, entry) ->
                text.append('\n').append(entry.oid()).append(' ').append(path));
        return new Commit(Sha.hex("SHA-1", text.toString()), Collections.unmodifiableSortedMap(new TreeMap<>(entries)));
    }

    String sha() {
        return sha;
    }

    /** In the order of their paths. */
    Collection<Entry> entries() {
        return entries.values();
    }

    Optional<Entry> entry(String path) {
        return Optional.ofNullable(entries.get(path));
    }
}
