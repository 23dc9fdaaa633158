package io.github.trainer4j.container;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and keys in PEM form with what the JDK has. It knows keys as PKCS#8 alone; the older forms (PKCS#1 for
 * RSA, SEC 1 for EC) are the inner part of that, so the outer part is put around them.
 */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final byte[] VERSION_ZERO = {2, 1, 0};
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;

    private Pem() {}

    /** Returns all certificates of a text. */
    static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals("CERTIFICATE")
                    && factory.generateCertificate(new ByteArrayInputStream(decoded(block.group(2))))
                            instanceof X509Certificate certificate) {
                certificates.add(certificate);
            }
        }
        return List.copyOf(certificates);
    }

    /**
     * Returns the private key of a text.
     *
     * @param publicKey the key that it belongs to, which says of what kind it is
     * @throws GeneralSecurityException if there is none that can be read; the message says what was found
     */
    static PrivateKey privateKey(String text, PublicKey publicKey) throws GeneralSecurityException {
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            String kind = block.group(1);
            if (kind.equals("ENCRYPTED PRIVATE KEY") || block.group(2).contains("ENCRYPTED")) {
                throw new InvalidKeySpecException("the key is encrypted; write it without a password: 'openssl pkey -in"
                        + " key.pem -out plain.pem', readable by you alone");
            }
            if (kind.endsWith("PRIVATE KEY")) {
                byte[] key = decoded(block.group(2));
                byte[] pkcs8 = kind.equals("PRIVATE KEY") ? key : wrapped(key, publicKey);
                return KeyFactory.getInstance(publicKey.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            }
        }
        throw new InvalidKeySpecException("there is no private key in it");
    }

    private static byte[] wrapped(byte[] key, PublicKey publicKey) {
        return der(SEQUENCE, VERSION_ZERO, algorithm(publicKey), der(OCTETS, key));
    }

    /** Cuts the algorithm, with its curve, out of a public key: it is the first thing in the sequence. */
    private static byte[] algorithm(PublicKey publicKey) {
        ByteBuffer outer = ByteBuffer.wrap(publicKey.getEncoded());
        outer.get();
        length(outer);
        int start = outer.position();
        outer.get();
        int length = length(outer);
        byte[] algorithm = new byte[outer.position() + length - start];
        outer.position(start);
        outer.get(algorithm);
        return algorithm;
    }

    private static int length(ByteBuffer der) {
        int first = der.get() & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = first & 0x7f; i > 0; i--) {
            length = (length << 8) | (der.get() & 0xff);
        }
        return length;
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            body.writeBytes(part);
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = body.size();
        if (length < 0x80) {
            whole.write(length);
        } else {
            int octets = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
            whole.write(0x80 | octets);
            for (int i = octets - 1; i >= 0; i--) {
                whole.write(length >> (8 * i));
            }
        }
        whole.writeBytes(body.toByteArray());
        return whole.toByteArray();
    }

    private static byte[] decoded(String base64) throws GeneralSecurityException {
        try {
            return Base64.getMimeDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new InvalidKeySpecException("what stands between its BEGIN and END is damaged", e);
        }
    }
}
