package io.github.trainer4j.api;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of a resource, written as Kubernetes writes it: {@code 2}, {@code 0.5}, {@code 500m}, {@code 4Gi},
 * {@code 1e3}. (Format: the Kubernetes API reference, "Quantity".)
 *
 * @param text the amount as it was written
 */
public record Quantity(String text) {
    private static final Pattern FORMAT =
            Pattern.compile("([+]?(?:\\d+\\.?\\d*|\\.\\d+))([eE][-+]?\\d{1,3}|[numkMGTPE]|[KMGTPE]i)?");
    private static final Map<String, Integer> DECIMAL =
            Map.of("n", -9, "u", -6, "m", -3, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
    private static final String BINARY = "KMGTPE";

    /**
     * Checks the format.
     *
     * @throws InvalidJobException if the text is not a quantity
     */
    public Quantity {
        Check.text(text, "a quantity");
        if (!FORMAT.matcher(text).matches()) {
            throw new InvalidJobException(
                    "'" + Check.printable(text) + "' is not an amount; write for example 2, 0.5, 500m, 4Gi or 1e3");
        }
    }

    /** Returns the amount in its base unit: cores, bytes or pieces. */
    public BigDecimal value() {
        Matcher parts = FORMAT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException("checked by the constructor");
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        String suffix = parts.group(2) == null ? "" : parts.group(2);
        if (suffix.isEmpty()) {
            return number;
        }
        if (suffix.length() == 2 && suffix.charAt(1) == 'i') {
            return number.multiply(BigDecimal.valueOf(1024).pow(BINARY.indexOf(suffix.charAt(0)) + 1));
        }
        Integer power = DECIMAL.get(suffix);
        return number.scaleByPowerOfTen(power != null ? power : Integer.parseInt(suffix.substring(1)));
    }

    /**
     * Returns the amount as a whole number, rounded up.
     *
     * @throws InvalidJobException if it does not fit into 63 bits
     */
    public long toLong() {
        try {
            return value().setScale(0, RoundingMode.CEILING).longValueExact();
        } catch (ArithmeticException e) {
            throw new InvalidJobException("the amount " + text + " is too large; give a smaller one", e);
        }
    }

    /** Returns whether the amount is a whole number. */
    public boolean isWhole() {
        return value().stripTrailingZeros().scale() <= 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
