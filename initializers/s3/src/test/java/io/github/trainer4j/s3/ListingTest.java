package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.s3.Listing.StoredObject;
import io.github.trainer4j.transfer.SourceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListingTest {
    @Test
    void aPageHasItsObjectsAndWhatAsksForTheNext() throws IOException {
        Listing page = read("""
                <?xml version="1.0" encoding="UTF-8"?>
                <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                  <Name>b</Name><Prefix>p/</Prefix><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys>
                  <IsTruncated>true</IsTruncated><NextContinuationToken>a+b/=</NextContinuationToken>
                  <Contents><Key>p/ a &amp;+ä </Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>
                    <ETag>&quot;d41d-2&quot;</ETag><Size>5000000000</Size><Owner><ID>Key</ID></Owner></Contents>
                  <Contents><Size>0</Size><Key>p/d/</Key></Contents>
                </ListBucketResult>""");

        assertThat(page.next()).contains("a+b/=");
        assertThat(page.objects())
                .containsExactly(
                        new StoredObject("p/ a &+ä ", 5_000_000_000L, Optional.of("d41d-2")),
                        new StoredObject("p/d/", 0, Optional.empty()));
    }

    @Test
    void theLastPageAsksForNoOther() throws IOException {
        Listing page = read("<ListBucketResult><IsTruncated>false</IsTruncated>"
                + "<NextContinuationToken>left over</NextContinuationToken></ListBucketResult>");

        assertThat(page.next()).isEmpty();
        assertThat(page.objects()).isEmpty();
    }

    @Test
    void keysThatAStoreEncodedUnaskedAreDecodedAndAPlusSignStaysOne() throws IOException {
        Listing page = read("<ListBucketResult><EncodingType>url</EncodingType>"
                + "<Contents><Key>a+b%20c%2B%25%C3%A4</Key><Size>1</Size></Contents></ListBucketResult>");

        assertThat(page.objects()).extracting(StoredObject::key).containsExactly("a+b c+%ä");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Key>a</Key><Size>big</Size></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>",
                "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
                "<ListBucketResult><IsTruncated>true</IsTruncated><NextMarker>a</NextMarker></ListBucketResult>",
                "<ListAllMyBucketsResult></ListAllMyBucketsResult>",
                "<html></html>",
            })
    void anAnswerThatIsNoPageIsAnError(String xml) {
        assertThatThrownBy(() -> read(xml))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("Corrupt"))
                .hasMessageContaining("the listing of x cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<ListBucketResult><Contents><Key>a",
                "<ListBucketResult><Contents><Key>&#1;</Key><Size>1</Size></Contents></ListBucketResult>"
            })
    void whatBrokeOffIsAskedForAgain(String xml) {
        assertThatThrownBy(() -> read(xml))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.kind()).isEqualTo(SourceException.Kind.RETRY));
    }

    @Test
    void anAnswerCannotMakeUsReadAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "canary");
        String xml = "<!DOCTYPE ListBucketResult [<!ENTITY file SYSTEM '" + file.toUri()
                + "'>]><ListBucketResult><Contents><Key>a&file;</Key><Size>1</Size></Contents></ListBucketResult>";

        try {
            assertThat(read(xml).objects()).extracting(StoredObject::key).containsExactly("a");
        } catch (SourceException e) {
            assertThat(e).hasMessageNotContaining("canary");
        }
    }

    private static Listing read(String xml) throws IOException {
        return Listing.read("the listing of x", new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }
}
