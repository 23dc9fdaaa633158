package io.github.trainer4j.api.progress;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Posts each report to Kubeflow's status server. Certificate and token are read each time, for a cluster replaces them
 * while a job runs. The token goes to this one address over TLS, and nowhere else.
 */
final class ServerSink implements Sink {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int LARGEST_ANSWER = 1 << 16;

    private final URI uri;
    private final Optional<Path> caCertificate;
    private final Path tokenFile;

    ServerSink(URI uri, Optional<Path> caCertificate, Path tokenFile) {
        if (!"https".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("the status server's address is not an https:// URL: " + uri);
        }
        this.uri = uri;
        this.caCertificate = caCertificate;
        this.tokenFile = tokenFile;
    }

    @Override
    public void send(String json) throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
        try {
            connection.setSSLSocketFactory(sockets());
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Authorization", "Bearer " + token());
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setRequestProperty("Connection", "close");
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(json.getBytes(StandardCharsets.UTF_8));
            }
            int code = connection.getResponseCode();
            if (code / 100 != 2) {
                throw new IOException("the server answered " + code);
            }
            try (InputStream in = connection.getInputStream()) {
                in.readNBytes(LARGEST_ANSWER);
            }
        } finally {
            connection.disconnect();
        }
    }

    private String token() throws IOException {
        String token = Files.readString(tokenFile).strip();
        // Checked here, because the error for a header that cannot be sent would have the token in it.
        if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IOException("there is no token in " + tokenFile);
        }
        return token;
    }

    private SSLSocketFactory sockets() throws IOException {
        if (caCertificate.isEmpty()) {
            return HttpsURLConnection.getDefaultSSLSocketFactory();
        }
        try (InputStream in = Files.newInputStream(caCertificate.get())) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + count++, certificate);
            }
            if (count == 0) {
                throw new IOException("there is no certificate in " + caCertificate.get());
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate in " + caCertificate.get() + " cannot be used: " + e, e);
        }
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
