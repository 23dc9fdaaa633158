package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.trainer4j.testkit.hub.Answer.Framing;
import io.github.trainer4j.testkit.hub.Answer.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Writes answers to one connection, with all that is to go wrong on the way. */
final class AnswerWriter {

    private static final int BUFFER = 1 << 16;
    private static final int SLICES_PER_SECOND = 20;

    private final OutputStream out;
    private final Holds holds;
    private final BooleanSupplier clientIsGone;
    private final LongConsumer sent;

    AnswerWriter(OutputStream out, Holds holds, BooleanSupplier clientIsGone, LongConsumer sent) {
        this.out = out;
        this.holds = holds;
        this.clientIsGone = clientIsGone;
        this.sent = sent;
    }

    /** What is to become of the connection. */
    enum End {
        KEEP,
        CLOSE,
        RESET
    }

    /**
     * Writes one answer.
     *
     * @param lastBytes run when all but the last bytes are out: whoever sees the whole answer also sees its effect
     */
    End write(Answer answer, String method, boolean keepAlive, Runnable lastBytes)
            throws IOException, InterruptedException {
        Wire wire = answer.wire;
        holds.pause(wire.delay);
        if (wire.hangUp) {
            lastBytes.run();
            return End.CLOSE;
        }
        boolean bodiless = method.equals("HEAD") || answer.status() == 304 || answer.status() == 204;
        long declared = wire.declaredLength.orElse(answer.length());
        long toSend = bodiless ? 0 : Math.min(answer.length(), wire.cutAfter);
        boolean whole = bodiless || toSend == answer.length();
        boolean reusable =
                keepAlive && whole && wire.framing != Framing.UNTIL_CLOSE && (bodiless || declared == answer.length());
        // What breaks off is not announced: neither is it by a network.
        byte[] head = head(answer, declared, keepAlive && wire.framing != Framing.UNTIL_CLOSE);
        if (toSend == 0) {
            lastBytes.run();
        }
        out.write(head);
        if (!bodiless) {
            send(answer, toSend, lastBytes);
            if (whole && wire.framing == Framing.CHUNKED) {
                out.write("0\r\n\r\n".getBytes(US_ASCII));
            }
        }
        out.flush();
        lastBytes.run();
        if (!whole && wire.reset) {
            return End.RESET;
        }
        return reusable ? End.KEEP : End.CLOSE;
    }

    private static byte[] head(Answer answer, long declared, boolean keepAlive) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(answer.status())
                .append(' ')
                .append(reason(answer.status()))
                .append("\r\nDate: ")
                .append(DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
        answer.headers()
                .forEach((name, value) ->
                        head.append("\r\n").append(name).append(": ").append(value));
        if (answer.wire.framing == Framing.CHUNKED) {
            head.append("\r\nTransfer-Encoding: chunked");
        } else if (answer.wire.framing == Framing.LENGTH && answer.status() != 304 && answer.status() != 204) {
            head.append("\r\nContent-Length: ").append(declared);
        }
        head.append(keepAlive ? "" : "\r\nConnection: close").append("\r\n\r\n");
        return head.toString().getBytes(ISO_8859_1);
    }

    private void send(Answer answer, long toSend, Runnable lastBytes) throws IOException, InterruptedException {
        Wire wire = answer.wire;
        boolean paced = wire.bytesPerSecond != Long.MAX_VALUE;
        long slice = paced ? Math.max(1, wire.bytesPerSecond / SLICES_PER_SECOND) : BUFFER;
        byte[] buffer = new byte[BUFFER];
        long start = System.nanoTime();
        boolean stalled = false;
        long done = 0;
        try (InputStream in = answer.content().open(answer.from())) {
            while (true) {
                if (!stalled && done >= wire.stallAfter) {
                    stalled = true;
                    out.flush();
                    holds.hold(clientIsGone);
                }
                if (done >= toSend) {
                    return;
                }
                long limit = stalled ? toSend : Math.min(toSend, wire.stallAfter);
                int n = in.readNBytes(buffer, 0, (int) Math.min(Math.min(BUFFER, slice), limit - done));
                corrupt(wire, buffer, answer.from() + done, n);
                if (done + n >= toSend) {
                    lastBytes.run();
                }
                // Counted first: who has the bytes sees them counted.
                if (answer.isFile()) {
                    sent.accept(n);
                }
                sendPiece(wire.framing, buffer, n);
                done += n;
                if (paced) {
                    out.flush();
                    // Against the start, not against the last piece: late wake-ups do not add up.
                    long due = (long) (done * 1e9 / wire.bytesPerSecond);
                    holds.pause(Duration.ofNanos(due - (System.nanoTime() - start)));
                }
            }
        }
    }

    private void sendPiece(Framing framing, byte[] buffer, int length) throws IOException {
        if (framing == Framing.CHUNKED) {
            out.write((Integer.toHexString(length) + "\r\n").getBytes(US_ASCII));
            out.write(buffer, 0, length);
            out.write("\r\n".getBytes(US_ASCII));
        } else {
            out.write(buffer, 0, length);
        }
    }

    private static void corrupt(Wire wire, byte[] buffer, long offset, int length) {
        if (wire.corruptAt >= offset && wire.corruptAt < offset + length) {
            buffer[(int) (wire.corruptAt - offset)] ^= 0x01;
        }
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 206 -> "Partial Content";
            case 302 -> "Found";
            case 304 -> "Not Modified";
            case 307 -> "Temporary Redirect";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 416 -> "Range Not Satisfiable";
            case 429 -> "Too Many Requests";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            default -> "Status";
        };
    }
}
