package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who signs, and where endpoint and region come from. */
class S3CredentialsTest {
    private static final Map<String, String> KEYS =
            Map.of("AWS_ACCESS_KEY_ID", "env-id", "AWS_SECRET_ACCESS_KEY", "canary-env-key");

    private FakeS3 store;

    @TempDir
    private Path target;

    @BeforeEach
    void start() throws IOException {
        store = new FakeS3();
        store.put("p/a");
    }

    @AfterEach
    void stop() {
        store.close();
    }

    @Test
    void theKeysOfTheOptionsComeFirst() throws Exception {
        Fetching fetching = new Fetching(KEYS);

        fetching.fetch(store.dataset("s3://bkt/p/"), target);

        assertThat(store.requests())
                .allMatch(request -> request.header("authorization").contains("Credential=canary-id/"))
                .allMatch(request -> request.header("x-amz-security-token").isEmpty());
        assertThat(fetching.log()).contains("the keys of the options").doesNotContain("canary");
    }

    @Test
    void aSessionTokenIsSentAlong() throws Exception {
        InitializerSpec spec = S3.dataset("s3://bkt/p/")
                .endpoint(store.endpoint())
                .credentials(Secret.of("canary-id"), Secret.of("canary-key"), Secret.of("canary-token"))
                .spec();
        Fetching fetching = new Fetching();

        fetching.fetch(spec, target);

        assertThat(store.requests())
                .hasSizeGreaterThan(1)
                .allMatch(request -> request.header("x-amz-security-token").equals("canary-token"));
        assertThat(fetching.log()).doesNotContain("canary");
    }

    @Test
    void theKeysOfTheEnvironmentAreNextWithTheirToken() throws Exception {
        Fetching fetching = new Fetching(Map.of(
                "AWS_ACCESS_KEY_ID", "env-id",
                "AWS_SECRET_ACCESS_KEY", "canary-env-key",
                "AWS_SESSION_TOKEN", "canary-env-token"));

        fetching.fetch(S3.dataset("s3://bkt/p/").endpoint(store.endpoint()).spec(), target);

        assertThat(store.requests())
                .allMatch(request -> request.header("authorization").contains("Credential=env-id/"))
                .allMatch(request -> request.header("x-amz-security-token").equals("canary-env-token"));
        assertThat(fetching.log()).contains("AWS_ACCESS_KEY_ID").doesNotContain("canary");
    }

    @Test
    void anonymousSignsNothingWhateverKeysLieAround() throws Exception {
        new Fetching(KEYS)
                .fetch(
                        S3.dataset("s3://bkt/p/")
                                .endpoint(store.endpoint())
                                .anonymous()
                                .spec(),
                        target);

        assertThat(store.requests())
                .hasSizeGreaterThan(1)
                .allMatch(request -> request.header("authorization").isEmpty())
                .noneMatch(request -> request.headers().keySet().stream().anyMatch(name -> name.startsWith("x-amz-")));
        assertThat(Fetching.files(target)).containsOnlyKeys("a");
    }

    @Test
    void whereNoKeysAreFoundTheErrorOffersAnonymous() {
        InitializerSpec spec =
                S3.dataset("s3://bkt/p/").endpoint(store.endpoint()).spec();

        assertThatThrownBy(() -> new Fetching().fetch(spec, target))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("Unauthorized"))
                .hasMessageContaining("s3://bkt/p/ at " + store.endpoint())
                .hasMessageContaining("AWS_ACCESS_KEY_ID")
                .hasMessageContaining("anonymous=true");
        assertThat(store.requests()).isEmpty();
    }

    @Test
    void anonymousWhereItIsNotAllowedSaysSo() {
        store.fault((request, reply) -> reply.error(403, "AccessDenied", ""));
        InitializerSpec spec =
                S3.dataset("s3://bkt/p/").endpoint(store.endpoint()).anonymous().spec();

        assertThatThrownBy(() -> new Fetching().fetch(spec, target))
                .isInstanceOf(InitializerException.class)
                .hasMessageContaining("leave out anonymous");
    }

    @Test
    void theEndpointMayComeFromTheEnvironment() throws Exception {
        Map<String, String> environment = Map.of(
                "AWS_ACCESS_KEY_ID", "env-id",
                "AWS_SECRET_ACCESS_KEY", "k",
                "AWS_ENDPOINT_URL", "http://127.0.0.1:1",
                "AWS_ENDPOINT_URL_S3", store.endpoint(),
                "AWS_REGION", "eu-west-3");

        new Fetching(environment).fetch(InitializerSpec.dataset("s3://bkt/p/"), target);

        assertThat(store.requests())
                .allMatch(request -> request.header("authorization").contains("/eu-west-3/s3/"));
        assertThat(Fetching.files(target)).containsOnlyKeys("a");
    }

    @Test
    void theRegionOfTheOptionsComesBeforeThatOfTheEnvironmentAndUsEast1Last() throws Exception {
        new Fetching(Map.of("AWS_REGION", "eu-west-3"))
                .fetch(store.dataset("s3://bkt/p/").option("region", "garage"), target);
        assertThat(store.requests())
                .allMatch(request -> request.header("authorization").contains("/garage/s3/"));
        store.requests().clear();

        new Fetching().fetch(store.dataset("s3://bkt/p/a"), target);
        assertThat(store.requests())
                .allMatch(request -> request.header("authorization").contains("/us-east-1/s3/"));
    }

    @Test
    void aRoleIsTakenOnWithTheKeysThereAre() throws Exception {
        AtomicReference<String> asked = new AtomicReference<>("");
        try (FakeS3 sts = new FakeS3()) {
            sts.fault((request, reply) -> {
                asked.set(request.header("authorization"));
                return reply.header("Content-Type", "text/xml").send(200, """
                                <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
                                <Credentials><AccessKeyId>role-id</AccessKeyId><SecretAccessKey>role-key</SecretAccessKey>
                                <SessionToken>role-token</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>
                                </Credentials></AssumeRoleResult></AssumeRoleResponse>""");
            });

            new Fetching(Map.of("AWS_ENDPOINT_URL_STS", sts.endpoint()))
                    .fetch(
                            store.dataset("s3://bkt/p/").option("role_arn", "arn:aws:iam::123456789012:role/reader"),
                            target);
        }

        assertThat(asked.get()).contains("Credential=canary-id/").contains("/sts/");
        assertThat(store.requests())
                .hasSizeGreaterThan(1)
                .allMatch(request -> request.header("authorization").contains("Credential=role-id/"))
                .allMatch(request -> request.header("x-amz-security-token").equals("role-token"));
    }

    @Test
    void aRoleThatIsRefusedIsAnErrorWithTheRole() throws Exception {
        try (FakeS3 sts = new FakeS3()) {
            sts.fault((request, reply) -> reply.header("Content-Type", "text/xml")
                    .send(
                            403,
                            "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not yours</Message>"
                                    + "</Error></ErrorResponse>"));
            InitializerSpec spec =
                    store.dataset("s3://bkt/p/").option("role_arn", "arn:aws:iam::123456789012:role/reader");

            assertThatThrownBy(() -> new Fetching(Map.of("AWS_ENDPOINT_URL_STS", sts.endpoint())).fetch(spec, target))
                    .isInstanceOf(InitializerException.class)
                    .hasMessageContaining("role/reader")
                    .hasMessageContaining("not yours")
                    .hasMessageNotContaining("canary");
        }
    }

    /** What a pod with a role of its service account has: a token in a file, and no keys at all. */
    @Test
    void aWebIdentityIsTakenFromTheDefaultChain() throws Exception {
        Path token = Files.writeString(target.resolve("token"), "web-token");
        try (FakeS3 sts = new FakeS3()) {
            sts.fault(
                    (request, reply) -> reply.header("Content-Type", "text/xml").send(200, """
                            <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                            <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>web-id</AccessKeyId>
                            <SecretAccessKey>web-key</SecretAccessKey><SessionToken>web-session</SessionToken>
                            <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>
                            </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"""));
            Map<String, String> properties = Map.of(
                    "aws.webIdentityTokenFile",
                    token.toString(),
                    "aws.roleArn",
                    "arn:aws:iam::123456789012:role/pod",
                    "aws.region",
                    "eu-west-1",
                    "aws.endpointUrlSts",
                    sts.endpoint());
            try {
                properties.forEach(System::setProperty);
                new Fetching()
                        .fetch(
                                S3.dataset("s3://bkt/p/")
                                        .endpoint(store.endpoint())
                                        .spec(),
                                target);
            } finally {
                properties.keySet().forEach(System::clearProperty);
            }
        }

        assertThat(store.requests())
                .hasSizeGreaterThan(1)
                .allMatch(request -> request.header("authorization").contains("Credential=web-id/"))
                .allMatch(request -> request.header("x-amz-security-token").equals("web-session"));
    }
}
