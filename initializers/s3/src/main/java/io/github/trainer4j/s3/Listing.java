package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.transfer.SourceException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/**
 * One page of a listing.
 *
 * @param objects the objects on it, in the store's order
 * @param next what asks for the next page; empty: this is the last one
 */
record Listing(List<StoredObject> objects, Optional<String> next) {
    Listing {
        objects = List.copyOf(objects);
    }

    /**
     * An object as a listing shows it.
     *
     * @param key its key
     * @param size its length in bytes
     * @param etag its ETag without quotes, if the store tells it
     */
    record StoredObject(String key, long size, Optional<String> etag) {}

    /**
     * Reads the answer to ListObjectsV2.
     *
     * @param what names the request, for errors
     * @throws InitializerException if it is not such an answer
     * @throws SourceException if it is not complete
     * @throws IOException if the stream breaks
     */
    static Listing read(String what, InputStream body) throws IOException {
        Reader reader = new Reader(what);
        try {
            XmlAnswer.read(body, reader::text, reader::end);
        } catch (XMLStreamException e) {
            throw SourceException.retry(
                    "it is not well-formed XML (is there a key with a control character?): "
                            + Shown.text(e.getMessage()),
                    Optional.empty());
        }
        return reader.listing();
    }

    private static final class Reader {
        private static final String ROOT = "ListBucketResult";

        private final String what;
        private final List<StoredObject> objects = new ArrayList<>();
        private String root = "";
        private boolean truncated;
        private boolean encoded;
        private @Nullable String next;
        private @Nullable String key;
        private @Nullable String size;
        private @Nullable String etag;

        Reader(String what) {
            this.what = what;
        }

        void text(String path, String text) {
            switch (path) {
                case ROOT + "/IsTruncated" -> truncated = text.strip().equals("true");
                case ROOT + "/NextContinuationToken" -> next = text;
                case ROOT + "/EncodingType" -> encoded = text.strip().equals("url");
                case ROOT + "/Contents/Key" -> key = text;
                case ROOT + "/Contents/Size" -> size = text.strip();
                case ROOT + "/Contents/ETag" -> etag = text;
                default -> {}
            }
        }

        void end(String path) {
            root = path;
            if (path.equals(ROOT + "/Contents")) {
                objects.add(new StoredObject(
                        key == null ? "" : key, size == null ? -1 : size(size), ETag.bare(Optional.ofNullable(etag))));
                key = null;
                size = null;
                etag = null;
            }
        }

        private static long size(String text) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                return -1;
            }
        }

        Listing listing() {
            if (!root.equals(ROOT)) {
                throw wrong("the answer is <" + Shown.text(root) + "> and not <" + ROOT + ">; is this an S3 endpoint?");
            }
            for (StoredObject object : objects) {
                if (object.key.isEmpty()) {
                    throw wrong("there is an object without a key");
                }
                if (object.size < 0) {
                    throw wrong("there is no size for '" + Shown.text(object.key) + "'");
                }
            }
            if (truncated && (next == null || next.isEmpty())) {
                throw wrong("it says that it goes on, but not how; does the store know ListObjectsV2?");
            }
            // It was not asked for, so that a store which answers so is not Amazon's: there a plus sign is a plus sign.
            List<StoredObject> decoded = encoded
                    ? objects.stream()
                            .map(object -> new StoredObject(decoded(object.key), object.size, object.etag))
                            .toList()
                    : objects;
            return new Listing(decoded, truncated ? Optional.ofNullable(next) : Optional.empty());
        }

        private InitializerException wrong(String why) {
            return new InitializerException(what + " cannot be read: " + why, "Corrupt", null);
        }

        private static String decoded(String key) {
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        }
    }
}
