package io.github.trainer4j.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InvalidJobException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HubUriTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "hf://gpt2, gpt2, -, -",
                "hf://org/name, org/name, -, -",
                "hf://org/name@main, org/name, main, -",
                "hf://gpt2@v1.0, gpt2, v1.0, -",
                "hf://org/name@refs/pr/7, org/name, refs/pr/7, -",
                "hf://org/name@refs/convert/parquet/default/train, org/name, refs/convert/parquet, default/train",
                "hf://org/name@feature%2Fx, org/name, feature/x, -",
                "hf://org/name@feature%2Fx/data, org/name, feature/x, data",
                "hf://org/name/data/train, org/name, -, data/train",
                "hf://org/name/data/, org/name, -, data",
                "hf://org/name@main/data/a b.csv, org/name, main, data/a b.csv",
                "hf://gpt2@main/onnx, gpt2, main, onnx",
                "hf://o-r_g.x/N4-m_e.v2, o-r_g.x/N4-m_e.v2, -, -"
            })
    void whatFollowsTheGrammarIsTaken(String uri, String id, String revision, String path) {
        assertThat(HubUri.parse(uri))
                .isEqualTo(new HubUri(id, Optional.ofNullable(revision), Optional.ofNullable(path)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hf://",
                "hf:///x",
                "hf://org/",
                "hf://org/name/",
                "hf://org//x",
                "hf://org/name@",
                "hf://org/name@/x",
                "hf://@main",
                "hf://org/name@a@b",
                "hf://org/name/a@b",
                "hf://org/name@a..b",
                "hf://org/name@a b",
                "hf://datasets/org/name",
                "hf://models/org/name",
                "hf://-org/name",
                "hf://org/na--me",
                "hf://org/na..me",
                "hf://org/name.",
                "hf://org/name.git",
                "hf://org/na me",
                "hf://org/n\u00e4me",
                "hf://org/name/../x",
                "hf://org/name/a//b",
                "hf://org/name?x=1",
                "hf://user:secret@host/x/y/z@a",
                "s3://bucket/x"
            })
    void whatDoesNotIsRefusedWithTheExpectedForm(String uri) {
        assertThatThrownBy(() -> HubUri.parse(uri))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("write hf://org/name, hf://name, hf://org/name@revision");
    }

    @Test
    void itsTextNamesTheRevisionWheneverThereIsAPath() {
        assertThat(HubUri.parse("hf://org/name")).hasToString("hf://org/name");
        assertThat(HubUri.parse("hf://org/name/data/")).hasToString("hf://org/name@main/data");
        assertThat(HubUri.parse("hf://org/name@a%2Fb/c")).hasToString("hf://org/name@a%2Fb/c");
        assertThat(HubUri.parse("hf://org/name@refs/pr/1")).hasToString("hf://org/name@refs/pr/1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hf://a",
                "hf://a/b",
                "hf://a/b@c",
                "hf://a/b@c%2Fd/e/f",
                "hf://a/b@refs/pr/1/x",
                "hf://a/b@main/x y"
            })
    void itsTextParsesToTheSame(String uri) {
        assertThat(HubUri.parse(HubUri.parse(uri).toString())).isEqualTo(HubUri.parse(uri));
    }

    @Test
    void onlyAFullHashIsACommit() {
        assertThat(HubUri.parse("hf://a/b@" + "0123456789".repeat(4)).isCommit())
                .isTrue();
        assertThat(HubUri.parse("hf://a/b@0123456").isCommit()).isFalse();
        assertThat(HubUri.parse("hf://a/b").isCommit()).isFalse();
    }
}
