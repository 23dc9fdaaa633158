package io.github.trainer4j.api;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What one node or initializer may use: an amount for each resource name. Known names are {@code cpu} (cores),
 * {@code memory} (bytes), {@code gpu} (NVIDIA devices), {@code shm} (bytes of {@code /dev/shm}) and {@code storage}
 * (bytes of scratch disk); any other name, such as {@code rdma/hca}, goes to the backend as it is, which refuses what it
 * cannot give.
 *
 * @param amounts the amounts by resource name, in the order they were given
 */
public record Resources(Map<String, Quantity> amounts) {
    private static final Resources NONE = new Resources(Map.of());
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_./]{0,251}[A-Za-z0-9])?");
    private static final int MOST_GPUS = 1_000_000;
    private static final String NVIDIA_GPU = "nvidia.com/gpu";

    /**
     * Copies and checks the amounts.
     *
     * @throws InvalidJobException if a name is not a resource name, a device count is not a whole number, or two names
     *     mean the same resource
     */
    public Resources {
        amounts = Check.map(amounts, "resources", (name, amount) -> {
            if (!NAME.matcher(name).matches()) {
                throw new InvalidJobException(
                        "'" + Check.printable(name) + "' is not the name of a resource; use cpu, memory,"
                                + " gpu, shm, storage or a name such as rdma/hca");
            }
            if ((name.equals("gpu") || name.contains("/")) && !amount.isWhole()) {
                throw new InvalidJobException(
                        "resource " + name + " is " + amount + "; devices come in whole numbers, give one");
            }
            if (name.toLowerCase(Locale.ROOT).contains("gpu")
                    && amount.value().compareTo(BigDecimal.valueOf(MOST_GPUS)) > 0) {
                throw new InvalidJobException("resource " + name + " is " + amount + "; give at most " + MOST_GPUS);
            }
        });
        if (amounts.containsKey("gpu") && amounts.containsKey(NVIDIA_GPU)) {
            throw new InvalidJobException(
                    "resources name the same devices twice: gpu and " + NVIDIA_GPU + "; give one");
        }
        List<String> mig = amounts.keySet().stream()
                .filter(name -> name.startsWith("mig-") || name.startsWith("nvidia.com/mig-"))
                .toList();
        if (mig.size() > 1 || (!mig.isEmpty() && (amounts.containsKey("gpu") || amounts.containsKey(NVIDIA_GPU)))) {
            throw new InvalidJobException("resources mix " + mig
                    + " with other GPU resources; give one MIG profile, and no whole GPUs beside it");
        }
    }

    /** Returns the empty set: whatever the backend gives by itself. */
    public static Resources none() {
        return NONE;
    }

    /**
     * Returns a copy with this amount, in the format of {@link Quantity}.
     *
     * @throws InvalidJobException if the name is given already, or name or amount are malformed
     */
    public Resources with(String name, String amount) {
        Quantity quantity;
        try {
            quantity = new Quantity(amount);
        } catch (InvalidJobException e) {
            throw new InvalidJobException(
                    "resource " + Check.printable(String.valueOf(name)) + ": " + e.getMessage(), e);
        }
        Map<String, Quantity> more = new LinkedHashMap<>(amounts);
        if (more.put(name, quantity) != null) {
            throw new InvalidJobException("resource " + name + " is given twice; give it once");
        }
        return new Resources(more);
    }

    /** Returns a copy with this number of cores; see {@link #with}. */
    public Resources cpu(String cores) {
        return with("cpu", cores);
    }

    /** Returns a copy with this number of whole cores; see {@link #with}. */
    public Resources cpu(int cores) {
        return with("cpu", Integer.toString(cores));
    }

    /** Returns a copy with this much memory, for example {@code 4Gi}; see {@link #with}. */
    public Resources memory(String bytes) {
        return with("memory", bytes);
    }

    /** Returns a copy with this number of NVIDIA devices; see {@link #with}. */
    public Resources gpu(int devices) {
        return with("gpu", Integer.toString(devices));
    }

    /** Returns a copy with this much shared memory in {@code /dev/shm}, for example {@code 1Gi}; see {@link #with}. */
    public Resources shm(String bytes) {
        return with("shm", bytes);
    }

    /** Returns the amount of this resource, if it is given. */
    public Optional<Quantity> get(String name) {
        return Optional.ofNullable(amounts.get(name));
    }

    /** Returns the number of NVIDIA devices, under either of their names, if it is given. */
    public OptionalInt gpus() {
        Optional<Quantity> amount = get("gpu").or(() -> get(NVIDIA_GPU));
        return amount.isPresent() ? OptionalInt.of((int) amount.get().toLong()) : OptionalInt.empty();
    }

    /** Returns whether nothing is asked for. */
    public boolean isEmpty() {
        return amounts.isEmpty();
    }
}
