package io.github.trainer4j.examples.quickstart;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;

/**
 * A real S3 server within this process, on a free port of the loopback address; it checks signatures as any other does,
 * and keeps its objects as files of a directory.
 */
final class ObjectStore implements AutoCloseable {
    static final String ACCESS_KEY = "led-reader";
    static final String SECRET_KEY = "led-reader-secret";

    private final Path directory;
    private final BlobStore blobs;
    private final S3Proxy server;

    ObjectStore(Path directory) throws Exception {
        this.directory = Files.createDirectories(directory).toRealPath();
        Properties properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", this.directory.toString());
        blobs = BlobStores.create("filesystem-nio2", properties);
        server = S3Proxy.builder()
                .blobStore(blobs)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                .build();
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getPort();
    }

    void put(String bucket, String key, String text) throws IOException {
        Path file = directory.resolve(bucket).resolve(key);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws Exception {
        server.stop();
        blobs.close();
    }
}
