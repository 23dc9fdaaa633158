package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes toy initializers, whose source is no server but a rule: {@code toy://3x1000} is three files of a thousand bytes.
 * The option {@code suffix} is the end of the files' names, {@code .txt} by default; the secret {@code token} is needed
 * for nothing.
 */
public final class ToyInitializerProvider implements InitializerProvider {
    private static final Pattern LOCATION = Pattern.compile("([1-9]\\d{0,3})x([1-9]\\d{0,6})");
    private static final Set<String> OPTIONS = Set.of("suffix");
    private static final Set<String> SECRETS = Set.of("token");

    /** Makes the provider. */
    public ToyInitializerProvider() {}

    @Override
    public String scheme() {
        return "toy";
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        Matcher parts = LOCATION.matcher(spec.location());
        if (!parts.matches()) {
            throw new InvalidJobException("'" + spec.storageUri()
                    + "' is not a number of files and their size; write for example toy://3x1000");
        }
        refuseUnknown(spec.options().keySet(), OPTIONS);
        refuseUnknown(spec.secrets().keySet(), SECRETS);
        return new ToyInitializer(
                spec.target(),
                spec.storageUri(),
                variables(spec.options()),
                variables(spec.secrets()),
                new ToyFiles(
                        Integer.parseInt(parts.group(1)),
                        Integer.parseInt(parts.group(2)),
                        spec.options().getOrDefault("suffix", ".txt")));
    }

    private static void refuseUnknown(Set<String> given, Set<String> known) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new InvalidJobException(
                        "toy:// knows no '" + name + "'; it knows the option suffix and the secret token");
            }
        }
    }

    private static <V> Map<String, V> variables(Map<String, V> options) {
        return options.entrySet().stream()
                .collect(Collectors.toMap(option -> option.getKey().toUpperCase(Locale.ROOT), Map.Entry::getValue));
    }
}
