package io.github.trainer4j.container;

import com.github.dockerjava.transport.DockerHttpClient;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An engine's answer, whose body is read as it comes. */
final class EngineResponse implements DockerHttpClient.Response {
    private static final int LONGEST_HEAD = 1 << 20;

    private final EngineSocket socket;
    private final int status;
    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final InputStream body;

    /** Reads the head of the answer. */
    EngineResponse(EngineSocket socket, String method) throws IOException {
        this.socket = socket;
        InputStream in = socket.in();
        int code = head(in);
        while (code / 100 == 1) {
            headers.clear();
            code = head(in);
        }
        this.status = code;
        this.body = body(in, method);
    }

    private int head(InputStream in) throws IOException {
        String first = line(in);
        String[] words = first.split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("\\d{3}")) {
            throw new IOException(
                    "this is no engine: it answers '" + first.substring(0, Math.min(80, first.length())) + "'");
        }
        int size = first.length();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            size += header.length();
            int colon = header.indexOf(':');
            if (colon <= 0 || size > LONGEST_HEAD) {
                throw new IOException("the engine's answer has a head that is no HTTP");
            }
            headers.computeIfAbsent(header.substring(0, colon).strip(), name -> new ArrayList<>())
                    .add(header.substring(colon + 1).strip());
        }
        return Integer.parseInt(words[1]);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the engine closed the connection before it answered");
            }
            if (line.size() > LONGEST_HEAD) {
                throw new IOException("the engine's answer has a line without end");
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private InputStream body(InputStream in, String method) throws IOException {
        if (status == 204 || status == 304 || method.equals("HEAD")) {
            return InputStream.nullInputStream();
        }
        String encoding = String.valueOf(getHeader("Transfer-Encoding")).toLowerCase(Locale.ROOT);
        if (encoding.contains("chunked")) {
            return new Chunks(in);
        }
        String length = getHeader("Content-Length");
        if (length == null) {
            return in;
        }
        try {
            return new Counted(in, Long.parseLong(length.strip()));
        } catch (NumberFormatException e) {
            throw new IOException("the engine's answer has the length '" + length + "'", e);
        }
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    public Map<String, List<String>> getHeaders() {
        return headers;
    }

    @Override
    public InputStream getBody() {
        return body;
    }

    @Override
    public void close() {
        socket.close();
    }

    /** A body of a known length; one that ends before is cut off, and not at its end. */
    private static final class Counted extends BlockInput {
        private final InputStream in;
        private long left;

        Counted(InputStream in, long length) {
            this.in = in;
            this.left = length;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left <= 0 || length == 0) {
                return left <= 0 ? -1 : 0;
            }
            int n = in.read(bytes, offset, (int) Math.min(length, left));
            if (n < 0) {
                throw new EOFException("the engine's answer was cut off");
            }
            left -= n;
            return n;
        }
    }

    /** A body in chunks. */
    private static final class Chunks extends BlockInput {
        private final InputStream in;
        private long left;
        private boolean begun;
        private boolean ended;

        Chunks(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0 && !ended) {
                next();
            }
            if (ended) {
                return -1;
            }
            int n = in.read(bytes, offset, (int) Math.min(length, left));
            if (n < 0) {
                throw new EOFException("the engine's answer was cut off");
            }
            left -= n;
            return n;
        }

        private void next() throws IOException {
            if (begun && !line(in).isEmpty()) {
                throw new IOException("a chunk of the engine's answer is longer than it says");
            }
            begun = true;
            String size = line(in);
            int extension = size.indexOf(';');
            try {
                left = Long.parseLong((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
            } catch (NumberFormatException e) {
                throw new IOException("the engine's answer has a chunk of the size '" + size + "'", e);
            }
            if (left == 0) {
                ended = true;
                String trailer = line(in);
                while (!trailer.isEmpty()) {
                    trailer = line(in);
                }
            }
        }
    }
}
