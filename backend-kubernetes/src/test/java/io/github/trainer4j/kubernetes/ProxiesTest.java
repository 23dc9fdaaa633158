package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxiesTest {
    private static final String PROXY = "http://proxy:3128";

    @ParameterizedTest
    @ValueSource(
            strings = {"*", "api.example.org", "example.org", ".example.org", "*.example.org", "x, api.example.org:6443"
            })
    void whatIsListedIsReachedDirectly(String list) {
        assertThat(find("https://api.example.org:6443", list)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ample.org", "api.example.org:443", "10.0.0.0/8", "other.example.org"})
    void whatIsNotListedIsReachedThroughTheProxy(String list) {
        assertThat(find("https://api.example.org:6443", list)).hasValue(PROXY);
    }

    @Test
    void networksAreMatchedByAddressOnly() {
        assertThat(find("https://10.1.2.3:6443", "10.0.0.0/8")).isEmpty();
        assertThat(find("https://11.1.2.3:6443", "10.0.0.0/8")).hasValue(PROXY);
        assertThat(find("https://[fd00::1]:6443", "fd00::/8")).isEmpty();
        assertThat(find("https://127.0.0.1:6443", "")).isEmpty();
    }

    @Test
    void whatTheKubeconfigNamesComesFirst() {
        assertThat(Proxies.find(Optional.of("http://own:1"), URI.create("https://a:1"), Map.of("no_proxy", "*")))
                .hasValue("http://own:1");
    }

    @Test
    void aProxyOfAnotherKindIsToldWithoutItsPassword() {
        assertThatThrownBy(() ->
                        Proxies.find(Optional.of("socks5://me:geheim@own:1"), URI.create("https://a:1"), Map.of()))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("socks5://own:1")
                .hasMessageNotContaining("geheim");
    }

    private static Optional<String> find(String server, String list) {
        return Proxies.find(Optional.empty(), URI.create(server), Map.of("HTTPS_PROXY", PROXY, "no_proxy", list));
    }
}
