package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A real S3 server in this JVM, filled by the SDK's own client, which encodes and signs apart from us. */
final class Store implements AutoCloseable {
    static final String ID = "test-access-key";
    static final String KEY = "test-secret-key";

    private final BlobStore blobs;
    private final S3Proxy server;
    private final S3Client client;

    /** Starts a server that keeps its objects in a directory and knows one pair of keys. */
    Store(Path directory) throws Exception {
        Properties properties = new Properties();
        properties.setProperty(
                "jclouds.filesystem.basedir", directory.toRealPath().toString());
        blobs = BlobStores.create("filesystem-nio2", properties);
        server = S3Proxy.builder()
                .blobStore(blobs)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, ID, KEY)
                .build();
        server.start();
        client = S3Client.builder()
                .endpointOverride(URI.create(endpoint()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(ID, KEY)))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getPort();
    }

    void bucket(String name) {
        client.createBucket(request -> request.bucket(name));
    }

    void put(String bucket, String key, byte[] content) {
        client.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromBytes(content));
    }

    void put(String bucket, String key, String content) {
        put(bucket, key, content.getBytes(StandardCharsets.UTF_8));
    }

    S3Client client() {
        return client;
    }

    /** Describes a dataset of this store, with the right keys. */
    InitializerSpec dataset(String uri) {
        return S3.dataset(uri)
                .endpoint(endpoint())
                .credentials(Secret.of(ID), Secret.of(KEY))
                .spec();
    }

    @Override
    public void close() throws Exception {
        client.close();
        server.stop();
        blobs.close();
    }
}
