package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A file of a commit: in git, or (large) as an LFS pointer in git and its bytes in the store. */
record Entry(String path, Content content, boolean lfs) {

    /** What git knows the file by: for a large file, the digest of its pointer. */
    String oid() {
        return lfs ? pointer().blobSha1() : content.blobSha1();
    }

    long pointerSize() {
        return pointer().size();
    }

    /** The entity tag of the bytes: SHA-256 for a large file, git's SHA-1 for a small one. */
    String etag() {
        return '"' + (lfs ? content.sha256() : content.blobSha1()) + '"';
    }

    private Content pointer() {
        String text = "version https://git-lfs.github.com/spec/v1\noid sha256:" + content.sha256() + "\nsize "
                + content.size() + "\n";
        return Content.of(text.getBytes(UTF_8));
    }
}
