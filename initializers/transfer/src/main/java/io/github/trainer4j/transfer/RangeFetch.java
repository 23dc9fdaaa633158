package io.github.trainer4j.transfer;

import io.github.trainer4j.transfer.Flows.Flow;
import io.github.trainer4j.transfer.Retries.Trial;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Fetches one range of a file, over as many requests as it takes. One thread uses it. */
final class RangeFetch {
    /** So many bytes before the wanted ones are read and dropped rather than taken as "the source knows no ranges". */
    private static final long DROPPED_AT_MOST = 1 << 20;

    private final Transmission transmission;
    private final Part part;
    private final long end;
    private final boolean whole;
    private final CRC32C crc = new CRC32C();
    private long position;
    private int piece = -1;
    private boolean pieceIsThere;
    private long ofThisPiece;
    private boolean sawLastPiece;

    /** What all ranges of a download share. */
    record Transmission(
            Snapshot snapshot,
            Retries retries,
            ConnectionBudget budget,
            Flows flows,
            Journal journal,
            AtomicLong bytesDone) {}

    /** How it ended. */
    enum Outcome {
        /** The range is there, others may be missing. */
        DONE,
        /** The range is there, and with it the file. */
        FILE_COMPLETE,
        /** The source knows no ranges: the caller is to fetch the file from its beginning to its end. */
        BECAME_SEQUENTIAL,
        /** Another thread fetches the whole file. */
        GIVEN_UP
    }

    private static final class RangesIgnoredException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private RangeFetch(Transmission transmission, Part part, long from, long end, boolean whole) {
        this.transmission = transmission;
        this.part = part;
        this.position = from;
        this.end = end;
        this.whole = whole;
    }

    /** Fetches a range; gives up when the part turns out to come from a source without ranges. */
    static RangeFetch of(Transmission transmission, Part.Range range) {
        return new RangeFetch(transmission, range.part(), range.from(), range.end(), false);
    }

    /** Fetches a file from a source without ranges: from its beginning, dropping what is there already. */
    static RangeFetch wholly(Transmission transmission, Part part) {
        return new RangeFetch(transmission, part, 0, part.file().size(), true);
    }

    /**
     * Fetches it.
     *
     * @throws SourceException if the file changed
     * @throws io.github.trainer4j.api.InitializerException if it cannot be had
     * @throws DiskException if it cannot be written
     */
    Outcome run(byte[] buffer) throws IOException, InterruptedException {
        Trial trial = transmission.retries().trial("'" + part.file().path() + "'");
        while (position < end) {
            trial.begin();
            if (isForAnother()) {
                return leave(Outcome.GIVEN_UP);
            }
            IOException failure = request(trial, buffer);
            if (failure instanceof RangesIgnoredException) {
                return leave(part.becomeSequential() ? Outcome.BECAME_SEQUENTIAL : Outcome.GIVEN_UP);
            }
            if (failure != null) {
                trial.failed(failure);
            }
        }
        return sawLastPiece ? Outcome.FILE_COMPLETE : Outcome.DONE;
    }

    private boolean isForAnother() {
        return part.isSequential() && !whole;
    }

    private Outcome leave(Outcome outcome) {
        transmission.bytesDone().addAndGet(-ofThisPiece);
        return outcome;
    }

    private @Nullable IOException request(Trial trial, byte[] buffer) throws IOException, InterruptedException {
        transmission.budget().acquire();
        try (RemoteBody body = transmission.snapshot().open(part.file(), position, end);
                Flow flow = transmission.flows().watch(body)) {
            trial.gotThrough();
            pull(body, flow, trial, buffer);
            return null;
        } catch (DiskException e) {
            if (isForAnother()) {
                // Who fetches the whole file may have finished and closed it between our last look and our writing.
                return null;
            }
            throw e;
        } catch (IOException e) {
            return position < end ? e : null;
        } finally {
            transmission.budget().release();
        }
    }

    private void pull(RemoteBody body, Flow flow, Trial trial, byte[] buffer) throws IOException {
        long at = body.start();
        if (body.total().isPresent() && body.total().getAsLong() != part.file().size()) {
            throw SourceException.changed("'" + part.file().path() + "' has "
                    + body.total().getAsLong() + " bytes now, "
                    + part.file().size() + " were listed");
        }
        if (at > position) {
            throw new IOException("the answer starts at byte " + at + " and not at " + position);
        }
        if (position - at > DROPPED_AT_MOST && !whole) {
            throw new RangesIgnoredException();
        }
        while (position < end) {
            long until = at < position ? position : part.endOfPieceAt(position);
            int length = flow.read(buffer, (int) Math.min(buffer.length, until - at));
            if (isForAnother()) {
                return;
            }
            if (length < 0) {
                throw new IOException("the answer broke off at byte " + at + " of "
                        + part.file().size());
            }
            if (at == position) {
                trial.gotOn(length);
                take(buffer, length);
            }
            at += length;
        }
    }

    private void take(byte[] buffer, int length) {
        if (piece != part.pieceAt(position)) {
            piece = part.pieceAt(position);
            pieceIsThere = whole && part.isDone(piece);
        }
        long pieceEnd = part.endOfPieceAt(position);
        if (!pieceIsThere) {
            part.write(buffer, length, position);
            crc.update(buffer, 0, length);
            ofThisPiece += length;
            transmission.bytesDone().addAndGet(length);
        }
        position += length;
        if (position == pieceEnd) {
            if (!pieceIsThere) {
                finishPiece();
            }
            crc.reset();
            ofThisPiece = 0;
        }
    }

    private void finishPiece() {
        try {
            transmission.journal().finished(part.name(), piece, (int) crc.getValue());
        } catch (IOException e) {
            throw new DiskException(e);
        }
        switch (part.finished(piece)) {
            case TWICE -> transmission.bytesDone().addAndGet(-ofThisPiece);
            case LAST -> sawLastPiece = true;
            case ONE_MORE -> {}
        }
    }
}
