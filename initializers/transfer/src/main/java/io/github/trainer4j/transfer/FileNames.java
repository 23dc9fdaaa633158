package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the names that a source gives before anything is written. What could leave the directory on any system is
 * refused on every system; what only Windows cannot hold is refused there.
 */
final class FileNames {
    /** Where the engine keeps what it needs, below the target directory. */
    static final String OWN = ".trainer4j";

    private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:.*", Pattern.DOTALL);
    private static final Pattern DOTS_AND_SPACES = Pattern.compile("[. ]+");
    private static final Pattern DEVICE = Pattern.compile(
            "(con|prn|aux|nul|conin\\$|conout\\$|com[0-9¹²³]|lpt[0-9¹²³])\\s*(\\..*)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern ONLY_ELSEWHERE = Pattern.compile("[<>:\"|?*]|[. ]$");
    private static final int LONGEST = 255;

    private final boolean windows;
    private final boolean foldsCase;

    /**
     * @param windows whether names go to a Windows file system
     * @param foldsCase whether names that differ only in case, or in how Unicode composes them, are one name there
     */
    FileNames(boolean windows, boolean foldsCase) {
        this.windows = windows;
        this.foldsCase = foldsCase;
    }

    /**
     * Checks all names of a listing.
     *
     * @throws InitializerException if one could leave the directory or cannot be written, two are one, or one is a file
     *     and also the directory of another
     */
    void check(List<RemoteFile> files) {
        Map<String, RemoteFile> seen = new HashMap<>();
        Map<String, RemoteFile> directories = new HashMap<>();
        for (RemoteFile file : files) {
            String fault = fault(file);
            if (fault != null) {
                throw unsafe("the source has a file named '" + shown(file.path()) + "', which " + fault
                        + "; nothing was written; have it renamed at the source or leave it out by a pattern");
            }
            String name = folded(trimmed(file));
            RemoteFile other = file.isDirectory() ? null : seen.put(name, file);
            if (other != null) {
                throw unsafe(
                        other.path().equals(file.path())
                                ? "the source lists '" + shown(file.path()) + "' twice; nothing was written"
                                : "'" + shown(other.path()) + "' and '" + shown(file.path())
                                        + "' are one name on this file system, which does not tell upper from lower case"
                                        + " or one Unicode form from another; nothing was written; use another file"
                                        + " system or leave one out by a pattern");
            }
            if (file.isDirectory()) {
                directories.putIfAbsent(name, file);
            }
            for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
                directories.putIfAbsent(name.substring(0, slash), file);
            }
        }
        directories.forEach((name, within) -> {
            RemoteFile file = seen.get(name);
            if (file != null) {
                throw unsafe("'" + shown(file.path()) + "' is a file and also the directory of '" + shown(within.path())
                        + "'; no file system can hold both; nothing was written; leave one out by a pattern");
            }
        });
    }

    private @Nullable String fault(RemoteFile file) {
        String path = trimmed(file);
        if (file.isDirectory() && file.size() > 0) {
            return "ends with '/' as a directory does, but has " + file.size() + " bytes";
        }
        if (path.isEmpty()) {
            return "is empty";
        }
        if (path.indexOf('\\') >= 0) {
            return "has a backslash, which separates directories on Windows";
        }
        if (path.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
            return "has a control character";
        }
        if (path.startsWith("/")) {
            return "is absolute";
        }
        if (DRIVE.matcher(path).matches()) {
            return "starts with a drive";
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
            return "is not valid Unicode";
        }
        for (String segment : path.split("/", -1)) {
            String fault = segmentFault(segment);
            if (fault != null) {
                return fault;
            }
        }
        String first = path.split("/", -1)[0];
        return fold(first).equals(OWN) ? "is where the download keeps its own files" : null;
    }

    private @Nullable String segmentFault(String segment) {
        if (segment.isEmpty()) {
            return "has an empty directory name ('//')";
        }
        if (DOTS_AND_SPACES.matcher(segment).matches()) {
            return "has a part '" + segment + "', which could lead out of the directory";
        }
        if (segment.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            return "has a part of more than " + LONGEST + " bytes";
        }
        if (windows && DEVICE.matcher(segment).matches()) {
            return "has a part that is the name of a device on Windows";
        }
        if (windows && ONLY_ELSEWHERE.matcher(segment).find()) {
            return "has a character that Windows does not allow there";
        }
        return null;
    }

    private String folded(String name) {
        return foldsCase ? fold(name) : name;
    }

    private static String fold(String name) {
        String composed = Normalizer.normalize(name, Normalizer.Form.NFC);
        return Normalizer.normalize(composed.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
    }

    private static String trimmed(RemoteFile file) {
        return file.isDirectory() ? file.path().substring(0, file.path().length() - 1) : file.path();
    }

    /** Shortens and escapes, so that a hostile name cannot take part in the layout of a log. */
    static String shown(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints().limit(200).forEach(c -> {
            if (Character.isISOControl(c)
                    || Character.getType(c) == Character.SURROGATE
                    || Character.getType(c) == Character.FORMAT) {
                text.append(String.format("\\u%04x", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return text + (name.codePointCount(0, name.length()) > 200 ? "…" : "");
    }

    static InitializerException unsafe(String message) {
        return new InitializerException(message, "UnsafeName", null);
    }
}
