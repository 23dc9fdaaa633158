package io.github.trainer4j.client.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.trainer4j.api.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads YAML written by people: every error has file, line and column. A key that stands twice is refused. An alias is read
 * as the value it stands for, and what stands at the key {@code <<} is merged into its mapping, whose own keys win.
 */
public final class Yaml {
    /** The largest text that is read, in characters. */
    public static final int LONGEST = 1 << 20;

    /** How many values may stand within one another. */
    static final int DEEPEST = 100;

    static final String TOO_DEEP = "more than " + DEEPEST + " levels within one another";

    private static final String MERGE = "<<";
    private static final AnchorParser.Factory FACTORY = new AnchorParser.Factory();

    private final AnchorParser parser;
    private final String source;
    private Anchors anchors = new Anchors();

    private Yaml(AnchorParser parser, String source) {
        this.parser = parser;
        this.source = source;
    }

    /**
     * Reads all documents of a text; those without a value are left out.
     *
     * @param text the YAML
     * @param source where it comes from, for messages: a file or an address
     * @throws ConfigurationException if it is malformed, too long or too deep, or its aliases stand for too much
     */
    public static List<YamlValue> documents(String text, String source) {
        if (text.length() > LONGEST) {
            throw tooLong(source, text.length() + " characters");
        }
        try (AnchorParser parser = FACTORY.parser(text)) {
            Yaml yaml = new Yaml(parser, source);
            List<YamlValue> documents = new ArrayList<>();
            while (parser.nextToken() != null) {
                yaml.anchors = new Anchors();
                YamlValue document = yaml.value(0);
                if (!(document instanceof YamlValue.Null)) {
                    documents.add(document);
                }
            }
            return List.copyOf(documents);
        } catch (JsonProcessingException e) {
            throw new ConfigurationException(List.of(source + place(e) + ": " + sentence(e.getOriginalMessage())));
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory failed", e);
        }
    }

    /**
     * Reads all documents of a file; those without a value are left out.
     *
     * @param file the file
     * @param source how to call it in messages
     * @throws ConfigurationException if it cannot be read, is too large, not UTF-8, or malformed
     */
    public static List<YamlValue> documents(Path file, String source) {
        try {
            if (Files.size(file) > LONGEST) {
                throw tooLong(source, Files.size(file) + " bytes");
            }
            // A pipe has no size, and maybe no end.
            try (InputStream in = Files.newInputStream(file)) {
                return documents(in, source);
            }
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(List.of("there is no file " + source));
        } catch (IOException e) {
            throw new ConfigurationException(List.of(
                    Files.isDirectory(file)
                            ? source + " is a directory; name a file in it"
                            : source + " cannot be read: " + e));
        }
    }

    /**
     * Reads all documents of a stream, which stays open; those without a value are left out.
     *
     * @param in the stream
     * @param source how to call it in messages
     * @throws ConfigurationException if it is too long, not UTF-8, or malformed
     * @throws IOException if reading fails
     */
    public static List<YamlValue> documents(InputStream in, String source) throws IOException {
        byte[] bytes = in.readNBytes(LONGEST + 1);
        if (bytes.length > LONGEST) {
            throw tooLong(source, "more than " + LONGEST + " bytes");
        }
        try {
            return documents(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString(),
                    source);
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(List.of(source + " is not UTF-8 text"));
        }
    }

    private static ConfigurationException tooLong(String source, String size) {
        return new ConfigurationException(List.of(source + " has " + size + "; at most " + LONGEST
                + " are read; split it or drop what does not belong there"));
    }

    private YamlValue value(int depth) throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        if (depth > DEEPEST) {
            throw refused(TOO_DEEP);
        }
        if (parser.isCurrentAlias()) {
            return anchored(parser.getText(), depth);
        }
        Optional<String> anchor = parser.anchor();
        YamlValue value = written(line, depth);
        anchor.ifPresent(name -> anchors.put(name, value));
        return value;
    }

    private YamlValue anchored(String alias, int depth) {
        YamlValue value = anchors.get(alias)
                .orElseThrow(() -> refused("there is no anchor &" + alias + " before the alias *" + alias));
        anchors.count(value, depth).ifPresent(wrong -> {
            throw refused(wrong);
        });
        return value;
    }

    private YamlValue written(int line, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return mapping(line, depth);
        }
        if (token == JsonToken.START_ARRAY) {
            List<YamlValue> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(value(depth + 1));
            }
            return new YamlValue.Sequence(elements, line);
        }
        return token == JsonToken.VALUE_NULL
                ? new YamlValue.Null(line)
                : new YamlValue.Scalar(parser.getText(), type(token), line);
    }

    private static YamlValue.Type type(JsonToken token) {
        if (token.isNumeric()) {
            return YamlValue.Type.NUMBER;
        }
        return token.isBoolean() ? YamlValue.Type.BOOLEAN : YamlValue.Type.TEXT;
    }

    private YamlValue mapping(int line, int depth) throws IOException {
        Map<String, YamlValue> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            if (parser.isCurrentAlias()) {
                throw refused("the alias *" + key + " is no key that is read; write the key out");
            }
            YamlValue before = entries.get(key);
            if (before != null) {
                throw refused("the key '" + key + "' stands twice, first in line " + before.line());
            }
            parser.nextToken();
            entries.put(key, value(depth + 1));
        }
        YamlValue merged = entries.remove(MERGE);
        if (merged != null) {
            merge(merged, entries);
        }
        return new YamlValue.Mapping(entries, line);
    }

    private void merge(YamlValue merged, Map<String, YamlValue> entries) {
        if (merged instanceof YamlValue.Mapping mapping) {
            mapping.entries().forEach(entries::putIfAbsent);
        } else if (merged instanceof YamlValue.Sequence sequence
                && sequence.elements().stream().allMatch(YamlValue.Mapping.class::isInstance)) {
            sequence.elements().forEach(element -> merge(element, entries));
        } else {
            throw refused("what is merged at '" + MERGE + "' is no mapping, nor a list of mappings");
        }
    }

    private ConfigurationException refused(String sentence) {
        return new ConfigurationException(List.of(source + " line "
                + parser.currentTokenLocation().getLineNr() + " column "
                + parser.currentTokenLocation().getColumnNr() + ": " + sentence));
    }

    private static String place(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : " line " + e.getLocation().getLineNr() + " column "
                        + e.getLocation().getColumnNr();
    }

    /** The parser's message without the excerpts of the text in it, which are indented. */
    private static String sentence(String message) {
        return message.lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .collect(Collectors.joining(", "));
    }
}
