package io.github.trainer4j.client;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.client.yaml.Yaml;
import io.github.trainer4j.client.yaml.YamlValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collects what is configured, the strongest source first: the program, system properties, the environment, the file of
 * the current directory, the user's file.
 */
final class ConfigurationSources {
    private static final String FILE = "trainer4j.yaml";
    private static final String PROPERTY = "trainer4j.";
    private static final String VARIABLE = "TRAINER4J_";
    /** What starts so is for those who test this product, and no setting. */
    private static final List<String> NOT_SETTINGS = List.of("TRAINER4J_TEST_", "trainer4j.test.");

    private final List<Settings.Value> values = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private ConfigurationSources() {}

    /**
     * Reads all sources.
     *
     * @throws ConfigurationException if a file cannot be read, or a value is none; all of them at once
     */
    static Settings read(Map<String, String> programmatic, Surroundings surroundings) {
        ConfigurationSources sources = new ConfigurationSources();
        programmatic.forEach((key, text) -> sources.add(key, text, "code", new HashMap<>()));
        // Sorted, so that messages come in the same order each time.
        Map<String, String> properties = new HashMap<>();
        new TreeMap<>(surroundings.systemProperties())
                .forEach((name, text) -> sources.property(name, text, properties));
        Map<String, String> variables = new HashMap<>();
        new TreeMap<>(surroundings.environment()).forEach((name, text) -> sources.variable(name, text, variables));
        String runtime = surroundings.environment().getOrDefault("DEFAULT_TRAINING_RUNTIME", "");
        if (!runtime.isBlank()) {
            sources.add("default-runtime", runtime, "environment variable DEFAULT_TRAINING_RUNTIME", new HashMap<>());
        }
        sources.file(surroundings.currentDirectory().resolve(FILE), "./" + FILE);
        Path userFile = userFile(surroundings);
        sources.file(userFile, userFile.toString());
        if (!sources.problems.isEmpty()) {
            throw new ConfigurationException(sources.problems);
        }
        return Settings.of(sources.values);
    }

    /** The XDG base directory specification has relative paths ignored. */
    private static Path userFile(Surroundings surroundings) {
        String xdg = surroundings.environment().getOrDefault("XDG_CONFIG_HOME", "");
        Path base = xdg.startsWith("/")
                ? surroundings.home().resolve(xdg)
                : surroundings.home().resolve(".config");
        return base.resolve("trainer4j").resolve("config.yaml");
    }

    private void property(String name, String text, Map<String, String> seen) {
        if (name.startsWith(PROPERTY) && NOT_SETTINGS.stream().noneMatch(name::startsWith)) {
            add(name.substring(PROPERTY.length()), text, "system property " + name, seen);
        }
    }

    /** An empty variable is as good as none: a shell cannot always leave one out. */
    private void variable(String name, String text, Map<String, String> seen) {
        if (name.startsWith(VARIABLE) && NOT_SETTINGS.stream().noneMatch(name::startsWith) && !text.isBlank()) {
            add(name.substring(VARIABLE.length()), text, "environment variable " + name, seen);
        }
    }

    /**
     * Adds a value.
     *
     * @param seen where the keys of this source have stood so far: one is written in several ways, as {@code a-b} and
     *     {@code a.b}
     */
    private void add(String key, String text, String source, Map<String, String> seen) {
        String before = seen.putIfAbsent(Settings.normal(key), source);
        if (key.isBlank()) {
            problems.add("a key is blank (" + source + "); name a setting");
        } else if (before != null) {
            problems.add(key + " (" + source + ") is the same key as in " + before + "; give it once");
        } else if (text.isBlank()) {
            problems.add(key + " (" + source + ") is blank; give a value or leave it out");
        } else {
            values.add(new Settings.Value(key, text, source));
        }
    }

    private void file(Path file, String shown) {
        if (!Files.exists(file)) {
            return;
        }
        try {
            List<YamlValue> documents = Yaml.documents(file, shown);
            if (documents.size() > 1) {
                problems.add(shown + " line " + documents.get(1).line() + ": a second document; keep one");
            } else if (documents.size() == 1) {
                root(documents.get(0), shown);
            }
        } catch (ConfigurationException e) {
            problems.addAll(e.problems());
        }
    }

    private void root(YamlValue document, String file) {
        if (document instanceof YamlValue.Mapping mapping) {
            flatten("", mapping, file, new HashMap<>());
        } else {
            problems.add(file + " line " + document.line() + ": keys and values are expected, as in backend: local");
        }
    }

    private void flatten(String prefix, YamlValue.Mapping mapping, String file, Map<String, String> seen) {
        mapping.entries().forEach((name, value) -> {
            String key = prefix + name;
            if (value instanceof YamlValue.Mapping deeper) {
                flatten(key + ".", deeper, file, seen);
            } else if (!isEmpty(value)) {
                String source = file + " line " + value.line();
                text(key, value, source).ifPresent(text -> add(key, text, source, seen));
            }
        });
    }

    /** A key without a value is a section whose lines are all commented out. */
    private static boolean isEmpty(YamlValue value) {
        return value instanceof YamlValue.Null
                || (value instanceof YamlValue.Sequence list && list.elements().isEmpty());
    }

    private Optional<String> text(String key, YamlValue value, String source) {
        if (value instanceof YamlValue.Scalar scalar) {
            return Optional.of(scalar.text());
        }
        List<String> elements = new ArrayList<>();
        for (YamlValue element : ((YamlValue.Sequence) value).elements()) {
            if (element instanceof YamlValue.Scalar scalar && scalar.text().indexOf(',') < 0) {
                elements.add(scalar.text());
            } else {
                problems.add(key + " (" + source + "): the element in line " + element.line()
                        + " is no plain text without commas");
                return Optional.empty();
            }
        }
        return Optional.of(String.join(",", elements));
    }
}
