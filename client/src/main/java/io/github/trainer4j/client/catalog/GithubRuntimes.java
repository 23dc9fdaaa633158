package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.client.yaml.Yaml;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runtimes in a repository on GitHub: in a YAML file, or in all that lie directly in a directory, which one call of the API
 * lists. Written {@code github:owner/repository@ref/path}; without {@code @ref} it is the default branch. A {@code /} in a
 * ref is written {@code %2F}.
 */
final class GithubRuntimes implements RuntimeSource {
    static final String PREFIX = "github:";
    private static final Pattern FORM =
            Pattern.compile("github:(?<owner>[\\w.-]+)/(?<repository>[\\w.-]+)(@(?<ref>[^/@]+))?(/(?<path>.*))?");

    private final String text;
    private final String api;
    private final String raw;
    private final Downloads downloads;
    private final String repository;
    private final Optional<String> ref;
    private final List<String> path;

    /**
     * Takes a source apart.
     *
     * @param text the source as it is configured
     * @param api the base address of the API
     * @param raw the base address of files
     * @param downloads how both are got
     * @throws IllegalArgumentException if the text has not the form of such a source
     */
    GithubRuntimes(String text, String api, String raw, Downloads downloads) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "write github:owner/repository/path or github:owner/repository@ref/path");
        }
        this.text = text;
        this.api = withoutSlash(api);
        this.raw = withoutSlash(raw);
        this.downloads = downloads;
        this.repository = parts.group("owner") + "/" + parts.group("repository");
        this.ref = Optional.ofNullable(parts.group("ref")).map(name -> name.replace("%2F", "/"));
        String path = parts.group("path");
        this.path = path == null
                ? List.of()
                : Arrays.stream(path.split("/"))
                        .filter(segment -> !segment.isEmpty())
                        .toList();
        if (this.path.contains("..") || this.path.contains(".")) {
            throw new IllegalArgumentException("write the path without . and ..");
        }
    }

    @Override
    public List<TrainingRuntime> read() {
        if (!path.isEmpty() && FileRuntimes.isYaml(path.get(path.size() - 1))) {
            return downloads.get(file(path), yaml -> RuntimeYaml.read(yaml, text));
        }
        List<TrainingRuntime> runtimes = new ArrayList<>();
        for (String name : listing()) {
            List<String> file = new ArrayList<>(path);
            file.add(name);
            String source = text + (text.endsWith("/") ? "" : "/") + name;
            runtimes.addAll(
                    downloads.get(file(file), yaml -> RuntimeYaml.readAny(Yaml.documents(yaml, source), source)));
        }
        if (runtimes.isEmpty()) {
            throw new ConfigurationException(List.of(text + " has no YAML file with a runtime in it"));
        }
        return runtimes;
    }

    private Set<String> listing() {
        URI address = URI.create(api + "/repos/" + repository + "/contents/" + encode(path)
                + ref.map(name -> "?ref=" + encode(name)).orElse(""));
        return downloads.get(address, json -> names(json, address));
    }

    /** The names alone are taken from the answer: where the files are got is not the server's to say. */
    private Set<String> names(String json, URI address) {
        Object answer;
        try {
            answer = Json.parse(json);
        } catch (Json.MalformedJsonException e) {
            throw new ConfigurationException(
                    List.of(text + ": " + Downloads.shown(address) + " answered no JSON: " + e.getMessage()));
        }
        if (!(answer instanceof List<?> entries)) {
            throw new ConfigurationException(List.of(text + " is no directory; the name of a file ends with .yaml"));
        }
        Set<String> names = new TreeSet<>();
        for (Object entry : entries) {
            if (entry instanceof Map<?, ?> fields
                    && "file".equals(fields.get("type"))
                    && fields.get("name") instanceof String name
                    && FileRuntimes.isYaml(name)
                    && name.indexOf('/') < 0) {
                names.add(name);
            }
        }
        return names;
    }

    private URI file(List<String> segments) {
        return URI.create(
                raw + "/" + repository + "/" + encode(List.of(ref.orElse("HEAD").split("/"))) + "/" + encode(segments));
    }

    private static String encode(List<String> segments) {
        return segments.stream().map(GithubRuntimes::encode).collect(Collectors.joining("/"));
    }

    private static String encode(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String withoutSlash(String base) {
        return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }
}
