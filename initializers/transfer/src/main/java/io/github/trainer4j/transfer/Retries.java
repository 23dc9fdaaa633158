package io.github.trainer4j.transfer;

import io.github.trainer4j.api.InitializerException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** The pauses and budgets that all requests of one download share. Safe for several threads. */
final class Retries implements Attempts {
    /** So many bytes further on, a failure counts as the first one again. */
    private static final long HEADWAY = 64 << 10;

    private final TransferSettings settings;
    private final Consumer<String> log;
    private final RateGate gate;

    /** A connection had no byte for too long and was dropped by the engine. */
    static final class StalledException extends IOException {
        private static final long serialVersionUID = 1L;

        StalledException(Duration timeout) {
            super("no byte for " + Words.time(timeout));
        }
    }

    Retries(TransferSettings settings, Consumer<String> log) {
        this.settings = settings;
        this.log = log;
        this.gate = new RateGate(settings.ratePatience());
    }

    @Override
    public <T> T of(String what, Request<T> request) throws IOException, InterruptedException {
        Trial trial = trial(what);
        while (true) {
            try {
                trial.begin();
                T answer = request.send();
                trial.gotThrough();
                return answer;
            } catch (IOException e) {
                trial.failed(e);
            }
        }
    }

    /** Starts the tries at one thing, named for the log. One thread uses it at a time. */
    Trial trial(String what) {
        return new Trial(what);
    }

    /** The tries at one thing. */
    final class Trial {
        private final String what;
        private int failures;
        private int refusals;
        private long headway;

        private Trial(String what) {
            this.what = what;
        }

        /** Waits until a request may be sent. */
        void begin() throws InterruptedException {
            gate.pass();
        }

        /** Notes that an answer came. */
        void gotThrough() {
            refusals = 0;
            gate.succeeded();
        }

        /** Notes that bytes came. */
        void gotOn(long bytes) {
            headway += bytes;
            if (headway >= HEADWAY) {
                failures = 0;
            }
        }

        /**
         * Pauses after a failure; returns when it is time for the next try.
         *
         * @throws SourceException if it is a change of the source, which no repetition mends
         * @throws InitializerException if the budget is spent
         * @throws InterruptedException if the thread is interrupted
         */
        void failed(IOException e) throws IOException, InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while fetching " + what);
            }
            headway = 0;
            Duration asked = Duration.ZERO;
            if (e instanceof SourceException told) {
                switch (told.kind()) {
                    case CHANGED, UNSATISFIABLE -> throw told;
                    case RATE_LIMITED -> {
                        holdBack(told);
                        return;
                    }
                    case RETRY -> asked = told.retryAfter().orElse(Duration.ZERO);
                }
            }
            failures++;
            if (isUntrusted(e) || failures >= settings.attempts() || asked.compareTo(settings.ratePatience()) > 0) {
                throw spent(e);
            }
            Duration pause = longer(asked, backOff(failures));
            log.accept(what + ": " + reason(e) + "; again in " + Words.time(pause) + " (try " + (failures + 1) + " of "
                    + settings.attempts() + ")");
            java.util.concurrent.TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        }

        private void holdBack(SourceException told) {
            refusals++;
            Duration pause = longer(told.retryAfter().orElse(Duration.ZERO), backOff(refusals));
            if (!gate.close(pause)) {
                throw new InitializerException(
                        what + ": too many requests (" + told.getMessage() + "), and no end of it within "
                                + Words.time(settings.ratePatience())
                                + "; run it again later, or with a token of your own if it was fetched without one",
                        "RateLimited",
                        told);
            }
            log.accept(what + ": " + reason(told) + "; all connections pause for " + Words.time(pause));
        }

        private InitializerException spent(IOException e) {
            boolean stalled = e instanceof StalledException || e instanceof SocketTimeoutException;
            boolean untrusted = isUntrusted(e);
            return new InitializerException(
                    what + " failed: " + reason(e) + (failures > 1 ? ", after " + failures + " tries" : "")
                            + (untrusted
                                    ? "; if the server's certificate is signed by an authority of your own, name a trust"
                                            + " store that has it with -Djavax.net.ssl.trustStore"
                                    : "; check the network, the proxy and the endpoint; run it again to go on from here"),
                    untrusted ? "Untrusted" : stalled ? "Stalled" : "Network",
                    e);
        }
    }

    private static boolean isUntrusted(@Nullable Throwable e) {
        return e != null
                && (e instanceof SSLPeerUnverifiedException
                        || e instanceof CertificateException
                        || isUntrusted(e.getCause()));
    }

    private static String reason(IOException e) {
        String message = e.getMessage();
        if (e instanceof SourceException || e instanceof StalledException) {
            return String.valueOf(message);
        }
        return e.getClass().getSimpleName() + (message == null ? "" : " (" + message + ")");
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    /** Doubles with each failure; a random part of it keeps many clients from coming back at one time. */
    private Duration backOff(int failures) {
        long full = settings.firstDelay().toNanos() << Math.min(failures - 1, 20);
        long capped = Math.min(
                full < 0 ? Long.MAX_VALUE : full, settings.longestDelay().toNanos());
        return Duration.ofNanos(capped / 2 + ThreadLocalRandom.current().nextLong(capped / 2 + 1));
    }
}
