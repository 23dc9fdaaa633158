package io.github.trainer4j.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The changes to torchtune's configuration that a {@link BuiltinTrainer} makes, as torchtune's command line takes them:
 * {@code key=value}. The methods name the fields of the Python SDK's {@code TorchTuneConfig}, {@code LoraConfig} and
 * {@code TorchTuneInstructDataset}; {@link #with} sets any other key of the recipe.
 *
 * @param overrides values by torchtune key, in the order they were given
 */
public record TorchTuneConfig(Map<String, String> overrides) {
    /** The keys that runtimes set and jobs cannot: the model's place, its tokenizer's, and that of what comes out. */
    public static final Set<String> RUNTIME_KEYS =
            Set.of("output_dir", "tokenizer.path", "tokenizer.merges_file", "checkpointer.checkpoint_dir");

    private static final int LONGEST_KEY = 253;
    private static final TorchTuneConfig DEFAULTS = new TorchTuneConfig(Map.of());

    /** Number format of the weights. */
    public enum DataType {
        /** Brain floating point, 16 bits. */
        BF16,
        /** IEEE single precision, 32 bits. */
        FP32
    }

    /** Format of the dataset's files. */
    public enum DataFormat {
        /** JSON or JSON lines. */
        JSON,
        /** Comma-separated values. */
        CSV,
        /** Apache Parquet. */
        PARQUET,
        /** Apache Arrow. */
        ARROW,
        /** Plain text. */
        TEXT,
        /** XML. */
        XML
    }

    /**
     * Copies and checks the keys and values.
     *
     * @throws InvalidJobException if a key is not one of torchtune's form or is one of {@link #RUNTIME_KEYS}, or a value
     *     has a line break
     */
    public TorchTuneConfig {
        overrides = Check.map(overrides, "torchtune config", (key, value) -> {
            if (key.length() > LONGEST_KEY || !key.matches("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*")) {
                throw new InvalidJobException("'" + Check.printable(key)
                        + "' is not a key of torchtune; write for example batch_size or model.lora_rank");
            }
            if (RUNTIME_KEYS.contains(key)) {
                throw new InvalidJobException("torchtune's " + key
                        + " is set by the runtime; leave it out of the job, or change it in the runtime");
            }
            Check.line(Check.argument(value, "torchtune config[" + key + "]"), "torchtune config[" + key + "]");
        });
    }

    /** Returns a configuration that changes nothing. */
    public static TorchTuneConfig defaults() {
        return DEFAULTS;
    }

    /** Returns a copy in which a key of the recipe has this value. */
    public TorchTuneConfig with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(overrides);
        more.put(key, value);
        return new TorchTuneConfig(more);
    }

    /** Returns a copy with this number format. */
    public TorchTuneConfig dtype(DataType dtype) {
        return with("dtype", lower(Check.present(dtype, "dtype")));
    }

    /** Returns a copy with this number of samples in a batch. */
    public TorchTuneConfig batchSize(int samples) {
        return with("batch_size", Integer.toString(Check.atLeast(samples, 1, "batchSize")));
    }

    /** Returns a copy with this number of passes over the dataset. */
    public TorchTuneConfig epochs(int epochs) {
        return with("epochs", Integer.toString(Check.atLeast(epochs, 1, "epochs")));
    }

    /** Returns a copy with this loss, a Python class such as {@code torchtune.modules.loss.CEWithChunkedOutputLoss}. */
    public TorchTuneConfig loss(String pythonClass) {
        return with("loss", Check.text(pythonClass, "loss"));
    }

    /** Returns a copy with LoRA of this rank and scaling on these attention modules, such as {@code q_proj}. */
    public TorchTuneConfig lora(int rank, int alpha, List<String> attentionModules) {
        List<String> modules = Check.texts(attentionModules, "attentionModules");
        if (modules.isEmpty()) {
            throw new InvalidJobException("attentionModules is empty; give one or more, for example q_proj and v_proj");
        }
        return with("model.lora_rank", Integer.toString(Check.atLeast(rank, 1, "lora rank")))
                .with("model.lora_alpha", Integer.toString(Check.atLeast(alpha, 1, "lora alpha")))
                .with("model.lora_attn_modules", "[" + String.join(",", modules) + "]");
    }

    /** Returns a copy that reads instruction pairs from files of this format. */
    public TorchTuneConfig instructDataset(DataFormat source) {
        return with("dataset", "torchtune.datasets.instruct_dataset")
                .with("dataset.source", lower(Check.present(source, "source")));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(java.util.Locale.ROOT);
    }
}
