package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Which of a source's files are wanted. A pattern is matched against the whole path below the source, as Python's
 * {@code fnmatch} does on POSIX: {@code *} stands for any text, also with {@code /} in it; {@code ?} for one character;
 * {@code [seq]} for one of these characters and {@code [!seq]} for one of all others. {@code dir/} means
 * {@code dir/*}. Immutable.
 *
 * @param allow if there are any, a file must match one of them
 * @param ignore a file must match none of them
 */
public record FilePatterns(List<String> allow, List<String> ignore) {
    private static final List<String> MODEL_IGNORE = List.of("*.msgpack", "*.h5", "*.bin", "*.pt", "*.pth");
    private static final Set<String> WEIGHTS =
            Set.of("safetensors", "gguf", "bin", "pt", "pth", "h5", "msgpack", "ckpt", "onnx", "npz");
    private static final int SHOWN = 3;

    /** Copies both lists. */
    public FilePatterns {
        allow = List.copyOf(allow);
        ignore = List.copyOf(ignore);
    }

    /**
     * Returns what is ignored of a target when nobody says anything: weights in formats other than safetensors for a
     * model, nothing for a dataset.
     */
    public static List<String> defaultIgnore(InitializerTarget target) {
        return target == InitializerTarget.MODEL ? MODEL_IGNORE : List.of();
    }

    /**
     * Reads the option {@code ignore_patterns}.
     *
     * @param option a comma-separated list; empty: the defaults of the target; a blank text: nothing is ignored
     */
    public static List<String> ignoring(InitializerTarget target, Optional<String> option) {
        return option.map(FilePatterns::parse).orElse(defaultIgnore(target));
    }

    /** Splits a comma-separated list; blank elements are dropped. */
    public static List<String> parse(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .toList();
    }

    /** Returns whether a file with this path is wanted. */
    public boolean selects(String path) {
        return (allow.isEmpty() || allow.stream().anyMatch(pattern -> matches(pattern, path)))
                && ignore.stream().noneMatch(pattern -> matches(pattern, path));
    }

    /**
     * Returns the files that are wanted and says what is left out, which patterns match nothing, and whether a model is
     * left without weights.
     *
     * @param place names the source, its filters aside, for errors: bucket, prefix and endpoint, for example
     * @param files all that the source has there
     * @param log is given lines for the user
     * @throws InitializerException if there are no files ({@code NotFound}), or none that is wanted
     *     ({@code NothingSelected})
     */
    public List<RemoteFile> select(String place, List<RemoteFile> files, Consumer<String> log) {
        if (files.isEmpty()) {
            throw new InitializerException(
                    "there are no files at " + place + "; check its name, and that it is not empty", "NotFound", null);
        }
        List<RemoteFile> wanted = new ArrayList<>();
        List<RemoteFile> skipped = new ArrayList<>();
        for (RemoteFile file : files) {
            (selects(file.path()) ? wanted : skipped).add(file);
        }
        if (wanted.isEmpty()) {
            throw new InitializerException(
                    "none of the " + files.size() + " files at " + place + " is wanted, for example not "
                            + shown(skipped) + "; " + rules() + "; change the option ignore_patterns",
                    "NothingSelected",
                    null);
        }
        if (!skipped.isEmpty()) {
            log.accept("left out " + skipped.size() + " of " + files.size() + " files, for example " + shown(skipped)
                    + " (" + rules() + ")");
        }
        warnOfIdlePatterns(files, log);
        if (skipped.stream().anyMatch(FilePatterns::isWeight) && wanted.stream().noneMatch(FilePatterns::isWeight)) {
            log.accept("warning: no weight file left: "
                    + shown(skipped.stream().filter(FilePatterns::isWeight).toList())
                    + " left out; to fetch them too, set the option ignore_patterns"
                    + (allow.isEmpty() ? "" : " (only " + String.join(", ", allow) + " are ever fetched)"));
        }
        return List.copyOf(wanted);
    }

    private void warnOfIdlePatterns(List<RemoteFile> files, Consumer<String> log) {
        for (String pattern : ignore) {
            if (MODEL_IGNORE.contains(pattern) || files.stream().anyMatch(file -> matches(pattern, file.path()))) {
                continue;
            }
            String wider = "*" + pattern;
            String hint = files.stream().anyMatch(file -> matches(wider, file.path()))
                            || (pattern.startsWith(".") && pattern.indexOf('/') < 0)
                    ? "; did you mean " + wider + "?"
                    : "";
            log.accept("warning: the ignore pattern '" + pattern + "' matches no file" + hint);
        }
    }

    private String rules() {
        return (allow.isEmpty() ? "" : "fetched are only " + String.join(", ", allow) + ", ") + "ignored "
                + (ignore.isEmpty() ? "is nothing" : "are " + String.join(", ", ignore));
    }

    private static String shown(List<RemoteFile> files) {
        return String.join(
                        ", ", files.stream().limit(SHOWN).map(RemoteFile::path).toList())
                + (files.size() > SHOWN ? ", …" : "");
    }

    private static boolean isWeight(RemoteFile file) {
        String path = file.path().toLowerCase(Locale.ROOT);
        return WEIGHTS.contains(path.substring(path.lastIndexOf('.') + 1));
    }

    static boolean matches(String pattern, String path) {
        return Pattern.compile(regex(pattern.endsWith("/") ? pattern + "*" : pattern), Pattern.DOTALL)
                .matcher(path)
                .matches();
    }

    /** Translates as Python does; what has no closing bracket is a plain {@code [}. */
    private static String regex(String pattern) {
        StringBuilder regex = new StringBuilder();
        int i = 0;
        while (i < pattern.length()) {
            int c = pattern.codePointAt(i);
            i += Character.charCount(c);
            if (c == '*') {
                regex.append(".*");
            } else if (c == '?') {
                regex.append('.');
            } else if (c == '[') {
                int end = closing(pattern, i);
                if (end < 0) {
                    regex.append("\\[");
                } else {
                    regex.append(set(pattern.substring(i, end)));
                    i = end + 1;
                }
            } else {
                regex.append(Pattern.quote(Character.toString(c)));
            }
        }
        return regex.toString();
    }

    /** Finds the bracket that closes a set; one that stands first in it is a member. */
    private static int closing(String pattern, int start) {
        int from = start;
        if (from < pattern.length() && pattern.charAt(from) == '!') {
            from++;
        }
        return from < pattern.length() ? pattern.indexOf(']', from + 1) : -1;
    }

    private static String set(String members) {
        boolean not = members.startsWith("!");
        int[] chars = members.substring(not ? 1 : 0).codePoints().toArray();
        StringBuilder set = new StringBuilder();
        for (int i = 0; i < chars.length; i++) {
            if (i + 2 < chars.length && chars[i + 1] == '-') {
                if (chars[i] <= chars[i + 2]) {
                    set.append(member(chars[i])).append('-').append(member(chars[i + 2]));
                }
                i += 2;
            } else {
                set.append(member(chars[i]));
            }
        }
        if (set.isEmpty()) {
            return not ? "." : "(?!)";
        }
        return (not ? "[^" : "[") + set + "]";
    }

    private static String member(int c) {
        return Character.isLetterOrDigit(c) ? Character.toString(c) : String.format("\\x{%x}", c);
    }
}
