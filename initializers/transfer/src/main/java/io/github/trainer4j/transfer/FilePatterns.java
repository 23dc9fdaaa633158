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
import java.util.function.Predicate;

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
        return test().test(path);
    }

    private Predicate<String> test() {
        List<Glob> allowed = allow.stream().map(Glob::new).toList();
        List<Glob> ignored = ignore.stream().map(Glob::new).toList();
        return path -> (allowed.isEmpty() || allowed.stream().anyMatch(glob -> glob.matches(path)))
                && ignored.stream().noneMatch(glob -> glob.matches(path));
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
        Predicate<String> selects = test();
        List<RemoteFile> wanted = new ArrayList<>();
        List<RemoteFile> skipped = new ArrayList<>();
        for (RemoteFile file : files) {
            (selects.test(file.path()) ? wanted : skipped).add(file);
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
            if (MODEL_IGNORE.contains(pattern) || matchesAny(pattern, files)) {
                continue;
            }
            String wider = "*" + pattern;
            String hint = matchesAny(wider, files) || (pattern.startsWith(".") && pattern.indexOf('/') < 0)
                    ? "; did you mean " + wider + "?"
                    : "";
            log.accept("warning: the ignore pattern '" + pattern + "' matches no file" + hint);
        }
    }

    private static boolean matchesAny(String pattern, List<RemoteFile> files) {
        Glob glob = new Glob(pattern);
        return files.stream().anyMatch(file -> glob.matches(file.path()));
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
}
