package io.github.trainer4j.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;

/**
 * A key with a certificate that is its own authority, made by the JDK's keytool.
 *
 * @param store both of them, under the alias {@code own}
 */
record KeyPairFile(KeyStore store) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    static KeyPairFile make(Path directory, String algorithm) throws Exception {
        Path file = Files.createTempDirectory(directory, "keys").resolve("store.p12");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=somebody",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-ext",
                        "BC=ca:true",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new KeyPairFile(store);
    }

    static char[] password() {
        return PASSWORD.clone();
    }

    String certificate() throws Exception {
        return pem("CERTIFICATE", store.getCertificate("own").getEncoded());
    }

    /** Returns the key in the form PKCS#8. */
    String key() throws Exception {
        return pem("PRIVATE KEY", store.getKey("own", PASSWORD).getEncoded());
    }

    /** Returns the key in its older form, which is what the last element of PKCS#8 holds. */
    String olderKey(String label) throws Exception {
        byte[] pkcs8 = store.getKey("own", PASSWORD).getEncoded();
        // SEQUENCE { INTEGER 0, SEQUENCE algorithm, OCTET STRING key }
        int octets = end(pkcs8, end(pkcs8, content(pkcs8, 0)));
        return pem(label, Arrays.copyOfRange(pkcs8, content(pkcs8, octets), end(pkcs8, octets)));
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

    private static String pem(String label, byte[] bytes) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + label
                + "-----\n";
    }
}
