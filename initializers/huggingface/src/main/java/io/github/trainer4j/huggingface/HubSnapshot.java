package io.github.trainer4j.huggingface;

import io.github.trainer4j.transfer.RemoteBody;
import io.github.trainer4j.transfer.RemoteFile;
import io.github.trainer4j.transfer.Snapshot;
import io.github.trainer4j.transfer.SourceException;
import io.github.trainer4j.transfer.http.HttpAnswers;
import io.github.trainer4j.transfer.http.HttpRequest;
import io.github.trainer4j.transfer.http.HttpResponse;
import io.github.trainer4j.transfer.http.Links;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A commit of a repository. The Hub redirects requests for large files to a store; the link there is good for a while, so
 * it is asked for once for each file and not once for each range.
 */
final class HubSnapshot implements Snapshot {
    private final HubSource source;
    private final String commit;
    private final List<RemoteFile> files;
    private final Map<String, URI> links = new ConcurrentHashMap<>();

    HubSnapshot(HubSource source, String commit, List<RemoteFile> files) {
        this.source = source;
        this.commit = commit;
        this.files = List.copyOf(files);
    }

    @Override
    public String revision() {
        return commit;
    }

    @Override
    public List<RemoteFile> files() {
        return files;
    }

    @Override
    public RemoteBody open(RemoteFile file, long from, long end) throws IOException {
        URI link = links.get(file.key());
        if (link != null) {
            HttpResponse response = source.client().follow(ranged(source.request(link), file, from, end));
            if (!hasExpired(response)) {
                return body(response, from);
            }
            response.close();
            links.remove(file.key(), link);
        }
        URI address = source.addressOf(commit, file.key());
        HttpResponse response = source.client().follow(ranged(source.request(address), file, from, end));
        if (isGood(response) && source.isElsewhere(response.uri())) {
            links.put(file.key(), response.uri());
        }
        return body(response, from);
    }

    /** Some servers are slower at a range than at a whole file. */
    private static HttpRequest ranged(HttpRequest request, RemoteFile file, long from, long end) {
        return from == 0 && end == file.size() ? request : request.range(from, end);
    }

    private static boolean hasExpired(HttpResponse response) {
        return switch (response.status()) {
            case 400, 401, 403, 404, 410 -> true;
            default -> false;
        };
    }

    private static boolean isGood(HttpResponse response) {
        return response.status() == 200 || response.status() == 206;
    }

    private RemoteBody body(HttpResponse response, long from) throws IOException {
        if (isGood(response)) {
            return HttpAnswers.range(response, from);
        }
        if (hasExpired(response) && source.isElsewhere(response.uri())) {
            String store = Links.shown(response.uri());
            response.close();
            throw SourceException.retry(
                    store + " refuses the link that the Hub gave (status " + response.status() + ")", Optional.empty());
        }
        throw source.failure(response);
    }
}
