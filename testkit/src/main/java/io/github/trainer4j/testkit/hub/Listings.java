package io.github.trainer4j.testkit.hub;

import io.github.trainer4j.testkit.hub.HubRepository.Access;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The JSON that describes a repository and the files of one commit. */
final class Listings {

    private static final int UNKNOWN_FIELDS = 50;
    private static final Object NULL = new Object();

    private Listings() {}

    static Answer info(HubRepository repository, Commit commit, Listing style, boolean blobs) {
        List<Object> siblings = new ArrayList<>();
        for (Entry entry : commit.entries()) {
            Map<String, Object> sibling = object(style);
            sibling.put("rfilename", entry.path());
            if (blobs) {
                sibling.put("size", entry.content().size());
                sibling.put("blobId", entry.oid());
                if (entry.lfs()) {
                    sibling.put("lfs", lfs(entry, "sha256", style));
                }
            }
            siblings.add(sibling);
        }
        Map<String, Object> info = object(style);
        if (style != Listing.BARE) {
            info.put("_id", commit.sha().substring(0, 24));
            info.put("id", repository.id());
            if (repository.id().contains("/")) {
                info.put("author", repository.id().substring(0, repository.id().indexOf('/')));
            }
            info.put("private", repository.access() == Access.PRIVATE);
            info.put("gated", repository.access() == Access.GATED ? "manual" : false);
            info.put("disabled", false);
            info.put("lastModified", "2025-03-07T12:24:27.000Z");
            info.put("createdAt", "2024-01-01T00:00:00.000Z");
            info.put("tags", List.of("region:us"));
            info.put("downloads", 0);
            info.put("likes", 0);
            info.put("cardData", Map.of("license", "mit"));
        }
        info.put("sha", commit.sha());
        info.put("siblings", siblings);
        return Answer.json(info).header("ETag", "W/\"" + commit.sha() + "\"");
    }

    /**
     * One page of a tree.
     *
     * @param folder without slashes at its ends; empty for the root
     */
    static Answer tree(RecordedRequest request, URI endpoint, Commit commit, String folder, Listing style, int page) {
        boolean recursive = flag(request, "recursive");
        List<Map<String, Object>> items = new ArrayList<>();
        Set<String> folders = new LinkedHashSet<>();
        String prefix = folder.isEmpty() ? "" : folder + "/";
        for (Entry entry : commit.entries()) {
            if (!entry.path().startsWith(prefix)) {
                continue;
            }
            boolean deep = false;
            for (int slash = entry.path().indexOf('/', prefix.length());
                    slash >= 0 && (recursive || !deep);
                    slash = entry.path().indexOf('/', slash + 1)) {
                deep = true;
                String parent = entry.path().substring(0, slash);
                if (!parent.isEmpty() && folders.add(parent)) {
                    items.add(folder(parent, style));
                }
            }
            if (recursive || !deep) {
                items.add(file(entry, commit, style, flag(request, "expand")));
            }
        }
        return items.isEmpty() && !folder.isEmpty()
                ? Refusals.noSuchEntry(folder)
                : page(request, endpoint, items, page);
    }

    private static Answer page(RecordedRequest request, URI endpoint, List<Map<String, Object>> items, int page) {
        int from = Math.min(items.size(), number(request.query("cursor"), 0));
        int limit = Math.max(1, Math.min(page, number(request.query("limit"), page)));
        int to = Math.min(items.size(), from + limit);
        Answer answer = Answer.json(items.subList(from, to));
        if (to == items.size()) {
            return answer;
        }
        StringBuilder next = new StringBuilder(endpoint + request.rawPath() + "?");
        for (String kept : List.of("recursive", "expand", "limit")) {
            request.query(kept)
                    .ifPresent(value -> next.append(kept)
                            .append('=')
                            .append(Urls.component(value))
                            .append('&'));
        }
        return answer.header("Link", "<" + next + "cursor=c" + to + ">; rel=\"next\"");
    }

    /** A cursor has a letter before its number, so that nobody mistakes it for an offset. */
    private static int number(Optional<String> text, int otherwise) {
        return text.map(t -> t.replaceAll("\\D", ""))
                .filter(t -> !t.isEmpty() && t.length() < 10)
                .map(Integer::parseInt)
                .orElse(otherwise);
    }

    private static boolean flag(RecordedRequest request, String name) {
        return request.query(name)
                .filter(v -> v.equalsIgnoreCase("true") || v.equals("1"))
                .isPresent();
    }

    private static Map<String, Object> folder(String path, Listing style) {
        Map<String, Object> item = object(style);
        item.put("type", "directory");
        item.put("oid", Sha.hex("SHA-1", "tree " + path));
        item.put("size", 0);
        item.put("path", path);
        return item;
    }

    private static Map<String, Object> file(Entry entry, Commit commit, Listing style, boolean expand) {
        Map<String, Object> item = object(style);
        item.put("type", "file");
        item.put("oid", entry.oid());
        item.put("size", entry.content().size());
        if (entry.lfs()) {
            item.put("lfs", lfs(entry, "oid", style));
        }
        if (expand && style != Listing.BARE) {
            item.put(
                    "lastCommit",
                    Map.of("id", commit.sha(), "title", "Change files", "date", "2025-03-07T12:24:27.000Z"));
        }
        item.put("path", entry.path());
        return item;
    }

    private static Map<String, Object> lfs(Entry entry, String digestField, Listing style) {
        Map<String, Object> lfs = object(style);
        lfs.put(digestField, entry.content().sha256());
        lfs.put("size", entry.content().size());
        if (style != Listing.BARE) {
            lfs.put("pointerSize", entry.pointerSize());
        }
        return lfs;
    }

    private static Map<String, Object> object(Listing style) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (style == Listing.CROWDED) {
            List<Object> values = List.of(
                    "text \"with\" \\ and \u00e9",
                    1.5e300,
                    false,
                    List.of(1, "two", List.of()),
                    Map.of("sha", "no"),
                    NULL);
            for (int i = 0; i < UNKNOWN_FIELDS; i++) {
                object.put("unknown" + i, values.get(i % values.size()));
            }
        }
        return object;
    }
}
