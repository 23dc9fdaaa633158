package io.github.trainer4j.api.launch;

import java.util.Objects;

/**
 * A file that a node needs.
 *
 * @param path where it goes, relative to the workspace, with {@code /} between names
 * @param content its text, stored as UTF-8; readable by every user
 */
public record LaunchFile(String path, String content) {
    /** No part may be null. */
    public LaunchFile {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(content, "content");
    }
}
