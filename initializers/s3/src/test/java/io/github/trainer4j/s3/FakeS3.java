package io.github.trainer4j.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store with one bucket, {@code bkt}, for what a real server cannot be made to do: odd listings, faults, other people's
 * habits. It checks no signature.
 */
final class FakeS3 implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Stored> objects = new TreeMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private volatile int pageSize = 1000;
    private volatile boolean heedsIfMatch = true;
    private volatile String encodingType = "";

    private record Stored(String content, String etag) {}

    /** What came in: the path as it was sent, the query decoded, headers by lower-case name. */
    record Request(String rawPath, Map<String, String> query, Map<String, String> headers) {
        boolean isListing() {
            return query.containsKey("list-type");
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        boolean isFor(String key) {
            return !isListing()
                    && URLDecoder.decode(rawPath.replace("+", "%2B"), StandardCharsets.UTF_8)
                            .endsWith("/" + key);
        }
    }

    /** Answers instead of the store, as often as it likes; false: the store answers. */
    interface Fault {
        boolean answer(Request request, Reply reply) throws IOException;
    }

    /** One answer. */
    static final class Reply {
        private final HttpExchange exchange;

        private Reply(HttpExchange exchange) {
            this.exchange = exchange;
        }

        Reply header(String name, String value) {
            exchange.getResponseHeaders().set(name, value);
            return this;
        }

        boolean send(int status, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            return true;
        }

        boolean error(int status, String code, String more) throws IOException {
            header("Content-Type", "application/xml");
            return send(status, "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code>" + more + "</Error>");
        }

        /** Promises a part of a content and gives only so many bytes of it. */
        boolean cut(byte[] content, int from, int end, int given) throws IOException {
            header("Content-Range", "bytes " + from + "-" + (end - 1) + "/" + content.length);
            exchange.sendResponseHeaders(206, end - from);
            exchange.getResponseBody().write(content, from, given);
            exchange.getResponseBody().flush();
            throw new IOException("cut off on purpose");
        }
    }

    FakeS3() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Puts an object; the content is ASCII. */
    FakeS3 put(String key, String content, String etag) {
        synchronized (objects) {
            objects.put(key, new Stored(content, etag));
        }
        return this;
    }

    /** Puts an object whose content is its key. */
    FakeS3 put(String... keys) {
        for (String key : keys) {
            put(key, key.endsWith("/") ? "" : "content of " + key, "etag-of-" + key.length());
        }
        return this;
    }

    void remove(String key) {
        synchronized (objects) {
            objects.remove(key);
        }
    }

    FakeS3 pageSize(int size) {
        pageSize = size;
        return this;
    }

    FakeS3 ignoringIfMatch() {
        heedsIfMatch = false;
        return this;
    }

    /** Answers listings url-encoded though nobody asked for it. */
    FakeS3 encodingListings() {
        encodingType = "url";
        return this;
    }

    FakeS3 fault(Fault fault) {
        faults.add(fault);
        return this;
    }

    /** Does something the first so many times. */
    static Fault times(int times, Fault fault) {
        AtomicInteger left = new AtomicInteger(times);
        return (request, reply) -> left.getAndDecrement() > 0 && fault.answer(request, reply);
    }

    /** Does something to the first request of a kind. */
    static Fault once(Predicate<Request> kind, Fault fault) {
        AtomicBoolean done = new AtomicBoolean();
        return (request, reply) ->
                kind.test(request) && done.compareAndSet(false, true) && fault.answer(request, reply);
    }

    List<Request> requests() {
        return requests;
    }

    InitializerSpec dataset(String uri) {
        return S3.dataset(uri)
                .endpoint(endpoint())
                .credentials(Secret.of("canary-id"), Secret.of("canary-key"))
                .spec();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Request request = read(exchange);
            requests.add(request);
            Reply reply = new Reply(exchange);
            for (Fault fault : faults) {
                if (fault.answer(request, reply)) {
                    return;
                }
            }
            if (!request.rawPath.equals("/bkt") && !request.rawPath.startsWith("/bkt/")) {
                reply.error(404, "NoSuchBucket", "<BucketName>x</BucketName>");
            } else if (request.isListing()) {
                reply.header("Content-Type", "application/xml").send(200, listing(request));
            } else {
                object(request, reply);
            }
        }
    }

    private static Request read(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        for (String pair : Optional.ofNullable(exchange.getRequestURI().getRawQuery())
                .orElse("")
                .split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals >= 0) {
                query.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        return new Request(exchange.getRequestURI().getRawPath(), query, headers);
    }

    /** The token of the page that starts at an object; with characters that only survive when they are encoded. */
    private static String token(int index) {
        return "a+b/=" + index;
    }

    private String listing(Request request) {
        List<String> keys = new ArrayList<>();
        StringBuilder xml = new StringBuilder("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
        synchronized (objects) {
            objects.keySet().stream()
                    .filter(key -> key.startsWith(request.query.getOrDefault("prefix", "")))
                    .forEach(keys::add);
            String token = request.query.getOrDefault("continuation-token", token(0));
            if (!token.startsWith(token(0).substring(0, 5))) {
                return "<Error><Code>InvalidArgument</Code></Error>";
            }
            int from = Integer.parseInt(token.substring(5));
            int end = Math.min(keys.size(), from + pageSize);
            for (String key : keys.subList(from, end)) {
                Stored stored = objects.get(key);
                xml.append("<Contents><Key>").append(escaped(key)).append("</Key><Size>");
                xml.append(stored.content.length()).append("</Size><ETag>&quot;");
                xml.append(stored.etag).append("&quot;</ETag></Contents>");
            }
            xml.append("<IsTruncated>").append(end < keys.size()).append("</IsTruncated>");
            if (end < keys.size()) {
                xml.append("<NextContinuationToken>").append(token(end)).append("</NextContinuationToken>");
            }
        }
        if (!encodingType.isEmpty()) {
            xml.append("<EncodingType>").append(encodingType).append("</EncodingType>");
        }
        return xml.append("</ListBucketResult>").toString();
    }

    private String escaped(String key) {
        if (encodingType.isEmpty()) {
            return key.replace("&", "&amp;").replace("<", "&lt;");
        }
        // As some stores do: everything but a plus sign.
        return java.net.URLEncoder.encode(key, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2B", "+");
    }

    private void object(Request request, Reply reply) throws IOException {
        String path = URLDecoder.decode(request.rawPath.replace("+", "%2B"), StandardCharsets.UTF_8);
        Stored stored;
        synchronized (objects) {
            stored = objects.get(path.substring("/bkt/".length()));
        }
        if (stored == null) {
            reply.error(404, "NoSuchKey", "");
            return;
        }
        String tag = "\"" + stored.etag + "\"";
        if (heedsIfMatch
                && !request.header("if-match").isEmpty()
                && !request.header("if-match").equals(tag)) {
            reply.error(412, "PreconditionFailed", "");
            return;
        }
        reply.header("ETag", tag);
        Matcher range = RANGE.matcher(request.header("range"));
        if (!range.matches()) {
            reply.send(200, stored.content);
            return;
        }
        int from = Integer.parseInt(range.group(1));
        int end = Math.min(stored.content.length(), Integer.parseInt(range.group(2)) + 1);
        if (from >= stored.content.length()) {
            reply.error(416, "InvalidRange", "");
            return;
        }
        reply.header("Content-Range", "bytes " + from + "-" + (end - 1) + "/" + stored.content.length());
        reply.send(206, stored.content.substring(from, end));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
