package io.github.trainer4j.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.transfer.TransferSettings;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class S3InitializerTest {
    private static final Secret ID = Secret.of("canary-id");
    private static final Secret KEY = Secret.of("canary-key");
    private static final Secret TOKEN = Secret.of("canary-token");
    private static final String MODEL_DEFAULTS = "*.msgpack,*.h5,*.bin,*.pt,*.pth";

    @Test
    void theProviderIsFoundByItsScheme() {
        assertThat(ServiceLoader.load(InitializerProvider.class).stream().map(ServiceLoader.Provider::get))
                .hasAtLeastOneElementOfType(S3InitializerProvider.class)
                .extracting(InitializerProvider::scheme)
                .contains("s3");
    }

    @Test
    void theComfortYieldsWhatCanBeWrittenByHand() {
        InitializerSpec byHand = InitializerSpec.model("s3://models/base/")
                .option("endpoint", "127.0.0.1:9000")
                .option("region", "eu-west-1")
                .option("role_arn", "arn:aws:iam::123456789012:role/reader")
                .option("path_style", "false")
                .option("ignore_patterns", "*.md,*.bin")
                .secret("access_key_id", ID)
                .secret("secret_access_key", KEY)
                .secret("session_token", TOKEN);

        assertThat(S3.model("s3://models/base/")
                        .endpoint("127.0.0.1:9000")
                        .region("eu-west-1")
                        .roleArn("arn:aws:iam::123456789012:role/reader")
                        .pathStyle(false)
                        .ignorePatterns("*.md", "*.bin")
                        .credentials(ID, KEY, TOKEN)
                        .spec())
                .isEqualTo(byHand);
        assertThat(S3.dataset("s3://open/data").anonymous().spec())
                .isEqualTo(InitializerSpec.dataset("s3://open/data").option("anonymous", "true"));
    }

    @Test
    void aPlanHasKubeflowsVariablesAndSecretsApart() {
        InitializerPlan plan = plan(S3.dataset("s3://data/train/")
                .endpoint("127.0.0.1:9000")
                .region("eu-west-1")
                .roleArn("arn:aws:iam::123456789012:role/reader")
                .pathStyle(true)
                .ignorePatterns("*.md", "*.bin")
                .credentials(ID, KEY, TOKEN)
                .spec());

        assertThat(plan.target()).isEqualTo(InitializerTarget.DATASET);
        assertThat(plan.storageUri()).isEqualTo("s3://data/train/");
        assertThat(plan.environment())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "STORAGE_URI", "s3://data/train/",
                        "ENDPOINT", "https://127.0.0.1:9000",
                        "REGION", "eu-west-1",
                        "ROLE_ARN", "arn:aws:iam::123456789012:role/reader",
                        "PATH_STYLE", "true",
                        "IGNORE_PATTERNS", "*.md,*.bin"));
        assertThat(plan.secretEnvironment())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("ACCESS_KEY_ID", ID, "SECRET_ACCESS_KEY", KEY, "SESSION_TOKEN", TOKEN));
        assertThat(plan.toString()).doesNotContain("canary");
    }

    @Test
    void aPlanOfNothingButAUriHasNothingButTheUri() {
        assertThat(plan(InitializerSpec.dataset("s3://data")).environment())
                .isEqualTo(Map.of("STORAGE_URI", "s3://data"));
        assertThat(plan(InitializerSpec.dataset("s3://data").option("anonymous", "true"))
                        .environment())
                .isEqualTo(Map.of("STORAGE_URI", "s3://data", "ANONYMOUS", "true"));
    }

    @Test
    void aReferenceToASecretStaysOneInThePlanAndIsNotFetchedHere() {
        Initializer initializer = new S3InitializerProvider()
                .create(S3.dataset("s3://data")
                        .credentials(Secret.reference("store", "id"), Secret.reference("store", "key"))
                        .spec());

        assertThat(initializer.plan().secretEnvironment())
                .containsEntry("ACCESS_KEY_ID", Secret.reference("store", "id"));
        assertThat(initializer.fetcher()).isEmpty();
    }

    @Test
    void aDirectoryBucketIsRefusedBeforeAnythingStarts() {
        InitializerSpec express = InitializerSpec.dataset("s3://data--usw2-az1--x-s3/");

        assertThatThrownBy(() -> new S3InitializerProvider().create(express))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("data--usw2-az1--x-s3")
                .hasMessageContaining("general kind");
    }

    @Test
    void aPlaceIsCalledTheSameWhateverItsRegionAndApartByEndpoint() throws Exception {
        assertThat(identity(S3.dataset("s3://data/x").region("eu-west-1").anonymous()))
                .isEqualTo(
                        identity(S3.dataset("s3://data/x").region("us-east-1").anonymous()))
                .isEqualTo("s3://data/x");
        assertThat(identity(S3.dataset("s3://data/x").endpoint("h:9000").anonymous()))
                .isEqualTo("s3://data/x at https://h:9000");
    }

    private static String identity(S3 description) throws Exception {
        try (S3Source source =
                new S3Initializer(description.spec()).source(new Fetching(), TransferSettings.defaults())) {
            return source.identity();
        }
    }

    /** The defaults hold when nothing is said, and an empty list is a list. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "MODEL   | s3://bkt/m/      | null         | " + MODEL_DEFAULTS,
                "MODEL   | s3://bkt/m/      | ''           | ''",
                "MODEL   | s3://bkt/m/      | *.bin        | *.bin",
                "MODEL   | s3://bkt/m/      | ' *.a , ,*b' | *.a,*b",
                "MODEL   | s3://bkt/m       | null         | " + MODEL_DEFAULTS,
                "MODEL   | s3://bkt/w.bin   | null         | *.msgpack,*.h5,*.pt,*.pth",
                "MODEL   | s3://bkt/w.bin   | *.bin        | *.bin",
                "MODEL   | s3://bkt/w.bin/  | null         | " + MODEL_DEFAULTS,
                "DATASET | s3://bkt/d/      | null         | null",
                "DATASET | s3://bkt/d/      | ''           | ''",
                "DATASET | s3://bkt/d/      | *.bin        | *.bin",
            })
    void thePlanTellsTheEffectivePatterns(InitializerTarget target, String uri, String option, String variable) {
        InitializerSpec spec = InitializerSpec.of(target, uri);

        InitializerPlan plan = plan(option == null ? spec : spec.option("ignore_patterns", option));

        assertThat(plan.environment().get("IGNORE_PATTERNS")).isEqualTo(variable);
    }

    @Test
    void noPatternAtAllIsAPatternListToo() {
        assertThat(S3.model("s3://bkt").ignorePatterns().spec().options()).containsEntry("ignore_patterns", "");
        for (String pattern : List.of("a,b", "", " ")) {
            assertThatThrownBy(() -> S3.model("s3://bkt").ignorePatterns(pattern))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("comma");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "endpont=h:9000                     | did you mean endpoint?",
                "ignore_pattern=*.bin               | did you mean ignore_patterns?",
                "revision=main                      | there are endpoint, region",
                "endpoint=s3://h                    | http://host:port",
                "endpoint=                          | blank",
                "region=eu west                     | eu-central-1",
                "region=                            | blank",
                "role_arn=reader                    | arn:aws:iam::123456789012:role/name",
                "anonymous=yes                      | true or false",
                "path_style=1                       | true or false",
                "access_key_id=canary               | is a secret",
                "secret_access_key=canary           | is a secret",
                "session_token=canary               | is a secret",
            })
    void anOptionThatIsWrongIsRefusedWithWhatIsRight(String option, String advice) {
        int equals = option.indexOf('=');
        InitializerSpec spec = InitializerSpec.dataset("s3://bucket/data/")
                .option(option.substring(0, equals), option.substring(equals + 1));

        assertThatThrownBy(() -> new S3InitializerProvider().create(spec))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(option.substring(0, equals))
                .hasMessageContaining(advice)
                .hasMessageNotContaining("canary");
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        InitializerSpec spec = InitializerSpec.dataset("s3://bucket");

        for (InitializerSpec wrong : List.of(
                spec.secret("access_key_id", ID),
                spec.secret("secret_access_key", KEY),
                spec.secret("session_token", TOKEN),
                spec.secret("endpoint", Secret.of("h")),
                spec.secret("acces_key_id", ID),
                spec.option("anonymous", "true").secret("access_key_id", ID).secret("secret_access_key", KEY),
                spec.option("anonymous", "true").option("role_arn", "arn:aws:iam::123456789012:role/r"))) {
            assertThatThrownBy(() -> new S3InitializerProvider().create(wrong))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageNotContaining("canary");
        }
    }

    @Test
    void anEndpointMakesNamesOfOldPossible() {
        assertThat(S3.dataset("s3://My_Bucket/data")
                        .endpoint("minio:9000")
                        .spec()
                        .storageUri())
                .isEqualTo("s3://My_Bucket/data");
        assertThatThrownBy(() -> S3.dataset("s3://My_Bucket/data").spec()).isInstanceOf(InvalidJobException.class);
    }

    private static InitializerPlan plan(InitializerSpec spec) {
        return new S3InitializerProvider().create(spec).plan();
    }
}
