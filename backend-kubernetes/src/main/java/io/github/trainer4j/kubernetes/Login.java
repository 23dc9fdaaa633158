package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Says with every request who we are; once more, with a new token, when the old one has expired. What an overloaded server wants
 * to have asked later is asked later: the client's own retries heed no Retry-After.
 */
final class Login implements Interceptor {
    /** The place of what the client would do for itself with a token. */
    static final String PLACE = "TOKEN";

    private static final String AUTHORIZATION = "Authorization";
    private static final int TOO_MANY_REQUESTS = 429;

    private final Optional<Token> token;
    private final Duration patience;

    /**
     * Makes one.
     *
     * @param token empty: who we are is said in another way
     * @param patience how long a server may put us off
     */
    Login(Optional<Token> token, Duration patience) {
        this.token = token;
        this.patience = patience;
    }

    @Override
    public void before(BasicBuilder request, HttpRequest original, RequestTags tags) {
        say(request);
    }

    private void say(BasicBuilder request) {
        token.flatMap(Token::now).ifPresent(word -> request.setHeader(AUTHORIZATION, "Bearer " + word));
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder request, HttpResponse<?> response, RequestTags tags) {
        return switch (response.code()) {
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                CompletableFuture.supplyAsync(() -> {
                    boolean renewed =
                            token.filter(one -> one.renew(refused(response))).isPresent();
                    if (renewed) {
                        say(request);
                    }
                    return renewed;
                });
            case TOO_MANY_REQUESTS, HttpURLConnection.HTTP_UNAVAILABLE -> later(response);
            default -> CompletableFuture.completedFuture(false);
        };
    }

    private static Optional<String> refused(HttpResponse<?> response) {
        return Optional.ofNullable(response.request().header(AUTHORIZATION))
                .map(header -> header.replaceFirst("^Bearer ", ""));
    }

    private CompletableFuture<Boolean> later(HttpResponse<?> response) {
        String seconds = response.header("Retry-After");
        if (seconds == null || !seconds.matches("\\d{1,6}") || Long.parseLong(seconds) > patience.toSeconds()) {
            return CompletableFuture.completedFuture(false);
        }
        return CompletableFuture.supplyAsync(
                () -> true, CompletableFuture.delayedExecutor(Long.parseLong(seconds), TimeUnit.SECONDS));
    }
}
