package io.github.trainer4j.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** A key, and a certificate of it that is its own authority, made by the JDK's keytool: for tests of TLS. */
public final class SelfSigned {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final KeyStore store;

    private SelfSigned(KeyStore store) {
        this.store = store;
    }

    /**
     * Makes one.
     *
     * @param directory where keytool may leave its file
     * @param algorithm the key's algorithm, such as {@code RSA} or {@code EC}
     * @param subjectAltName whom the certificate is for, as in {@code dns:localhost} or {@code ip:127.0.0.1}
     * @param more further arguments of keytool
     * @throws Exception if keytool does not make it
     */
    public static SelfSigned make(Path directory, String algorithm, String subjectAltName, String... more)
            throws Exception {
        Path file = Files.createTempFile(directory, "keys", ".p12");
        Files.delete(file);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + subjectAltName.replaceFirst("^[a-z]+:", ""),
                "-ext",
                "SAN=" + subjectAltName,
                "-ext",
                "BC=ca:true",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD)));
        command.addAll(Arrays.asList(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new SelfSigned(store);
    }

    /** Returns the store that has both under the alias {@code own}. */
    public KeyStore store() {
        return store;
    }

    /** Returns the password of stores and keys. */
    public static char[] password() {
        return PASSWORD.clone();
    }

    /**
     * Returns the certificate as PEM.
     *
     * @throws Exception if it cannot be encoded
     */
    public String certificate() throws Exception {
        return pem("CERTIFICATE", store.getCertificate("own").getEncoded());
    }

    /**
     * Returns the key as PEM, in the form PKCS#8.
     *
     * @throws Exception if it cannot be encoded
     */
    public String key() throws Exception {
        return pem("PRIVATE KEY", encoded());
    }

    /**
     * Returns the key as PEM in its older form, which is what the last element of PKCS#8 holds.
     *
     * @throws Exception if it cannot be encoded
     */
    public String olderKey(String label) throws Exception {
        byte[] pkcs8 = encoded();
        // SEQUENCE { INTEGER 0, SEQUENCE algorithm, OCTET STRING key }
        int position = content(pkcs8, 0);
        position = end(pkcs8, position);
        position = end(pkcs8, position);
        return pem(label, Arrays.copyOfRange(pkcs8, content(pkcs8, position), end(pkcs8, position)));
    }

    private byte[] encoded() throws Exception {
        Key key = store.getKey("own", PASSWORD);
        return key.getEncoded();
    }

    private static int content(byte[] der, int position) {
        int first = der[position + 1] & 0xff;
        return position + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int end(byte[] der, int position) {
        int content = content(der, position);
        int length = der[position + 1] & 0xff;
        if (length >= 0x80) {
            length = 0;
            for (int i = position + 2; i < content; i++) {
                length = (length << 8) | (der[i] & 0xff);
            }
        }
        return content + length;
    }

    /** Returns bytes as PEM. */
    public static String pem(String label, byte[] bytes) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + label
                + "-----\n";
    }
}
