package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads which sources of runtimes are configured. Keys below {@code runtimes}: {@code sources}, {@code cache-ttl},
 * {@code timeout}, {@code github-api-url}, {@code github-raw-url}; and {@code default-runtime}.
 */
public final class RuntimeSources {
    private static final String SOURCES = "sources";
    private static final String BUILTIN = "builtin";
    private static final String OPTIONAL = "optional:";
    private static final String FORMS =
            "write builtin, a file, a directory, an http:// or https:// address of a YAML file, or"
                    + " github:owner/repository@ref/path; with optional: before it, its failure is only a warning";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    private final Settings settings;
    private final Path home;
    private final Path currentDirectory;
    private final Downloads downloads;

    private RuntimeSources(Settings settings, Path home, Path currentDirectory, Downloads downloads) {
        this.settings = settings;
        this.home = home;
        this.currentDirectory = currentDirectory;
        this.downloads = downloads;
    }

    /**
     * Returns the catalog that settings describe; no source is read yet. What is wrong with a setting is recorded in the
     * settings, for {@link Settings#check()}.
     *
     * @param settings all settings of the client
     * @param home the user's home directory
     * @param currentDirectory what relative paths start at
     * @param workDirectory where downloads are kept, in {@code cache/runtimes}
     * @param clock says how old a download is
     */
    public static RuntimeCatalog of(
            Settings settings, Path home, Path currentDirectory, Path workDirectory, Clock clock) {
        Settings own = settings.under("runtimes");
        Duration timeout = own.duration("timeout", Duration.ofSeconds(10));
        if (timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            own.problem("timeout", "give a duration above zero and of at most an hour");
        }
        Downloads downloads = new Downloads(
                new DownloadCache(workDirectory.resolve("cache").resolve("runtimes")),
                own.duration("cache-ttl", Duration.ofHours(24)),
                timeout,
                clock);
        return new SourceCatalog(
                new RuntimeSources(own, home, currentDirectory, downloads).sources(),
                settings.text("default-runtime", "torch-distributed").strip());
    }

    private List<RuntimeSource> sources() {
        String api = settings.text("github-api-url", "https://api.github.com");
        String raw = settings.text("github-raw-url", "https://raw.githubusercontent.com");
        checkBase("github-api-url", api);
        checkBase("github-raw-url", raw);
        List<String> texts = settings.text(SOURCES).isPresent() ? settings.list(SOURCES) : List.of(BUILTIN);
        if (new LinkedHashSet<>(texts).size() < texts.size()) {
            settings.problem(SOURCES, "a source is given twice; give it once");
        }
        List<RuntimeSource> sources = new ArrayList<>();
        for (String text : texts) {
            boolean optional = text.startsWith(OPTIONAL);
            String plain = optional ? text.substring(OPTIONAL.length()).strip() : text;
            try {
                RuntimeSource source = source(plain, api, raw);
                sources.add(optional ? new OptionalSource(plain, source) : source);
            } catch (IllegalArgumentException e) {
                settings.problem(SOURCES, String.valueOf(e.getMessage()));
            }
        }
        return sources;
    }

    private RuntimeSource source(String text, String api, String raw) {
        if (text.equals(BUILTIN)) {
            return new BuiltinRuntimes();
        }
        if (text.startsWith(GithubRuntimes.PREFIX)) {
            return new GithubRuntimes(text, api, raw, downloads);
        }
        if (text.startsWith("https://") || text.startsWith("http://")) {
            return new UrlRuntimes(
                    webAddress(text)
                            .orElseThrow(() -> new IllegalArgumentException(
                                    "an address is malformed or has a user or password in it, which is never sent")),
                    downloads);
        }
        if (text.isEmpty() || SCHEME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no source; " + FORMS);
        }
        return new FileRuntimes(path(text));
    }

    private Path path(String text) {
        try {
            Path path = text.equals("~") || text.startsWith("~/")
                    ? home.resolve(text.substring(Math.min(2, text.length())))
                    : Path.of(text);
            return currentDirectory.resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("a path is malformed: " + e.getReason(), e);
        }
    }

    private void checkBase(String key, String text) {
        if (webAddress(text).filter(address -> address.getQuery() == null).isEmpty()) {
            settings.problem(key, "write an http:// or https:// address without user, password and query");
        }
    }

    private static Optional<URI> webAddress(String text) {
        try {
            URI address = new URI(text);
            boolean web = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            return web && address.getHost() != null && address.getUserInfo() == null
                    ? Optional.of(address)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
