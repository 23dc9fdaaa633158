package io.github.trainer4j.transfer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.transfer.RemoteBody;
import io.github.trainer4j.transfer.SourceException;
import io.github.trainer4j.transfer.SourceException.Kind;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAnswersTest {
    private final HttpClient client = new HttpClient(HttpSettings.of(Duration.ofSeconds(20), Map.of()));
    private RawServer server;

    @AfterEach
    void closeAll() throws IOException {
        client.close();
        server.close();
    }

    private HttpResponse answer(String head) throws IOException {
        server = RawServer.saying("HTTP/1.1 " + head + "\nContent-Length: 4\n\nbody");
        return client.send(HttpRequest.get(server.uri("/secret?signature=canary")));
    }

    @Test
    void whereItStartsIsBelievedOfTheHeaderAndNotOfTheStatus() throws IOException {
        RemoteBody lying = HttpAnswers.range(answer("200 OK\nContent-Range: bytes 10-13/99"), 0);
        assertThat(lying.start()).isEqualTo(10);
        assertThat(lying.total()).isEqualTo(OptionalLong.of(99));
        server.close();

        RemoteBody elsewhere = HttpAnswers.range(answer("206 Partial\nContent-Range: bytes 7-10/*"), 10);
        assertThat(elsewhere.start()).isEqualTo(7);
        assertThat(elsewhere.total()).isEmpty();
        server.close();

        assertThat(HttpAnswers.range(answer("200 OK"), 10).start()).isZero();
        server.close();

        assertThat(HttpAnswers.range(answer("206 Partial"), 10).start()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "206 Partial\nContent-Range: bytes */99",
                "206 Partial\nContent-Range: lines 1-2/3",
                "200 OK\nContent-Encoding: gzip",
                "206 Partial\nContent-Type: multipart/byteranges; boundary=x",
                "204 No Content"
            })
    void whatIsNoPlainRangeIsAnError(String head) throws IOException {
        HttpResponse response = answer(head);

        assertThatThrownBy(() -> HttpAnswers.range(response, 0))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("canary");
    }

    @ParameterizedTest
    @CsvSource({
        "408, RETRY",
        "425, RETRY",
        "429, RATE_LIMITED",
        "500, RETRY",
        "502, RETRY",
        "503, RETRY",
        "504, RETRY",
        "520, RETRY",
        "412, CHANGED",
        "416, UNSATISFIABLE"
    })
    void aStatusThatMayPassIsTold(int status, Kind kind) throws IOException {
        Optional<SourceException> failure = HttpAnswers.failure(answer(status + " X"));

        assertThat(failure).hasValueSatisfying(e -> {
            assertThat(e.kind()).isEqualTo(kind);
            assertThat(e).hasMessageContaining("status " + status).hasMessageNotContaining("canary");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 410, 501})
    void aStatusThatDoesNotPassIsLeftToTheSource(int status) throws IOException {
        assertThat(HttpAnswers.failure(answer(status + " X"))).isEmpty();
    }

    @Test
    void aServerThatIsBusyForAWhileCountsAsALimit() throws IOException {
        assertThat(HttpAnswers.failure(answer("503 Slow Down\nRetry-After: 7"))).hasValueSatisfying(e -> {
            assertThat(e.kind()).isEqualTo(Kind.RATE_LIMITED);
            assertThat(e.retryAfter()).contains(Duration.ofSeconds(7));
        });
    }

    @Test
    void theTimeToWaitIsSecondsOrADateOrInTheHeaderOfTheLimit() throws IOException {
        assertThat(HttpAnswers.retryAfter(answer("429 X\nRetry-After: 120"))).contains(Duration.ofMinutes(2));
        server.close();
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(100));
        assertThat(HttpAnswers.retryAfter(answer("429 X\nRetry-After: " + date)))
                .hasValueSatisfying(
                        wait -> assertThat(wait).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(100)));
        server.close();
        assertThat(HttpAnswers.retryAfter(answer("429 X\nRateLimit: \"api\";r=0;t=55")))
                .contains(Duration.ofSeconds(55));
        server.close();
        assertThat(HttpAnswers.retryAfter(answer("429 X\nRetry-After: soon"))).isEmpty();
        server.close();
        assertThat(HttpAnswers.retryAfter(answer("200 OK\nRateLimit: \"api\";r=10;t=55")))
                .isEmpty();
    }

    @Test
    void linksAreResolvedHoweverServersWriteThem() throws IOException {
        server = RawServer.saying("HTTP/1.1 200 OK\n\n");
        URI base = URI.create("https://h:8443/a/b?c=d");

        assertThat(Links.resolve(base, "/x y|z?q=\u00e4#frag")).hasToString("https://h:8443/x%20y%7Cz?q=%C3%A4");
        assertThat(Links.resolve(base, "c%2Fd%zz")).hasToString("https://h:8443/a/c%2Fd%25zz");
        assertThat(Links.resolve(base, "//other/x")).hasToString("https://other/x");
        assertThat(Links.resolve(base, "http://user:pw@o/x")).hasToString("http://o/x");
        assertThatThrownBy(() -> Links.resolve(base, "http://[bad")).isInstanceOf(IOException.class);
    }

    @Test
    void theNextPageIsFoundAmongLinks() throws IOException {
        server = RawServer.saying("HTTP/1.1 200 OK\n\n");

        assertThat(Links.next("<https://h/p?cursor=a%3D&x=1>; rel=\"next\"")).contains("https://h/p?cursor=a%3D&x=1");
        assertThat(Links.next("<https://h/1>; rel=\"prev\", <https://h/3>; rel=\"next\""))
                .contains("https://h/3");
        assertThat(Links.next("<https://h/3>; title=\"x\"; rel=next")).contains("https://h/3");
        assertThat(Links.next("<https://h/1>; rel=\"first\"")).isEmpty();
    }

    @Test
    void anOriginIsSchemeHostAndPort() throws IOException {
        server = RawServer.saying("HTTP/1.1 200 OK\n\n");

        assertThat(Links.sameOrigin(URI.create("https://H/x"), URI.create("HTTPS://h:443/y")))
                .isTrue();
        assertThat(Links.sameOrigin(URI.create("https://h"), URI.create("http://h")))
                .isFalse();
        assertThat(Links.sameOrigin(URI.create("https://h"), URI.create("https://h:444")))
                .isFalse();
        assertThat(Links.sameOrigin(URI.create("https://h"), URI.create("https://x.h")))
                .isFalse();
        assertThat(Links.encodePath("a b/\u00e4+%/~")).isEqualTo("a%20b/%C3%A4%2B%25/~");
    }
}
