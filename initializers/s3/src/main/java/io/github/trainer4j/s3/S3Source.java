package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.s3.Bucket.Finding;
import io.github.trainer4j.s3.Listing.StoredObject;
import io.github.trainer4j.transfer.Attempts;
import io.github.trainer4j.transfer.FilePatterns;
import io.github.trainer4j.transfer.RemoteBody;
import io.github.trainer4j.transfer.RemoteFile;
import io.github.trainer4j.transfer.Snapshot;
import io.github.trainer4j.transfer.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The objects that a URI stands for. */
final class S3Source implements Source {
    private final S3Location location;
    private final FilePatterns patterns;
    private final Bucket bucket;
    private final Consumer<String> log;

    S3Source(S3Location location, FilePatterns patterns, Bucket bucket, Consumer<String> log) {
        this.location = location;
        this.patterns = patterns;
        this.bucket = bucket;
        this.log = log;
    }

    @Override
    public String identity() {
        return location + bucket.ownService().map(url -> " at " + url).orElse("");
    }

    @Override
    public Snapshot resolve(Attempts attempts) throws IOException, InterruptedException {
        List<RemoteFile> wanted = patterns.select(place(), files(attempts), log);
        String revision = RemoteFile.revisionOf(wanted);
        return new Snapshot() {
            @Override
            public String revision() {
                return revision;
            }

            @Override
            public List<RemoteFile> files() {
                return wanted;
            }

            @Override
            public RemoteBody open(RemoteFile file, long from, long end) throws IOException {
                StoredObject object = new StoredObject(file.key(), file.size(), file.version());
                return bucket.open(place(file.key()), object, from, end);
            }
        };
    }

    private String place() {
        return location + " at " + bucket.service();
    }

    private String place(String key) {
        return "s3://" + location.bucket() + "/" + Shown.text(key) + " at " + bucket.service();
    }

    /** Exactly the object that the URI names, or else what is below it. */
    private List<RemoteFile> files(Attempts attempts) throws IOException, InterruptedException {
        if (location.isPrefix()) {
            return below(attempts);
        }
        Finding found = attempts.of(place(), () -> bucket.find(place(), location.key()));
        if (found.object().isPresent()) {
            return List.of(file(location.name(), found.object().get()));
        }
        List<RemoteFile> below = below(attempts);
        if (below.isEmpty() && found.refusal().isPresent()) {
            throw bucket.verdict(place()).on(found.refusal().get());
        }
        return below;
    }

    private List<RemoteFile> below(Attempts attempts) throws IOException, InterruptedException {
        String prefix = location.prefix();
        List<RemoteFile> files = new ArrayList<>();
        Set<String> tokens = new HashSet<>();
        Optional<String> token = Optional.empty();
        String last = "";
        do {
            Optional<String> from = token;
            Listing page = attempts.of("the listing of " + place(), () -> bucket.list(place(), prefix, from));
            for (StoredObject object : page.objects()) {
                add(files, object, prefix);
            }
            if (!page.objects().isEmpty()) {
                String newest = page.objects().get(page.objects().size() - 1).key();
                if (newest.equals(last)) {
                    throw loop();
                }
                last = newest;
            }
            token = page.next();
            if (token.isPresent() && !tokens.add(token.get())) {
                throw loop();
            }
        } while (token.isPresent());
        return files;
    }

    private void add(List<RemoteFile> files, StoredObject object, String prefix) {
        if (!object.key().startsWith(prefix)) {
            throw new InitializerException(
                    "the listing of " + place() + " has '" + Shown.text(object.key())
                            + "', which is not below it; is this an S3 endpoint?",
                    "Corrupt",
                    null);
        }
        String path = object.key().substring(prefix.length());
        if (path.isEmpty()) {
            // The marker of the directory that is being fetched.
            if (object.size() > 0) {
                throw new InitializerException(
                        "the object '" + Shown.text(object.key()) + "' ends with '/' as a directory does, but has "
                                + object.size() + " bytes; nothing was written; have it renamed, or name the objects"
                                + " below it one prefix deeper",
                        "UnsafeName",
                        null);
            }
            return;
        }
        files.add(file(path, object));
    }

    private InitializerException loop() {
        return new InitializerException(
                "the listing of " + place() + " does not get on: the store gives the same page again; nothing was"
                        + " written; tell those who run the store",
                "Corrupt",
                null);
    }

    private static RemoteFile file(String path, StoredObject object) {
        return new RemoteFile(path, object.key(), object.size(), Optional.empty(), object.etag());
    }

    @Override
    public void abort() {
        bucket.abort();
    }

    @Override
    public void close() {
        bucket.close();
    }
}
