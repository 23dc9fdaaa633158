package io.github.trainer4j.s3;

import io.github.trainer4j.api.Secret;
import io.github.trainer4j.transfer.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/** Signs GET requests (signature version 4). */
final class Signing {
    private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();

    private Signing() {}

    /** Returns the request with the headers that sign it; what it has itself is signed too. */
    static HttpRequest sign(HttpRequest request, AwsCredentials keys, String region) {
        SdkHttpRequest.Builder plain =
                SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(request.uri());
        request.headers().forEach(plain::putHeader);
        // A key is what it is: its path is not encoded a second time, and "//" and ".." stay in it.
        Map<String, List<String>> signed = SIGNER.sign(sign -> sign.request(plain.build())
                        .identity(keys)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false))
                .request()
                .headers();
        Map<String, String> headers = new LinkedHashMap<>();
        Optional<Secret> authorization = Optional.empty();
        for (Map.Entry<String, List<String>> header : signed.entrySet()) {
            String value = String.join(",", header.getValue());
            if (header.getKey().equalsIgnoreCase("Authorization")) {
                authorization = Optional.of(Secret.of(value));
            } else if (!header.getKey().equalsIgnoreCase("Host")) {
                // The client writes the host itself, and the same.
                headers.put(header.getKey(), value);
            }
        }
        return new HttpRequest(request.uri(), headers, authorization);
    }
}
