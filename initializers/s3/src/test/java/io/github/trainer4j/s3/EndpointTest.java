package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InvalidJobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9000,                      https://127.0.0.1:9000,             false",
        "minio,                               https://minio,                      false",
        "minio.example.org:443,               https://minio.example.org,          false",
        "http://h:1/,                         http://h:1,                         true",
        "http://h:80,                         http://h,                           true",
        "https://h,                           https://h,                          true",
        "HTTPS://Store.Example.org:8443,      https://store.example.org:8443,     true",
        "http://[::1]:9000,                   http://[::1]:9000,                  true",
        "https://x.supabase.co/storage/v1/s3, https://x.supabase.co/storage/v1/s3, true",
        "' http://h:9000 ',                   http://h:9000,                      true",
    })
    void hostPortAndUrlsAreTaken(String text, String url, boolean schemeGiven) {
        Endpoint endpoint = Endpoint.of("endpoint", text);

        assertThat(endpoint).hasToString(url);
        assertThat(endpoint.schemeGiven()).isEqualTo(schemeGiven);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://bucket",
                "ftp://h",
                "http://",
                "http://h:0",
                "http://h:65536",
                "http://h:port",
                "http://h/?a=b",
                "http://h/#a",
                "my_minio:9000",
                "http://h:9000\nX: y",
                "h h",
                "://h",
            })
    void anythingElseIsRefusedWithTheForms(String text) {
        assertThatThrownBy(() -> Endpoint.of("the option 'endpoint'", text))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("the option 'endpoint'")
                .hasMessageContaining("http://host:port")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aPasswordInItIsRefusedAndNotShown() {
        assertThatThrownBy(() -> Endpoint.of("endpoint", "https://user:canary@h:9000"))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("without user")
                .hasMessageNotContaining("canary");
    }
}
