package io.github.trainer4j.s3;

import java.util.Optional;

/** Entity tags, which listings and answers quote or not as they like. They are no digests. */
final class ETag {
    private ETag() {}

    /** Returns the tag without quotes; empty for one that stands for no particular bytes. */
    static Optional<String> bare(Optional<String> tag) {
        return tag.map(String::strip)
                .filter(text -> !text.startsWith("W/"))
                .map(text -> text.replace("\"", ""))
                .filter(text -> !text.isEmpty());
    }
}
