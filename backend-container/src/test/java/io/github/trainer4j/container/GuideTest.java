package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The user guide's table of settings is the one that the backend reads. */
class GuideTest {
    private static final Path GUIDE = Path.of("../docs/guide/containers.md");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z.*-]+)` \\| ([^|]+) \\|.*");

    private static Map<String, String> table() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        String guide = Files.readString(GUIDE);
        String section = guide.substring(guide.indexOf("\n## Settings\n"), guide.indexOf("\n## Resources\n"));
        for (String line : section.lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                assertThat(rows.put(row.group(1), row.group(2))).as(line).isNull();
            }
        }
        return rows;
    }

    @Test
    void everySettingIsInTheTableAndNoOther() throws IOException {
        Settings settings = Settings.of(Map.of()).under("docker");
        ContainerSettings.read(settings, Map.of());
        EngineSettings.read(settings, Path.of("/home/ada"));

        assertThat(table().keySet()).containsExactlyInAnyOrderElementsOf(settings.asked());
    }

    @Test
    void theDefaultsAreThoseOfTheTable() throws IOException {
        Map<String, String> table = table();
        ContainerSettings defaults =
                ContainerSettings.read(Settings.of(Map.of()).under("docker"), Map.of());

        assertThat(table.get("call-timeout"))
                .isEqualTo("`" + defaults.callLimit().toSeconds() + "s`");
        assertThat(table.get("grace-period")).isEqualTo("`" + defaults.grace().toSeconds() + "s`");
        assertThat(table.get("image-pull-policy")).isEqualTo(word(defaults.pullPolicy()));
        assertThat(table.get("initializer-command")).isEqualTo(word(defaults.initializerCommand()));
        assertThat(table.get("keep-initializers")).isEqualTo(word(defaults.keptInitializers()));
        assertThat(table.get("strict-limits")).isEqualTo("`" + defaults.strictLimits() + "`");
        assertThat(table.get("read-only"))
                .isEqualTo("`" + defaults.surroundings().readOnly() + "`");
        assertThat(defaults.initializersOnHost()).isFalse();
        for (InitializerTarget target : InitializerTarget.values()) {
            assertThat(table.get(target.step() + "-image")).isEqualTo("`" + Planner.defaultImage(target) + "`");
        }
        List<String> none =
                Arrays.asList("volumes", "env.*", "labels.*", "extra-hosts", "devices", "initializer-timeout");
        assertThat(none).allSatisfy(key -> assertThat(table.get(key)).isEqualTo("none"));
        assertThat(defaults.surroundings()).isEqualTo(Surroundings.NONE);
    }

    private static String word(Enum<?> constant) {
        return "`" + constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-') + "`";
    }
}
