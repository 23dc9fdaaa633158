package io.github.trainer4j.transfer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.transfer.http.Routes.Route;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
    @Test
    void theVariableOfTheSchemeNamesTheProxy() {
        Map<String, String> environment =
                Map.of("HTTPS_PROXY", "http://secure:1", "http_proxy", "plain:2", "ALL_PROXY", "socks5://socks");

        assertThat(route(environment, "https://hub.example/")).hasToString("secure:1");
        assertThat(route(environment, "http://hub.example/")).hasToString("plain:2");
        Route socks = route(Map.of("ALL_PROXY", "socks5://socks"), "http://hub.example/");
        assertThat(socks).hasToString("socks:1080");
        assertThat(socks.type()).isEqualTo(Proxy.Type.SOCKS);
        assertThat(route(Map.of(), "http://hub.example/")).isEqualTo(Route.DIRECT);
    }

    @Test
    void theUpperCaseVariableForHttpIsNotRead() {
        assertThat(route(Map.of("HTTP_PROXY", "http://from-a-request:1"), "http://hub.example/"))
                .isEqualTo(Route.DIRECT);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:1/, '', true",
        "http://127.0.0.1:1/, '', true",
        "http://[::1]:1/, '', true",
        "http://hub.example/, '', false",
        "http://hub.example/, 'other, hub.example', true",
        "http://a.hub.example/, .hub.example, true",
        "http://a.hub.example/, *.hub.example, true",
        "http://a.hub.example/, hub.example, true",
        "http://ahub.example/, hub.example, false",
        "http://hub.example:81/, hub.example:81, true",
        "http://hub.example:82/, hub.example:81, false",
        "http://hub.example/, *, true"
    })
    void noProxyListsHostsAndDomains(String uri, String list, boolean direct) {
        Route route = route(Map.of("http_proxy", "proxy:1", "NO_PROXY", list), uri);

        assertThat(route.equals(Route.DIRECT)).isEqualTo(direct);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://canary", "http://", "http://a b:canary@x", "https://canary:1"})
    void whatIsNoProxyIsToldByItsVariable(String value) {
        assertThatThrownBy(() -> route(Map.of("http_proxy", value), "http://hub.example/"))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("http_proxy")
                .hasMessageNotContaining("canary");
    }

    @Test
    void aPlainProxyIsAskedForTheWholeAddress() throws Exception {
        try (RawServer proxy = RawServer.saying("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
                HttpClient client = new HttpClient(HttpSettings.of(
                        Duration.ofSeconds(20), Map.of("http_proxy", "http://me:pw@127.0.0.1:" + proxy.port())))) {
            assertThat(client.send(HttpRequest.get(URI.create("http://hub.example:8080/a?b=c")))
                            .text(10))
                    .isEqualTo("ok");

            assertThat(proxy.requests)
                    .singleElement()
                    .asString()
                    .startsWith("GET http://hub.example:8080/a?b=c HTTP/1.1\r\n")
                    .contains("Host: hub.example:8080\r\n")
                    .contains("Proxy-Authorization: Basic bWU6cHc=\r\n");
        }
    }

    private static Route route(Map<String, String> environment, String uri) {
        return new Routes(environment).to(Origin.of(URI.create(uri)));
    }
}
