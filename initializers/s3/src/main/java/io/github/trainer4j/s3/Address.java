package io.github.trainer4j.s3;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;

/**
 * The URLs of one bucket. A key goes into them as RFC 3986 says, byte by byte, and its slashes and dots stay where they
 * are: what is listed, signed and fetched is the same text.
 *
 * @param service the URL of the store, for people
 * @param root the bucket's URL, without a slash at its end
 * @param inPath whether the bucket is part of the path
 */
record Address(String service, String root, boolean inPath) {
    /** Returns the address of a bucket at an endpoint, or at Amazon if there is none. */
    static Address of(String bucket, Optional<Endpoint> endpoint, Optional<Boolean> pathStyle, String region) {
        String scheme = endpoint.map(Endpoint::scheme).orElse("https");
        String authority = endpoint.map(Endpoint::authority).orElseGet(() -> amazon(region));
        String path = endpoint.map(Endpoint::path).orElse("");
        // Amazon's certificate is good for one name before its own, so a bucket with a dot cannot be part of the host.
        boolean inPath = pathStyle.orElse(endpoint.isPresent() || bucket.indexOf('.') >= 0);
        return new Address(
                scheme + "://" + authority + path,
                inPath
                        ? scheme + "://" + authority + path + "/" + bucket
                        : scheme + "://" + bucket + "." + authority + path,
                inPath);
    }

    private static String amazon(String region) {
        Region known = Region.of(region);
        return "s3." + region + "." + PartitionMetadata.of(known).dnsSuffix();
    }

    /** Returns the URL of an object. */
    URI object(String key) {
        return URI.create(root + "/" + encoded(key, true));
    }

    /** Returns the bucket's URL with a query. */
    URI query(Map<String, String> parameters) {
        StringJoiner query = new StringJoiner("&");
        parameters.forEach((name, value) -> query.add(encoded(name, false) + "=" + encoded(value, false)));
        return URI.create(root + (inPath ? "?" : "/?") + query);
    }

    private static String encoded(String text, boolean keepSlash) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isUnreserved(c) || (keepSlash && c == '/')) {
                encoded.append(c);
            } else {
                encoded.append(String.format("%%%02X", (int) c));
            }
        }
        return encoded.toString();
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}
