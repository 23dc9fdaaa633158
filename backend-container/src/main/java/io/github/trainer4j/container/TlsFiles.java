package io.github.trainer4j.container;

import io.github.trainer4j.container.EngineException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** The three files with which Docker's clients and daemons know each other. */
final class TlsFiles {
    private static final char[] IN_MEMORY = "memory".toCharArray();

    private final Path directory;

    TlsFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads the files.
     *
     * @throws EngineException if one is missing, is something else, is no longer or not yet valid, or does not belong to the
     *     others
     */
    SSLContext context() {
        List<X509Certificate> authorities = certificates("ca.pem");
        List<X509Certificate> own = certificates("cert.pem");
        PublicKey publicKey = own.get(0).getPublicKey();
        PrivateKey key;
        try {
            key = Pem.privateKey(text("key.pem"), publicKey);
        } catch (GeneralSecurityException e) {
            throw bad(
                    "key.pem",
                    "cannot be read as the " + publicKey.getAlgorithm() + " key of cert.pem: " + e.getMessage(),
                    e);
        }
        try {
            if (!belong(key, publicKey)) {
                throw bad("key.pem", "is not the key of cert.pem; copy both from the same place", null);
            }
            KeyStore trusted = empty();
            for (int i = 0; i < authorities.size(); i++) {
                trusted.setCertificateEntry("ca-" + i, authorities.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            KeyStore keys = empty();
            keys.setKeyEntry("own", key, IN_MEMORY, own.toArray(new X509Certificate[0]));
            KeyManagerFactory identity = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            identity.init(keys, IN_MEMORY);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(identity.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new EngineException(
                    Kind.REFUSED, "the certificates in " + directory + " cannot be used: " + e.getMessage(), e);
        }
    }

    private List<X509Certificate> certificates(String name) {
        List<X509Certificate> certificates;
        try {
            certificates = Pem.certificates(text(name));
        } catch (GeneralSecurityException e) {
            throw bad(name, "cannot be read as a certificate: " + e.getMessage(), e);
        }
        if (certificates.isEmpty()) {
            throw bad(name, "has no certificate in PEM form", null);
        }
        X509Certificate first = certificates.get(0);
        try {
            first.checkValidity();
        } catch (CertificateExpiredException e) {
            throw bad(name, "expired on " + day(first.getNotAfter()) + "; ask for a new one", e);
        } catch (CertificateNotYetValidException e) {
            throw bad(name, "is valid from " + day(first.getNotBefore()) + " only; is this machine's clock right?", e);
        }
        return certificates;
    }

    private static String day(Date date) {
        return date.toInstant().toString();
    }

    private String text(String name) {
        try {
            return Files.readString(directory.resolve(name));
        } catch (NoSuchFileException e) {
            throw bad(name, "is missing; TLS needs ca.pem, cert.pem and key.pem in one directory", e);
        } catch (IOException e) {
            throw bad(name, "cannot be read: " + e, e);
        }
    }

    private EngineException bad(String name, String what, @org.jspecify.annotations.Nullable Throwable cause) {
        return new EngineException(Kind.REFUSED, directory.resolve(name) + " " + what, cause);
    }

    private static boolean belong(PrivateKey key, PublicKey publicKey) throws GeneralSecurityException {
        String algorithm = publicKey.getAlgorithm();
        String name = algorithm.equals("RSA") || algorithm.equals("EC")
                ? "SHA256with" + (algorithm.equals("EC") ? "ECDSA" : algorithm)
                : algorithm;
        byte[] text = {1, 2, 3};
        Signature signature = Signature.getInstance(name);
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(text);
        return signature.verify(signed);
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Says what to do about a connection that failed because of TLS; empty if it failed otherwise. */
    Optional<String> advice(Throwable failure) {
        boolean tls = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            // The JDK's check of names has no error of its own: it throws the plain one, which nothing else here does.
            if (cause.getClass().equals(CertificateException.class)) {
                return Optional.of(
                        "the engine's certificate is for another host name; use a name that it has, or have one"
                                + " made with this name");
            }
            if (cause instanceof CertificateExpiredException) {
                return Optional.of("the engine's certificate has expired; have a new one made");
            }
            if (cause instanceof CertPathBuilderException) {
                return Optional.of("the engine's certificate was not made by " + directory.resolve("ca.pem")
                        + "; get the right one");
            }
            // Whose certificate is refused is often just hung up on.
            tls |= cause instanceof SSLException
                    || (cause instanceof SocketException && !(cause instanceof ConnectException));
        }
        return tls
                ? Optional.of("if it refuses our certificate: " + directory.resolve("cert.pem")
                        + " must be made by an authority that the engine knows; if it speaks no TLS: set tls-verify to"
                        + " false")
                : Optional.empty();
    }
}
