package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.AuthProviderConfig;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.github.trainer4j.api.BackendUnavailableException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How to reach an API server, and as whom.
 *
 * @param client the connection; the server is not called yet
 * @param namespace where jobs are
 */
record Access(KubernetesClient client, String namespace) {
    private static final Logger LOG = LoggerFactory.getLogger(Access.class);
    private static final Path POD = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    /** Files of tokens are replaced long before what they held expires. */
    private static final Duration FILE_GOOD_FOR = Duration.ofSeconds(10);
    /** Before a token ends, for the way and for clocks that differ. */
    private static final Duration MARGIN = Duration.ofSeconds(10);
    /** With a pause that begins with 0.1 s and doubles: 6 s, in which a server comes back that was only restarted. */
    private static final int RETRIES = 6;

    /**
     * Finds a cluster: with a kubeconfig, else as a pod of it.
     *
     * @throws BackendUnavailableException if nothing says where there is a cluster, or it cannot be used
     */
    static Access find(KubernetesSettings settings) {
        List<String> tried = new ArrayList<>();
        Optional<Kubeconfig> kubeconfig = Kubeconfig.find(settings, tried);
        if (kubeconfig.isPresent()) {
            return of(kubeconfig.get(), settings);
        }
        String host = settings.environment().getOrDefault("KUBERNETES_SERVICE_HOST", "");
        if (host.isEmpty()) {
            tried.add("KUBERNETES_SERVICE_HOST: not set, so this is no pod");
            throw new BackendUnavailableException(
                    "nothing says where there is a cluster; name a kubeconfig with the setting kubernetes.kubeconfig",
                    tried,
                    null);
        }
        return ofPod(host, settings);
    }

    private static Access ofPod(String host, KubernetesSettings settings) {
        Config config = Config.empty();
        config.setMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + settings.environment().getOrDefault("KUBERNETES_SERVICE_PORT", "443") + "/");
        config.setCaCertFile(POD.resolve("ca.crt").toString());
        Token token = new Token(() -> ofFile(POD.resolve("token")));
        return open(
                config,
                Optional.of(token),
                settings,
                Optional.of(ofFile(POD.resolve("namespace")).word().orElse("default")));
    }

    private static Access of(Kubeconfig kubeconfig, KubernetesSettings settings) {
        Tree cluster = kubeconfig.cluster();
        String server = cluster.at("server").text().orElse("");
        if (!server.matches("https?://.+")) {
            throw new BackendUnavailableException(
                    "the kubeconfig " + kubeconfig.clusterFile() + " says no address of the API server, but '" + server
                            + "'; it must begin with https://",
                    List.of(),
                    null);
        }
        Config config = Config.empty();
        config.setMasterUrl(server.endsWith("/") ? server : server + "/");
        Path clusterFile = kubeconfig.clusterFile();
        file(cluster, "certificate-authority", clusterFile, config::setCaCertFile);
        cluster.at("certificate-authority-data").text().ifPresent(config::setCaCertData);
        if (Boolean.TRUE.equals(cluster.at("insecure-skip-tls-verify").value())) {
            LOG.warn("the kubeconfig {} says not to check who answers at {}", clusterFile, server);
            config.setTrustCerts(true);
            config.setDisableHostnameVerification(true);
        }
        if (cluster.at("tls-server-name").isPresent()) {
            throw new BackendUnavailableException(
                    "the kubeconfig " + clusterFile
                            + " has a tls-server-name, which the JVM's HTTP client cannot heed; use an"
                            + " address that is in the certificate of the API server",
                    List.of(),
                    null);
        }
        Proxies.find(cluster.at("proxy-url").text(), URI.create(server), settings.environment())
                .ifPresent(proxy -> {
                    config.setHttpProxy(proxy);
                    config.setHttpsProxy(proxy);
                });
        Optional<Token> token = user(config, kubeconfig, settings);
        return open(config, token, settings, kubeconfig.namespace());
    }

    /** Says who we are; the token, where it is one, comes later. */
    private static Optional<Token> user(Config config, Kubeconfig kubeconfig, KubernetesSettings settings) {
        Tree user = kubeconfig.user();
        file(user, "client-certificate", kubeconfig.userFile(), config::setClientCertFile);
        file(user, "client-key", kubeconfig.userFile(), config::setClientKeyFile);
        user.at("client-certificate-data").text().ifPresent(config::setClientCertData);
        user.at("client-key-data").text().ifPresent(config::setClientKeyData);
        user.at("as").text().ifPresent(config::setImpersonateUsername);
        if (user.at("as-groups").isPresent()) {
            config.setImpersonateGroups(user.at("as-groups").texts().toArray(new String[0]));
        }
        Token token = new Token(() -> Kubeconfig.find(settings, new ArrayList<>())
                .map(now -> reading(now, config))
                .orElse(new Token.Reading(Optional.empty(), Optional.empty())));
        if (user.at("username").text().isPresent() && user.at("password").text().isPresent()) {
            user.at("username").text().ifPresent(config::setUsername);
            user.at("password").text().ifPresent(config::setPassword);
            return Optional.empty();
        }
        Tree provider = user.at("auth-provider");
        if (provider.isPresent() && user.at("token").text().isEmpty()) {
            // An identity that is renewed with its issuer: the client does that by itself.
            config.setAuthProvider(new AuthProviderConfig(
                    provider.at("config").strings(), provider.at("name").text().orElse("")));
            provider.at("config", "access-token")
                    .text()
                    .or(() -> provider.at("config", "id-token").text())
                    .ifPresent(config::setAutoOAuthToken);
            return Optional.empty();
        }
        // Now, so that a program that does not work is told at once and in its own words.
        token.now();
        return Optional.of(token);
    }

    private static Token.Reading reading(Kubeconfig kubeconfig, Config config) {
        Tree user = kubeconfig.user();
        Optional<String> file = user.at("tokenFile").text();
        if (file.isPresent()) {
            return ofFile(kubeconfig.userFile().resolveSibling(file.get()));
        }
        Tree exec = user.at("exec");
        if (user.at("token").text().isPresent() || !exec.isPresent()) {
            return new Token.Reading(user.at("token").text(), Optional.empty());
        }
        Tree status = ExecPlugin.run(exec, kubeconfig.userFile(), kubeconfig.cluster());
        status.at("clientCertificateData").text().map(Access::encoded).ifPresent(config::setClientCertData);
        status.at("clientKeyData").text().map(Access::encoded).ifPresent(config::setClientKeyData);
        Optional<Duration> goodFor = status.at("expirationTimestamp")
                .time()
                .map(end -> Duration.between(Instant.now(), end).minus(MARGIN));
        return new Token.Reading(status.at("token").text(), goodFor);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Token.Reading ofFile(Path file) {
        try {
            return new Token.Reading(Optional.of(Files.readString(file).strip()), Optional.of(FILE_GOOD_FOR));
        } catch (IOException e) {
            throw new BackendUnavailableException(
                    "the credentials of the cluster cannot be read: " + e + "; log in again", List.of(), e);
        }
    }

    private static void file(Tree fields, String key, Path beside, Consumer<String> setter) {
        fields.at(key)
                .text()
                .map(name -> beside.resolveSibling(name).toString())
                .ifPresent(setter);
    }

    private static Access open(
            Config config, Optional<Token> token, KubernetesSettings settings, Optional<String> namespace) {
        config.setClientKeyAlgo(keyAlgorithm(config));
        config.setRequestTimeout((int) settings.callLimit().toMillis());
        config.setRequestRetryBackoffLimit(RETRIES);
        // One connection for all would carry no more than a hundred followed logs, and a dead one would be used again
        // and again:
        // this HTTP client does not ping it.
        config.setHttp2Disable(true);
        // A web socket whose closing is not answered before the client is closed holds that, and a thread, for good.
        config.setOnlyHttpWatches(true);
        String chosen = settings.namespace().or(() -> namespace).orElse("default");
        config.setNamespace(chosen);
        try {
            KubernetesClient client = new KubernetesClientBuilder()
                    .withConfig(config)
                    .withHttpClientFactory(new StayingHttp())
                    .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor(
                            token.isPresent() ? Login.PLACE : Login.class.getName(),
                            new Login(token, settings.callLimit())))
                    .build();
            return new Access(client, chosen);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            throw new BackendUnavailableException(
                    "the certificates that the kubeconfig names cannot be used: " + root(e)
                            + "; mend it, or name another with the setting kubernetes.kubeconfig",
                    List.of(),
                    e);
        }
    }

    /** A key's own file does not always say what it is; the certificate does. */
    private static String keyAlgorithm(Config config) {
        try (InputStream certificate = config.getClientCertData() == null
                ? Files.newInputStream(Path.of(String.valueOf(config.getClientCertFile())))
                : new ByteArrayInputStream(Base64.getMimeDecoder().decode(config.getClientCertData()))) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(certificate)
                    .getPublicKey()
                    .getAlgorithm();
        } catch (IOException | CertificateException | IllegalArgumentException e) {
            // There is none; or it is told when it is used.
            return "RSA";
        }
    }

    private static Throwable root(Throwable e) {
        return e.getCause() == null ? e : root(e.getCause());
    }

    /** Follows nobody to another server: the token belongs to this one. */
    private static final class StayingHttp extends JdkHttpClientFactory {
        @Override
        protected void additionalConfig(HttpClient.Builder builder) {
            builder.followRedirects(HttpClient.Redirect.NEVER);
        }
    }
}
