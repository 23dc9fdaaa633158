package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuideTest {
    private static final Path GUIDE = Path.of("../docs/guide/kubernetes.md");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z.*-]+)` \\| ([^|]+) \\|.*");

    @Test
    void everySettingIsInTheTableWithItsDefault() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        Files.readAllLines(GUIDE).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .forEach(row -> {
                    assertThat(rows.put(row.group(1), row.group(2))).isNull();
                });
        Settings settings = Settings.of(Map.of()).under("kubernetes");

        KubernetesSettings defaults =
                KubernetesSettings.read(settings, Backends.context(Path.of("/home/ada"), Map.of()));

        assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(settings.asked());
        assertThat(rows)
                .containsEntry("call-timeout", "`" + defaults.callLimit().toSeconds() + "s`")
                .containsEntry("delete-timeout", "`" + defaults.deleteLimit().toMinutes() + "m`");
    }
}
