package io.github.trainer4j.cli;

import io.github.trainer4j.client.yaml.YamlText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;

@Command(
        name = "version",
        description = "Prints the version of trainer4j and of the JVM it runs on.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j version -o json")
final class VersionCommand extends ClientCommand {
    VersionCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("version", version());
        form.put("java", System.getProperty("java.version"));
        form.put("vm", System.getProperty("java.vm.name"));
        form.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        switch (format(Set.of(Format.TABLE, Format.JSON, Format.YAML, Format.NAME))) {
            case JSON -> shell.out().line(JsonText.write(form));
            case YAML -> shell.out().print(YamlText.write(form));
            case NAME -> shell.out().line(version());
            default ->
                shell.out()
                        .line("trainer4j " + version() + " (Java " + form.get("java") + ", " + form.get("vm") + ", "
                                + form.get("os") + ")");
        }
        return Exit.OK;
    }

    /** Returns what the jar's manifest says. */
    static String version() {
        return Optional.ofNullable(VersionCommand.class.getPackage().getImplementationVersion())
                .orElse("unpackaged");
    }
}
