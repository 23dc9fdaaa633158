package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.testkit.InitializerContract;
import io.github.trainer4j.testkit.InitializerUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

class S3InitializerContractTest extends InitializerContract {
    private final CountDownLatch over = new CountDownLatch(1);
    private FakeS3 store;

    @Override
    protected InitializerUnderTest initializer(Path work) {
        try {
            store = new FakeS3();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        store.put("data/a.txt", "content of a", "1").put("data/sub/b.txt", "0123456789".repeat(5000), "2-2");
        store.put("data/empty", "", "3").put("data-2/c.txt", "not wanted", "4");
        return InitializerUnderTest.of(new S3InitializerProvider(), store.dataset("s3://bkt/data"))
                .file("a.txt", "content of a")
                .file("sub/b.txt", "0123456789".repeat(5000))
                .file("empty", "")
                .option("region", "eu-central-1")
                .option("role_arn", "arn:aws:iam::123456789012:role/reader")
                .option("path_style", "true")
                .option("ignore_patterns", "*.md,*.png")
                .secretOption("session_token")
                .malformed(
                        InitializerSpec.dataset("s3://b/too-short"),
                        InitializerSpec.dataset("s3:///key"),
                        InitializerSpec.dataset("s3://bucket/k").option("endpoint", "ftp://h"),
                        InitializerSpec.dataset("s3://bucket/k").secret("access_key_id", Secret.of("alone")))
                .requests(() -> store.requests().size())
                .fails(() -> store.fault(FakeS3.once(
                        request -> request.isFor("b.txt"), (request, reply) -> reply.error(403, "AccessDenied", ""))))
                .hangs(() -> store.fault(FakeS3.once(request -> request.isFor("b.txt"), (request, reply) -> waits())));
    }

    private boolean waits() {
        try {
            // Longer than the contract waits for the end; should the interrupt come before the request, the next fetch
            // waits.
            over.await(15, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // The test is over.
        }
        return true;
    }

    @AfterEach
    void stop() {
        over.countDown();
        store.close();
    }
}
