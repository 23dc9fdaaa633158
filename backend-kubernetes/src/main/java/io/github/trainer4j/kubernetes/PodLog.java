package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * A log that is open. The client's own way to follow one takes an error's answer for lines, as there are while a kubelet restarts.
 *
 * @param getOutput the lines
 * @param onClose is never told of anything: whoever reads sees the end
 */
record PodLog(InputStream getOutput, CompletionStage<Throwable> onClose) implements LogWatch {
    /** Opens one; throws the client's error if the server refuses. */
    static PodLog open(KubernetesClient client, String namespace, Cluster.LogRange range, boolean follow) {
        StringBuilder address = new StringBuilder(client.getConfiguration().getMasterUrl())
                .append("api/v1/namespaces/")
                .append(namespace)
                .append("/pods/")
                .append(range.pod())
                .append("/log?timestamps=true&container=")
                .append(range.container());
        if (follow) {
            address.append("&follow=true");
        }
        if (range.previous()) {
            address.append("&previous=true");
        }
        range.since()
                .ifPresent(since ->
                        address.append("&sinceTime=").append(URLEncoder.encode(since, StandardCharsets.UTF_8)));
        range.tail().ifPresent(tail -> address.append("&tailLines=").append(tail));
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(address.toString())
                .forStreaming()
                .build();
        HttpResponse<InputStream> answer = answer(client, request);
        if (answer.isSuccessful()) {
            return new PodLog(answer.body(), new CompletableFuture<>());
        }
        try (InputStream body = answer.body()) {
            throw refusal(answer.code(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new KubernetesClientException("the log is refused with " + answer.code(), e);
        }
    }

    private static HttpResponse<InputStream> answer(KubernetesClient client, HttpRequest request) {
        CompletableFuture<HttpResponse<InputStream>> answer =
                client.getHttpClient().sendAsync(request, InputStream.class);
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new KubernetesClientException("interrupted while a log was opened", e);
        } catch (ExecutionException e) {
            throw new KubernetesClientException("the log cannot be opened", e.getCause());
        }
    }

    private static KubernetesClientException refusal(int code, String body) {
        try {
            Status status = Serialization.unmarshal(body, Status.class);
            return new KubernetesClientException(String.valueOf(status.getMessage()), code, status);
        } catch (RuntimeException e) {
            // Proxies on the way answer in other words.
            return new KubernetesClientException(body, code, null);
        }
    }

    @Override
    public void close() {
        try {
            getOutput.close();
        } catch (IOException e) {
            // Nothing is lost by it.
            return;
        }
    }
}
