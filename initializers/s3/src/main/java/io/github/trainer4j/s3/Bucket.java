package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.s3.Listing.StoredObject;
import io.github.trainer4j.transfer.RemoteBody;
import io.github.trainer4j.transfer.SourceException;
import io.github.trainer4j.transfer.http.HttpClient;
import io.github.trainer4j.transfer.http.HttpRequest;
import io.github.trainer4j.transfer.http.HttpResponse;
import io.github.trainer4j.transfer.http.HttpSettings;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import software.amazon.awssdk.auth.credentials.AwsCredentials;

/** Asks a store about one bucket; each call is one request, unless the store says that the bucket is in another region. */
final class Bucket implements Closeable {
    private static final Pattern CONTENT_RANGE = Pattern.compile("(?i)bytes\\s+(\\d{1,18})-\\d{1,18}/(\\d{1,18}|\\*)");

    private final String name;
    private final S3Options options;
    private final Credentials credentials;
    private final HttpSettings settings;
    private final Consumer<String> log;
    private volatile HttpClient http;
    private volatile Site site;
    private volatile boolean answered;

    Bucket(
            String name,
            S3Options options,
            Site site,
            Credentials credentials,
            HttpSettings settings,
            Consumer<String> log) {
        this.name = name;
        this.options = options;
        this.site = site;
        this.credentials = credentials;
        this.settings = settings;
        this.http = new HttpClient(settings);
        this.log = log;
    }

    private Address address(Site site) {
        return Address.of(name, site.endpoint(), options.pathStyle(), site.region());
    }

    /** Returns the store's URL, unless it is Amazon's: there a bucket's name is enough, and the region may turn out later. */
    Optional<String> ownService() {
        return site.endpoint().map(Endpoint::toString);
    }

    /** Returns the URL of the store, for people. */
    String service() {
        return address(site).service();
    }

    /** Returns what refusals mean for a place of this bucket. */
    Verdict verdict(String place) {
        Site now = site;
        return new Verdict(place, name, now, address(now).inPath(), credentials.origin(), options.anonymous());
    }

    /**
     * Lists a page of the objects whose keys start with a prefix.
     *
     * @param place names what is listed, for errors
     */
    Listing list(String place, String prefix, Optional<String> token) throws IOException {
        Map<String, String> query = new TreeMap<>();
        query.put("list-type", "2");
        query.put("prefix", prefix);
        token.ifPresent(text -> query.put("continuation-token", text));
        try (HttpResponse answer = send(place, address -> address.query(query), Map.of())) {
            if (answer.header("Content-Type").orElse("").contains("html")) {
                throw new InitializerException(
                        service() + " answers with a web page; is it an S3 endpoint, or the port of a console?",
                        "NotFound",
                        null);
            }
            return Listing.read("the listing of " + place, answer.body());
        } catch (RefusedException e) {
            throw verdict(place).on(e.refusal());
        }
    }

    /**
     * What a store says when it is asked for one object.
     *
     * @param object the object, if there is one
     * @param refusal why the store does not say; empty: it did say
     */
    record Finding(Optional<StoredObject> object, Optional<Refusal> refusal) {
        private static final Finding NOTHING = new Finding(Optional.empty(), Optional.empty());

        private static Finding of(StoredObject object) {
            return new Finding(Optional.of(object), Optional.empty());
        }
    }

    /**
     * Looks whether there is an object with exactly this key, by asking for its first byte: unlike a HEAD request that
     * tells why it was refused, and unlike a listing it takes no right but that to read the object.
     */
    Finding find(String place, String key) throws IOException {
        try (HttpResponse answer = send(place, address -> address.object(key), Map.of("Range", "bytes=0-0"))) {
            OptionalLong size = size(answer);
            if (size.isEmpty()) {
                throw SourceException.retry("the answer does not tell the object's size", Optional.empty());
            }
            return Finding.of(new StoredObject(key, size.getAsLong(), ETag.bare(answer.header("ETag"))));
        } catch (RefusedException e) {
            Refusal refusal = e.refusal();
            return switch (refusal.status()) {
                // It has no first byte.
                case 416 -> Finding.of(new StoredObject(key, 0, Optional.empty()));
                case 404 -> {
                    if (refusal.code().equals("NoSuchBucket")) {
                        throw verdict(place).on(refusal);
                    }
                    boolean missing = refusal.code().isEmpty() || refusal.code().equals("NoSuchKey");
                    yield missing ? Finding.NOTHING : new Finding(Optional.empty(), Optional.of(refusal));
                }
                // Who may list but not read a missing object is told 403; some stores dislike to be asked for a
                // directory.
                case 400, 403, 405 -> new Finding(Optional.empty(), Optional.of(refusal));
                default -> throw verdict(place).on(refusal);
            };
        }
    }

    /** Opens a range of an object, as long as it is still the one with this tag. */
    RemoteBody open(String place, StoredObject object, long from, long end) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Range", "bytes=" + from + "-" + (end - 1));
        object.etag().ifPresent(tag -> headers.put("If-Match", '"' + tag + '"'));
        HttpResponse answer;
        try {
            answer = send(place, address -> address.object(object.key()), headers);
        } catch (RefusedException e) {
            if (e.refusal().status() == 404 && !e.refusal().code().equals("NoSuchBucket")) {
                throw SourceException.changed(place + " is gone since it was listed");
            }
            throw verdict(place).on(e.refusal());
        }
        Optional<String> tag = ETag.bare(answer.header("ETag"));
        // Not every store heeds If-Match.
        if (tag.isPresent() && object.etag().isPresent() && !tag.equals(object.etag())) {
            answer.abort();
            throw SourceException.changed(place + " has changed since it was listed");
        }
        return new RemoteBody(answer.body(), start(answer), size(answer), answer::abort);
    }

    private static long start(HttpResponse answer) throws SourceException {
        if (answer.status() != 206) {
            return 0;
        }
        String text = answer.header("Content-Range").orElse("");
        Matcher range = CONTENT_RANGE.matcher(text.strip());
        if (!range.matches()) {
            answer.abort();
            throw SourceException.retry(
                    "a part came without saying which (Content-Range '" + Shown.text(text) + "')", Optional.empty());
        }
        return Long.parseLong(range.group(1));
    }

    private static OptionalLong size(HttpResponse answer) {
        if (answer.status() != 206) {
            return answer.header("Content-Length")
                    .filter(text -> text.matches("\\d{1,18}"))
                    .map(text -> OptionalLong.of(Long.parseLong(text)))
                    .orElse(OptionalLong.empty());
        }
        return answer.header("Content-Range")
                .map(text -> CONTENT_RANGE.matcher(text.strip()))
                .filter(range -> range.matches() && !range.group(2).equals("*"))
                .map(range -> OptionalLong.of(Long.parseLong(range.group(2))))
                .orElse(OptionalLong.empty());
    }

    /** Sends a request, and once more if the store says that the bucket is in another region and none was given. */
    private HttpResponse send(String place, Function<Address, URI> target, Map<String, String> headers)
            throws IOException {
        for (boolean moved = false; ; moved = true) {
            Site asked = site;
            Optional<AwsCredentials> keys = credentials.get(place);
            HttpResponse answer = exchange(target.apply(address(asked)), headers, keys, asked.region());
            if (answer.status() / 100 == 2) {
                return answer;
            }
            Refusal refusal;
            try (answer) {
                refusal = Refusal.of(answer).without(keys);
            }
            Optional<String> region = refusal.otherRegion(asked.region());
            if (moved || asked.regionGiven() || region.isEmpty()) {
                throw new RefusedException(refusal);
            }
            log.accept("the bucket " + name + " is in " + region.get() + ", not in " + asked.region()
                    + "; going on there (the option region saves this detour)");
            site = asked.in(region.get());
        }
    }

    private HttpResponse exchange(URI uri, Map<String, String> headers, Optional<AwsCredentials> keys, String region)
            throws IOException {
        HttpRequest request = new HttpRequest(uri, headers, Optional.empty());
        if (keys.isPresent()) {
            request = Signing.sign(request, keys.get(), region);
        }
        try {
            HttpResponse answer = http.send(request);
            answered = true;
            return answer;
        } catch (IOException e) {
            throw answered ? e : firstFailure(e);
        }
    }

    /** As long as nothing was ever answered, it may be the endpoint that is wrong. */
    private IOException firstFailure(IOException e) {
        Site now = site;
        boolean unknownHost = e.getCause() instanceof UnknownHostException;
        boolean schemeGuessed = !now.endpoint().map(Endpoint::schemeGiven).orElse(true);
        String advice = "";
        if (now.endpoint().isEmpty() && unknownHost) {
            advice = "; check the region " + now.region();
        } else if (unknownHost && !address(now).inPath()) {
            advice = "; if the store has no host for each bucket, leave out path_style=false";
        } else if (schemeGuessed && !(e instanceof SSLHandshakeException)) {
            advice = "; the endpoint was given without scheme and taken as https: if the store speaks plain HTTP, write"
                    + " http:// before it";
        }
        if (advice.isEmpty()) {
            return e;
        }
        String why = e.getClass().getSimpleName() + ": " + Shown.text(e.getMessage()) + advice;
        if (e instanceof SSLException) {
            throw new InitializerException("no connection to " + service() + " (" + why + ")", "Network", e);
        }
        return new IOException(why, e);
    }

    /** Makes all requests under way fail at once; others may follow, when a change has the bucket listed once more. */
    synchronized void abort() {
        http.close();
        http = new HttpClient(settings);
    }

    @Override
    public synchronized void close() {
        credentials.close();
        http.close();
    }
}
