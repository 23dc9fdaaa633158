package io.github.trainer4j.api;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The names that a job can have: RFC 1035 labels of at most 63 characters, as the TrainJob resource of Kubeflow Trainer
 * demands, so that a job has the same name on every backend.
 */
public final class JobName {
    private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final int LONGEST = 63;
    private static final SecureRandom RANDOM = new SecureRandom();

    private JobName() {}

    /**
     * Returns the name if a job can have it.
     *
     * @throws InvalidJobException if it is null, blank, too long or not an RFC 1035 label
     */
    public static String check(String name) {
        Check.present(name, "the job's name");
        if (name.length() > LONGEST) {
            throw new InvalidJobException("the job's name '" + Check.printable(name) + "' has " + name.length()
                    + " characters; at most " + LONGEST + " fit, shorten it");
        }
        if (!LABEL.matcher(name).matches()) {
            throw new InvalidJobException("the job's name '" + Check.printable(name)
                    + "' is not a valid name; use lower-case letters, digits and '-', start with a letter and end with a"
                    + " letter or digit, for example 'mnist-1'");
        }
        return name;
    }

    /** Returns a fresh random name: one lower-case letter and 11 hexadecimal digits, as the Python SDK makes them. */
    public static String generate() {
        byte[] bytes = new byte[6];
        RANDOM.nextBytes(bytes);
        char letter = (char) ('a' + RANDOM.nextInt(26));
        return letter + HexFormat.of().formatHex(bytes).substring(1);
    }
}
