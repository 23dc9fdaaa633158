package io.github.trainer4j.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentTest {

    @TempDir
    Path dir;

    @Test
    void digestsAreThoseOfGitAndOfLfs() {
        // printf 'hello\n' | git hash-object --stdin; printf 'hello\n' | sha256sum
        Content hello = Content.of("hello\n");

        assertThat(hello.blobSha1()).isEqualTo("ce013625030ba8dba906f756967f9e9ca394464a");
        assertThat(hello.sha256()).isEqualTo("5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
    }

    @Test
    void generatedBytesAreTheSameFromEveryOffset() throws IOException {
        Content content = Content.generated(7, 1003);
        byte[] all = content.bytes();

        assertThat(all).hasSize(1003);
        for (int offset : new int[] {0, 1, 7, 8, 9, 500, 1002, 1003}) {
            try (InputStream in = content.open(offset)) {
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(all, offset, 1003));
            }
        }
    }

    @Test
    void generatedBytesReadOneByOneAreTheSame() throws IOException {
        Content content = Content.generated(7, 100);
        byte[] single = new byte[100];
        try (InputStream in = content.open()) {
            for (int i = 0; i < 100; i++) {
                single[i] = (byte) in.read();
            }
            assertThat(in.read()).isEqualTo(-1);
        }

        assertThat(single).isEqualTo(content.bytes());
    }

    @Test
    void anotherSeedGivesAnotherFileAndTheSameSeedTheSame() {
        assertThat(Content.generated(1, 64).sha256())
                .isEqualTo(Content.generated(1, 64).sha256());
        assertThat(Content.generated(1, 64).sha256())
                .isNotEqualTo(Content.generated(2, 64).sha256());
        assertThat(Content.generated(0, 8).bytes()).isNotEqualTo(new byte[8]);
    }

    @Test
    void moreThanAnIntCanCountIsReadAtItsEnd() throws IOException {
        Content huge = Content.generated(3, 5_000_000_003L);

        try (InputStream in = huge.open(5_000_000_000L)) {
            assertThat(in.readAllBytes()).hasSize(3);
        }
    }

    @Test
    void aPhantomHasASizeAndDigestsWithoutBeingRead() {
        Content phantom = Content.phantom(Long.MAX_VALUE);

        assertThat(phantom.size()).isEqualTo(Long.MAX_VALUE);
        assertThat(phantom.sha256()).matches("[0-9a-f]{64}");
        assertThat(phantom.blobSha1()).matches("[0-9a-f]{40}");
    }

    @Test
    void aFileIsComparedByteByByte() throws IOException {
        Content content = Content.generated(5, 200_000);
        byte[] bytes = content.bytes();
        Path same = Files.write(dir.resolve("same"), bytes);
        bytes[199_999] ^= 1;
        Path other = Files.write(dir.resolve("other"), bytes);
        Path shorter = Files.write(dir.resolve("shorter"), Arrays.copyOf(bytes, 100));

        assertThat(content.isIn(same)).isTrue();
        assertThat(content.isIn(other)).isFalse();
        assertThat(content.isIn(shorter)).isFalse();
        assertThat(content.isIn(dir.resolve("missing"))).isFalse();
        assertThat(content.isIn(dir)).isFalse();
    }

    @Test
    void impossibleSizesAndOffsetsAreRefused() {
        assertThatThrownBy(() -> Content.generated(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Content.of("abc").open(4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void givenBytesAreCopied() {
        byte[] bytes = {1, 2, 3};
        Content content = Content.of(bytes);
        bytes[0] = 9;

        assertThat(content.bytes()).containsExactly(1, 2, 3);
    }
}
