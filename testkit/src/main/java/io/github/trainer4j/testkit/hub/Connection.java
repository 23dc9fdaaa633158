package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** One accepted socket: reads requests and writes answers until one side has had enough. */
final class Connection implements Runnable {

    private static final int LONGEST_LINE = 1 << 16;

    private final Socket socket;
    private final Origin origin;
    private final FakeHub hub;
    private final Holds holds;

    Connection(Socket socket, Origin origin, FakeHub hub, Holds holds) {
        this.socket = socket;
        this.origin = origin;
        this.hub = hub;
        this.holds = holds;
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            AnswerWriter writer = new AnswerWriter(
                    new BufferedOutputStream(socket.getOutputStream(), 1 << 16), holds, () -> isGone(in), hub::sent);
            boolean open = true;
            while (open) {
                Optional<RecordedRequest> request = read(in);
                open = request.isPresent() && serve(request.get(), writer);
            }
        } catch (IOException e) {
            // The client went away, or the hub was closed: both are what tests of downloads do on purpose.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean serve(RecordedRequest request, AnswerWriter writer) throws IOException, InterruptedException {
        hub.begin();
        AtomicBoolean ended = new AtomicBoolean();
        Runnable end = () -> {
            if (ended.compareAndSet(false, true)) {
                hub.end();
            }
        };
        try {
            Answer answer = hub.answer(request);
            boolean hasBody =
                    request.header("Content-Length").filter(l -> !l.equals("0")).isPresent()
                            || request.header("Transfer-Encoding").isPresent();
            boolean close = hasBody
                    || request.header("Connection")
                            .filter("close"::equalsIgnoreCase)
                            .isPresent();
            AnswerWriter.End then = writer.write(answer, request.method(), !close, end);
            if (then == AnswerWriter.End.RESET) {
                socket.setSoLinger(true, 0);
            }
            return then == AnswerWriter.End.KEEP;
        } finally {
            end.run();
        }
    }

    /** The next request; empty when the client has no more, or speaks something else than HTTP. */
    private Optional<RecordedRequest> read(InputStream in) throws IOException {
        String line = line(in);
        String[] parts = line.split(" ", -1);
        if (parts.length != 3 || !parts[1].startsWith("/") || !parts[2].startsWith("HTTP/1.")) {
            return Optional.empty();
        }
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            if (colon > 0) {
                headers.computeIfAbsent(header.substring(0, colon), name -> new ArrayList<>())
                        .add(header.substring(colon + 1).strip());
            }
        }
        return Optional.of(new RecordedRequest(origin, parts[0], parts[1], headers, System.nanoTime(), 0));
    }

    /** Without its end; empty also at the end of the stream. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.write(b);
            }
            if (line.size() > LONGEST_LINE) {
                throw new IOException("A line of a request is longer than " + LONGEST_LINE + " bytes");
            }
        }
        return line.toString(ISO_8859_1);
    }

    /** Looks, without taking anything away, whether the client has closed its side. */
    private boolean isGone(InputStream in) {
        try {
            socket.setSoTimeout(1);
            in.mark(1);
            boolean atEnd = in.read() < 0;
            in.reset();
            return atEnd;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        } finally {
            unsetTimeout();
        }
    }

    private void unsetTimeout() {
        try {
            socket.setSoTimeout(0);
        } catch (IOException e) {
            // Closed meanwhile: the next read says so.
        }
    }
}
