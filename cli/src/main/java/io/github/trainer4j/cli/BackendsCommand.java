package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.client.Diagnostics;
import io.github.trainer4j.client.ProviderReport;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.yaml.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;

@Command(
        name = "backends",
        description =
                "Shows every backend and initializer found, its jar, and whether it can be used here, or why not.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j backends -o wide")
final class BackendsCommand extends ClientCommand {
    private static final String USABLE = "usable";
    private static final long PATIENCE_SECONDS = 10;

    BackendsCommand(Shell shell) {
        super(shell);
    }

    /**
     * A provider and what became of it.
     *
     * @param report what was found
     * @param words whether it is usable, or why it is not
     */
    private record Finding(ProviderReport report, String words) {
        boolean usable() {
            return words.equals(USABLE);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        Format format = format(Jobs.FORMATS);
        Diagnostics diagnostics = builder().diagnostics();
        List<Finding> findings = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool(runnable -> {
            Thread thread = new Thread(runnable, "backend-probe");
            thread.setDaemon(true);
            return thread;
        });
        Map<ProviderReport, Future<String>> probes = new LinkedHashMap<>();
        for (ProviderReport report : diagnostics.providers()) {
            probes.put(report, threads.submit(() -> probe(report)));
        }
        for (Map.Entry<ProviderReport, Future<String>> probe : probes.entrySet()) {
            findings.add(new Finding(probe.getKey(), words(probe.getValue())));
        }
        threads.shutdownNow();
        print(format, findings);
        return Exit.OK;
    }

    private String probe(ProviderReport report) {
        if (report.state() != ProviderReport.State.USABLE) {
            return report.problem().orElse("not usable");
        }
        if (report.kind().equals("backend")) {
            try (TrainerClient client =
                    builder().backend(report.name().orElse("")).build()) {
                client.list();
            } catch (TrainerException e) {
                return String.valueOf(e.getMessage());
            }
        }
        return USABLE;
    }

    private static String words(Future<String> probe) throws InterruptedException {
        try {
            return probe.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return "does not answer within " + PATIENCE_SECONDS + " s";
        } catch (ExecutionException e) {
            return "broken: " + e.getCause();
        }
    }

    private void print(Format format, List<Finding> findings) {
        List<Map<String, Object>> items =
                findings.stream().map(BackendsCommand::form).toList();
        switch (format) {
            case JSON -> shell.out().line(JsonText.write(Forms.items(items)));
            case YAML -> shell.out().print(YamlText.write(Forms.items(items)));
            case NAME ->
                findings.stream()
                        .filter(finding -> finding.report().kind().equals("backend"))
                        .forEach(finding ->
                                shell.out().line(finding.report().name().orElse("-")));
            default -> table(format == Format.WIDE, findings);
        }
    }

    private static Map<String, Object> form(Finding finding) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("kind", finding.report().kind());
        finding.report().name().ifPresent(name -> form.put("name", name));
        form.put("usable", finding.usable());
        if (!finding.usable()) {
            form.put("problem", finding.words());
        }
        finding.report().className().ifPresent(name -> form.put("className", name));
        form.put("location", finding.report().location());
        return form;
    }

    private void table(boolean wide, List<Finding> findings) {
        Table table = wide
                ? new Table("KIND", "NAME", "USABLE", "JAR", "CLASS", "WHY NOT")
                : new Table("KIND", "NAME", "USABLE", "JAR", "WHY NOT");
        for (Finding finding : findings) {
            ProviderReport report = finding.report();
            String name = report.name().orElse("-");
            String usable = finding.usable() ? "yes" : "no";
            String why = finding.usable()
                    ? "-"
                    : finding.words().lines().findFirst().orElse("").replaceFirst(";[^;]*:$", "");
            if (wide) {
                table.row(
                        report.kind(),
                        name,
                        usable,
                        report.location(),
                        report.className().orElse("-"),
                        finding.usable() ? "-" : finding.words().replaceAll("\\s*\n\\s*", " "));
            } else {
                table.row(report.kind(), name, usable, report.location().replaceFirst("^.*/", ""), why);
            }
        }
        table.print(shell.out());
    }
}
