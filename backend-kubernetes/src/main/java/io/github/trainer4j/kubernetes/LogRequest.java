package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks for a container's log. The library's own way takes an API server's refusal for lines of the log, and waits for the
 * pod to be ready first.
 */
final class LogRequest {
    private static final int LONGEST_REFUSAL = 1 << 16;

    private LogRequest() {}

    /**
     * Opens a log.
     *
     * @throws KubernetesClientException if the API server refuses, or does not answer
     */
    static InputStream open(KubernetesClient client, String namespace, Cluster.LogRange range) {
        HttpClient http = client.getHttpClient();
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(uri(client.getConfiguration().getMasterUrl(), namespace, range))
                .build();
        LogBody body = new LogBody(range.silence());
        HttpResponse<AsyncBody> response = await(
                http.consumeBytes(request, (buffers, more) -> body.take(buffers)),
                client.getConfiguration().getRequestTimeout());
        body.fetch(response.body());
        if (response.isSuccessful()) {
            return body;
        }
        throw refusal(response.code(), body);
    }

    private static URI uri(String server, String namespace, Cluster.LogRange range) {
        StringBuilder uri = new StringBuilder(server.endsWith("/") ? server : server + "/")
                .append("api/v1/namespaces/")
                .append(encode(namespace))
                .append("/pods/")
                .append(encode(range.pod()))
                .append("/log?timestamps=true&container=")
                .append(encode(range.container()));
        range.since().ifPresent(since -> uri.append("&sinceTime=").append(encode(since)));
        range.tail().ifPresent(lines -> uri.append("&tailLines=").append(lines));
        if (range.previous()) {
            uri.append("&previous=true");
        }
        if (range.follow()) {
            uri.append("&follow=true");
        }
        return URI.create(uri.toString());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static HttpResponse<AsyncBody> await(CompletableFuture<HttpResponse<AsyncBody>> coming, long millis) {
        try {
            return millis > 0 ? coming.get(millis, TimeUnit.MILLISECONDS) : coming.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveUp(coming);
            throw new KubernetesClientException("interrupted while a log was asked for", e);
        } catch (TimeoutException e) {
            giveUp(coming);
            throw new KubernetesClientException("no answer within " + millis + " ms", e);
        } catch (ExecutionException e) {
            throw new KubernetesClientException(
                    String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()), e.getCause());
        }
    }

    /** Leaves an answer unread that comes later. */
    private static void giveUp(CompletableFuture<HttpResponse<AsyncBody>> coming) {
        var unused = coming.thenAccept(response -> response.body().cancel());
    }

    private static KubernetesClientException refusal(int code, LogBody answer) {
        String text;
        try (answer) {
            text = new String(answer.readNBytes(LONGEST_REFUSAL), StandardCharsets.UTF_8);
        } catch (IOException e) {
            text = "";
        }
        Optional<Status> status = status(text);
        return new KubernetesClientException(
                status.map(Status::getMessage)
                        .orElse("HTTP " + code + " " + text)
                        .strip(),
                code,
                status.orElse(null));
    }

    private static Optional<Status> status(String text) {
        try {
            return Optional.ofNullable(Serialization.unmarshal(text, Status.class))
                    .filter(status -> status.getMessage() != null);
        } catch (RuntimeException e) {
            // It came from something else than an API server, such as a proxy.
            return Optional.empty();
        }
    }
}
