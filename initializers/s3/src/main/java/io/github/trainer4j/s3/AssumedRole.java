package io.github.trainer4j.s3;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** The temporary keys of a role, renewed before they expire. */
final class AssumedRole implements AwsCredentialsProvider, SdkAutoCloseable {
    private final AwsCredentialsProvider own;
    private final StsClient sts;
    private final StsAssumeRoleCredentialsProvider provider;

    private AssumedRole(AwsCredentialsProvider own, StsClient sts, String role) {
        this.own = own;
        this.sts = sts;
        this.provider = StsAssumeRoleCredentialsProvider.builder()
                .stsClient(sts)
                .refreshRequest(request -> request.roleArn(role).roleSessionName("trainer4j"))
                .build();
    }

    /**
     * Returns the keys of a role; asks for them at first use.
     *
     * @param own who takes on the role
     */
    static AssumedRole of(String role, AwsCredentialsProvider own, String region, Map<String, String> environment) {
        StsClientBuilder sts = StsClient.builder()
                .httpClient(UrlConnectionHttpClient.create())
                .credentialsProvider(own)
                .region(Region.of(region));
        Credentials.text(environment, "AWS_ENDPOINT_URL_STS").map(URI::create).ifPresent(sts::endpointOverride);
        return new AssumedRole(own, sts.build(), role);
    }

    @Override
    public AwsCredentials resolveCredentials() {
        return provider.resolveCredentials();
    }

    @Override
    public void close() {
        provider.close();
        sts.close();
        if (own instanceof SdkAutoCloseable closeable) {
            closeable.close();
        }
    }
}
