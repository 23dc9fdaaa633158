package io.github.trainer4j.cli;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "fetch",
        description =
                "Fetches a dataset or a model by its initializer, without a job; goes on where it was interrupted.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j fetch hf://org/data@main ./data --option ignore_patterns='*.bin'")
final class FetchCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "URI", description = "Where from, as in hf://org/name or s3://bucket/prefix.")
    String uri = "";

    @Parameters(index = "1", paramLabel = "DIR", description = "Where to; made if it is not there.")
    String to = "";

    @Option(names = "--model", description = "It is a model; else it is a dataset.")
    boolean model;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "An option of the initializer; a secret one is written KEY=@FILE.")
    List<String> options = new ArrayList<>();

    FetchCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        format(Set.of(Format.TABLE, Format.NAME));
        InitializerTarget target = model ? InitializerTarget.MODEL : InitializerTarget.DATASET;
        InitializerSpec spec = JobFlags.with(
                new Given(shell),
                model ? InitializerSpec.model(uri) : InitializerSpec.dataset(uri),
                options,
                "--option");
        Fetcher fetcher = builder()
                .initializers()
                .create(spec)
                .fetcher()
                .orElseThrow(() -> Refusal.invalid("only a cluster can fetch " + spec.scheme()
                        + "://; use it in a job with --backend kubernetes"));
        Path directory = shell.path(to);
        try (ProgressView view = new ProgressView(shell, root().noColor)) {
            Files.createDirectories(directory);
            fetcher.fetch(directory, new Surroundings(shell, view, target.step(), root().verbose));
        } catch (IOException e) {
            throw new Refusal(Exit.FAILED, "cannot fetch into " + directory + ": " + e);
        } catch (InitializerException e) {
            throw new Refusal(Exit.FAILED, String.valueOf(e.getMessage()));
        }
        shell.out().line(to);
        return Exit.OK;
    }

    private record Surroundings(Shell shell, ProgressView view, String step, boolean verbose) implements FetchContext {
        @Override
        public void progress(long bytesDone, OptionalLong bytesTotal) {
            view.onProgress(new ProgressEvent(step, bytesDone, bytesTotal));
        }

        @Override
        public void log(String line) {
            if (verbose) {
                view.above(() -> shell.say(line));
            }
        }

        @Override
        public Map<String, String> environment() {
            return shell.environment();
        }
    }
}
