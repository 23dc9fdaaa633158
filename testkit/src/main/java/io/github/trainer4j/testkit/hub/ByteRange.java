package io.github.trainer4j.testkit.hub;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A single range of bytes that a client asks for: {@code first-last}, {@code first-} or {@code -suffix}. */
record ByteRange(Optional<Long> first, Optional<Long> last) {

    private static final Pattern SYNTAX = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /** Empty for what a server may ignore: another unit, several ranges, nonsense. */
    static Optional<ByteRange> parse(String header) {
        Matcher matcher = SYNTAX.matcher(header.replace(" ", ""));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        ByteRange range = new ByteRange(number(matcher.group(1)), number(matcher.group(2)));
        boolean backwards = range.first.isPresent() && range.last.isPresent() && range.last.get() < range.first.get();
        boolean nothing = range.first.isEmpty() && range.last.isEmpty();
        return backwards || nothing ? Optional.empty() : Optional.of(range);
    }

    /** Narrows the answer to this range, or makes it a 416. */
    void applyTo(Answer answer) {
        long size = answer.content().size();
        long start = first.orElseGet(() -> Math.max(0, size - last.orElse(0L)));
        long end = first.isPresent() ? Math.min(size, last.map(l -> l + 1).orElse(size)) : size;
        if (start >= end) {
            notSatisfiable(answer);
        } else {
            answer.serveRange(start, end);
        }
    }

    static void notSatisfiable(Answer answer) {
        long size = answer.content().size();
        answer.become(Answer.of(416, "text/plain; charset=utf-8", "Range Not Satisfiable")
                .header("Content-Range", "bytes */" + size));
    }

    private static Optional<Long> number(String digits) {
        return digits.isEmpty() ? Optional.empty() : Optional.of(Long.valueOf(digits));
    }
}
