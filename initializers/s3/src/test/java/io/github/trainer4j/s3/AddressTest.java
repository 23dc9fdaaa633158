package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {
    @ParameterizedTest
    @CsvSource({
        "bucket,    eu-west-1,     ,      https://bucket.s3.eu-west-1.amazonaws.com/k",
        "bucket,    cn-north-1,    ,      https://bucket.s3.cn-north-1.amazonaws.com.cn/k",
        "bucket,    us-gov-west-1, ,      https://bucket.s3.us-gov-west-1.amazonaws.com/k",
        "my.bucket, eu-west-1,     ,      https://s3.eu-west-1.amazonaws.com/my.bucket/k",
        "bucket,    eu-west-1,     true,  https://s3.eu-west-1.amazonaws.com/bucket/k",
        "my.bucket, eu-west-1,     false, https://my.bucket.s3.eu-west-1.amazonaws.com/k",
    })
    void atAmazonTheBucketIsPartOfTheHost(String bucket, String region, Boolean pathStyle, String url) {
        Address address = Address.of(bucket, Optional.empty(), Optional.ofNullable(pathStyle), region);

        assertThat(address.object("k")).hasToString(url);
    }

    @ParameterizedTest
    @CsvSource({
        "http://h:9000,       ,      http://h:9000/bucket/k",
        "http://h:9000,       true,  http://h:9000/bucket/k",
        "http://h:9000,       false, http://bucket.h:9000/k",
        "https://h/storage/s3, ,     https://h/storage/s3/bucket/k",
    })
    void atAnyOtherEndpointItIsPartOfThePathUnlessSaidOtherwise(String endpoint, Boolean pathStyle, String url) {
        Address address = Address.of(
                "bucket", Optional.of(Endpoint.of("", endpoint)), Optional.ofNullable(pathStyle), "us-east-1");

        assertThat(address.object("k")).hasToString(url);
    }

    @ParameterizedTest
    @CsvSource({
        "a+b,       a%2Bb",
        "a b,       a%20b",
        "x*y?z,     x%2Ay%3Fz",
        "100%,      100%25",
        "ä#?,       %C3%A4%23%3F",
        "p//x,      p//x",
        "/x,        /x",
        "a/../b,    a/../b",
        "~a_b-c.d,  ~a_b-c.d",
        "😀,        %F0%9F%98%80",
    })
    void aKeyIsEncodedByteByByteAndNotNormalised(String key, String path) {
        Address address = Address.of("bucket", Optional.of(Endpoint.of("", "http://h")), Optional.empty(), "us-east-1");

        assertThat(address.object(key).getRawPath()).isEqualTo("/bucket/" + path);
        assertThat(address.object(key).getPath()).isEqualTo("/bucket/" + key);
    }

    @Test
    void queriesAreEncodedToo() {
        Map<String, String> query = new TreeMap<>(Map.of("prefix", "a b/", "continuation-token", "a+b/="));
        Optional<Endpoint> endpoint = Optional.of(Endpoint.of("", "http://h"));

        assertThat(Address.of("bucket", endpoint, Optional.empty(), "us-east-1").query(query))
                .hasToString("http://h/bucket?continuation-token=a%2Bb%2F%3D&prefix=a%20b%2F");
        assertThat(Address.of("bucket", endpoint, Optional.of(false), "us-east-1")
                        .query(query))
                .hasToString("http://bucket.h/?continuation-token=a%2Bb%2F%3D&prefix=a%20b%2F");
    }
}
