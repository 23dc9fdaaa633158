package io.github.trainer4j.transfer.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The status line and the headers of an answer. */
record Head(int status, boolean oldProtocol, Map<String, List<String>> headers) {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.([01]) (\\d{3})( .*)?");

    static Head read(Wire wire) throws IOException {
        while (true) {
            wire.startHead();
            Head head = readOne(wire);
            if (head.status >= 200 || head.status == 101) {
                return head;
            }
        }
    }

    private static Head readOne(Wire wire) throws IOException {
        String first = wire.line();
        Matcher status = STATUS.matcher(first);
        if (!status.matches()) {
            throw new IOException("what answers does not speak HTTP/1.1; is the scheme, http or https, right?");
        }
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = wire.line(); !line.isEmpty(); line = wire.line()) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new IOException("the answer has a header without a name");
            }
            headers.computeIfAbsent(line.substring(0, colon).strip(), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return new Head(Integer.parseInt(status.group(2)), status.group(1).equals("0"), headers);
    }

    Optional<String> header(String name) {
        return headers.getOrDefault(name, List.of()).stream().findFirst();
    }

    boolean hasBody() {
        return status != 204 && status != 304;
    }

    boolean isChunked() {
        return headers.getOrDefault("Transfer-Encoding", List.of()).stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("chunked"));
    }

    OptionalLong length() throws IOException {
        Optional<String> value = header("Content-Length");
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!value.get().matches("\\d{1,18}")) {
            throw new IOException("the answer's Content-Length is not a number");
        }
        return OptionalLong.of(Long.parseLong(value.get()));
    }

    /** Returns whether the connection may be used again after this answer. */
    boolean keepsConnection() {
        String connection =
                String.join(",", headers.getOrDefault("Connection", List.of())).toLowerCase(Locale.ROOT);
        return oldProtocol ? connection.contains("keep-alive") : !connection.contains("close");
    }
}
