package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.client.yaml.YamlText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;

@Command(
        name = "config",
        description = "Shows every key of the configuration that is known, its value, and where that comes from.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j config --backend docker")
final class ConfigCommand extends ClientCommand {
    private static final Pattern SECRET = Pattern.compile(".*(token|secret|password|credential).*");

    ConfigCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        Format format = format(Set.of(Format.TABLE, Format.JSON, Format.YAML, Format.NAME));
        List<Settings.Value> values = builder().configuration();
        switch (format) {
            case JSON -> shell.out().line(JsonText.write(items(values)));
            case YAML -> shell.out().print(YamlText.write(items(values)));
            case NAME -> values.forEach(value -> shell.out().line(value.key()));
            default -> {
                Table table = new Table("KEY", "VALUE", "SOURCE");
                values.forEach(value -> table.row(value.key(), shown(value), source(value)));
                table.print(shell.out());
            }
        }
        try {
            builder().build().close();
        } catch (TrainerException e) {
            shell.say("trainer4j: " + e.getMessage());
            return Exit.of(e);
        }
        return Exit.OK;
    }

    private static Map<String, Object> items(List<Settings.Value> values) {
        return Forms.items(values.stream()
                .map(value -> {
                    Map<String, Object> form = new LinkedHashMap<>();
                    form.put("key", value.key());
                    form.put("value", shown(value));
                    form.put("source", source(value));
                    return form;
                })
                .toList());
    }

    private static String shown(Settings.Value value) {
        return SECRET.matcher(Settings.normal(value.key())).matches()
                        && !value.text().isEmpty()
                ? "***"
                : value.text();
    }

    private static String source(Settings.Value value) {
        return value.source().equals("code") ? "command line" : value.source();
    }
}
