package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class S3LocationTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3://bucket              | bucket       | ''          | ''           | true",
                "s3://bucket/             | bucket       | ''          | ''           | true",
                "s3://bucket/key          | bucket       | key         | key/         | false",
                "s3://bucket/a/b.txt      | bucket       | a/b.txt     | a/b.txt/     | false",
                "s3://bucket/prefix/      | bucket       | prefix/     | prefix/      | true",
                "s3://bucket/p//          | bucket       | p//         | p//          | true",
                "s3://bucket//x           | bucket       | /x          | /x/          | false",
                "s3://my.bucket-1/k       | my.bucket-1  | k           | k/           | false",
                "s3://bucket/100%25/a+b ?*#ä/ | bucket   | 100%25/a+b ?*#ä/ | 100%25/a+b ?*#ä/ | true",
                "s3://bucket/a/../b       | bucket       | a/../b      | a/../b/      | false",
            })
    void whatFollowsTheBucketIsTakenLiterally(String uri, String bucket, String key, String prefix, boolean isPrefix) {
        S3Location location = at(uri);

        assertThat(location.bucket()).isEqualTo(bucket);
        assertThat(location.key()).isEqualTo(key);
        assertThat(location.prefix()).isEqualTo(prefix);
        assertThat(location.isPrefix()).isEqualTo(isPrefix);
    }

    @ParameterizedTest
    @CsvSource({"s3://bucket/a/b.txt, b.txt", "s3://bucket/key, key", "s3://bucket/a//b, b"})
    void aSingleObjectIsNamedByTheLastPartOfItsKey(String uri, String name) {
        assertThat(at(uri).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3:///key",
                "s3://ab",
                "s3://a..b",
                "s3://-bucket",
                "s3://bucket-/k",
                "s3://.bucket/k",
                "s3://192.168.0.1/k",
                "s3://bücket/k",
                "s3://buc ket/k",
                "s3://user@bucket/k",
                "s3://bucket:9000/k",
                "s3://bucket?x=y",
            })
    void aBucketThatCannotBeIsRefusedWithTheForm(String uri) {
        assertThatThrownBy(() -> at(uri))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("dataset-initializer")
                .hasMessageContaining("s3://bucket/prefix/");
    }

    @Test
    void aNameOf64LettersIsRefused() {
        String name = "b".repeat(63);

        assertThat(at("s3://" + name).bucket()).isEqualTo(name);
        assertThatThrownBy(() -> at("s3://" + name + "b")).isInstanceOf(InvalidJobException.class);
    }

    @Test
    void namesOfOldAreGoodOnlyInThePath() {
        InitializerSpec spec = InitializerSpec.dataset("s3://My_Bucket/k");

        assertThat(S3Location.of(spec, true).bucket()).isEqualTo("My_Bucket");
        assertThatThrownBy(() -> S3Location.of(spec, false))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("path_style=true");
    }

    @Test
    void aKeyThatNoObjectCanHaveIsRefused() {
        assertThatThrownBy(() -> at("s3://bucket/" + "k".repeat(1025)))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("1024");
        assertThatThrownBy(() -> at("s3://bucket/a\u0007b"))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("control character")
                .hasMessageContaining("a\\u0007b");
    }

    private static S3Location at(String uri) {
        return S3Location.of(InitializerSpec.dataset(uri), false);
    }
}
