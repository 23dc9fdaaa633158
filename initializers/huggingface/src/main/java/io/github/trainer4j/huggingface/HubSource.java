package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.transfer.Attempts;
import io.github.trainer4j.transfer.RemoteFile;
import io.github.trainer4j.transfer.Snapshot;
import io.github.trainer4j.transfer.Source;
import io.github.trainer4j.transfer.SourceException;
import io.github.trainer4j.transfer.TransferSettings;
import io.github.trainer4j.transfer.http.HttpAnswers;
import io.github.trainer4j.transfer.http.HttpClient;
import io.github.trainer4j.transfer.http.HttpRequest;
import io.github.trainer4j.transfer.http.HttpResponse;
import io.github.trainer4j.transfer.http.HttpSettings;
import io.github.trainer4j.transfer.http.Links;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A repository of the Hub: one request for the commit, one for each page of the listing, one for each range. */
final class HubSource implements Source {
    private static final int LARGEST_ANSWER = 64 << 20;
    private static final Pattern COMMIT = Pattern.compile("[0-9A-Za-z._-]{1,128}");

    private final HuggingFaceInitializer initializer;
    private final HubUri uri;
    private final HubAccess access;
    private final FetchContext context;
    private final HttpClient client;
    private final String page;
    private final String api;
    private final HubErrors errors;

    HubSource(HuggingFaceInitializer initializer, HubAccess access, TransferSettings settings, FetchContext context) {
        this.initializer = initializer;
        this.uri = initializer.uri();
        this.access = access;
        this.context = context;
        this.client = new HttpClient(HttpSettings.of(settings.stallTimeout(), context.environment()));
        boolean model = initializer.target() == InitializerTarget.MODEL;
        this.page = access.endpoint() + (model ? "/" : "/datasets/") + uri.id();
        this.api = access.endpoint() + (model ? "/api/models/" : "/api/datasets/") + uri.id();
        this.errors = new HubErrors(uri, page, access.token());
    }

    @Override
    public String identity() {
        return page + uri.path().map(path -> "/" + path).orElse("");
    }

    @Override
    public Snapshot resolve(Attempts attempts) throws IOException, InterruptedException {
        String commit = uri.isCommit() ? uri.revisionOrMain() : commit(attempts);
        List<HubEntry> entries = uri.path().isEmpty()
                ? list(attempts, commit, "", true)
                : listBelow(attempts, commit, uri.path().get());
        boolean oneFile = uri.path().isPresent()
                && entries.size() == 1
                && entries.get(0).path().equals(uri.path().get());
        List<RemoteFile> all =
                entries.stream().map(entry -> entry.toRemoteFile(uri.path())).toList();
        List<RemoteFile> files = (oneFile ? initializer.patternsForOneFile() : initializer.patterns())
                .select(identity() + " at " + commit, all, context::log);
        return new HubSnapshot(this, commit, files);
    }

    private String commit(Attempts attempts) throws IOException, InterruptedException {
        URI address = URI.create(api + "/revision/" + encodeRevision(uri.revisionOrMain()));
        String text = attempts.of("the commit of " + uri, () -> answer(address).text(LARGEST_ANSWER));
        Object commit = parse(text, address) instanceof Map<?, ?> info ? info.get("sha") : null;
        if (commit instanceof String sha && COMMIT.matcher(sha).matches()) {
            return sha;
        }
        throw unreadable(address, "has no commit in its field 'sha'", null);
    }

    /** A path is a directory, or else a file that its own directory lists. */
    private List<HubEntry> listBelow(Attempts attempts, String commit, String path)
            throws IOException, InterruptedException {
        List<HubEntry> below = List.of();
        try {
            below = list(attempts, commit, path, true);
        } catch (InitializerException e) {
            if (!e.reason().equals(Optional.of("NotFound"))) {
                throw e;
            }
        }
        if (!below.isEmpty()) {
            return below;
        }
        int slash = path.lastIndexOf('/');
        List<HubEntry> file = list(attempts, commit, slash < 0 ? "" : path.substring(0, slash), false).stream()
                .filter(entry -> entry.path().equals(path))
                .toList();
        if (file.isEmpty()) {
            throw new InitializerException(
                    uri.id() + " has no file or directory '" + Text.shown(path) + "' at " + commit + "; look it up at "
                            + page + "/tree/" + encodeRevision(uri.revisionOrMain()),
                    "NotFound",
                    null);
        }
        return file;
    }

    private List<HubEntry> list(Attempts attempts, String commit, String path, boolean deep)
            throws IOException, InterruptedException {
        List<HubEntry> entries = new ArrayList<>();
        Set<URI> seen = new HashSet<>();
        URI next = URI.create(api + "/tree/" + encodeRevision(commit)
                + (path.isEmpty() ? "" : "/" + Links.encodePath(path)) + "?recursive=" + deep);
        while (next != null) {
            URI address = next;
            if (!seen.add(address)) {
                throw unreadable(address, "leads in a circle from page to page", null);
            }
            Page read = attempts.of("the listing of " + identity(), () -> page(address));
            entries.addAll(read.entries);
            next = read.next;
        }
        return entries;
    }

    private record Page(List<HubEntry> entries, @Nullable URI next) {}

    private Page page(URI address) throws IOException {
        HttpResponse response = answer(address);
        Optional<String> link = response.header("Link").flatMap(Links::next);
        List<HubEntry> entries = new ArrayList<>();
        if (!(parse(response.text(LARGEST_ANSWER), address) instanceof List<?> list)) {
            throw unreadable(address, "is not a list", null);
        }
        for (Object element : list) {
            if (element instanceof Map<?, ?> map && "file".equals(map.get("type"))) {
                entries.add(HubEntry.of(map)
                        .orElseThrow(() -> unreadable(address, "has a file without a path or a size", null)));
            }
        }
        return new Page(entries, link.isPresent() ? Links.resolve(response.uri(), link.get()) : null);
    }

    /** Sends a request and returns its good answer; the token goes along only to the Hub itself. */
    private HttpResponse answer(URI address) throws IOException {
        HttpResponse response = client.follow(request(address));
        if (response.status() == 200) {
            return response;
        }
        throw failure(response);
    }

    HttpRequest request(URI address) {
        Optional<Secret> authorization = isElsewhere(address)
                ? Optional.empty()
                : access.token()
                        .map(token -> Secret.of("Bearer " + token.value().reveal()));
        return HttpRequest.get(address).authorization(authorization);
    }

    /** Returns whether an address is not the Hub's own: the store for large files, for example. */
    boolean isElsewhere(URI address) {
        return !Links.sameOrigin(address, access.endpoint());
    }

    HttpClient client() {
        return client;
    }

    /** Closes an answer that is none and returns what it means. */
    SourceException failure(HttpResponse response) {
        Optional<SourceException> transientFailure = HttpAnswers.failure(response);
        if (transientFailure.isPresent()) {
            response.close();
            return transientFailure.get();
        }
        throw errors.refusal(response);
    }

    URI addressOf(String commit, String path) {
        return URI.create(page + "/resolve/" + encodeRevision(commit) + "/" + Links.encodePath(path));
    }

    private static String encodeRevision(String revision) {
        return Links.encodePath(revision).replace("/", "%2F");
    }

    private static @Nullable Object parse(String text, URI address) {
        try {
            return Json.parse(text);
        } catch (Json.MalformedJsonException e) {
            throw unreadable(address, "is not JSON", e);
        }
    }

    private static InitializerException unreadable(URI address, String fault, @Nullable Throwable cause) {
        return new InitializerException(
                "the answer of " + Links.shown(address) + " " + fault
                        + "; is this the address of a Hub? check the endpoint",
                "BadAnswer",
                cause);
    }

    @Override
    public void abort() {
        client.close();
    }

    @Override
    public void close() {
        client.close();
    }
}
