package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.trainjob.TrainJobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "train",
        description = "Starts a job: of a file, as kubectl apply takes it, or of options.",
        customSynopsis = {
            "trainer4j train -f FILE|- [OPTION…]",
            "       trainer4j train --script FILE | --main-class CLASS | --image IMAGE [OPTION…] [-- COMMAND…]"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  trainer4j train -f job.yaml --backend local --follow",
            "  trainer4j train --name led --script train.py --arg=--epochs --arg=3 --nodes 2 --dataset hf://org/data",
            "  trainer4j train --runtime plain --image busybox -- sh -c 'echo $TRAINJOB_NAME'"
        })
final class TrainCommand extends ClientCommand {
    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "The file with the jobs, and runtimes for them if need be; - is standard input.")
    List<String> files = new ArrayList<>();

    @Mixin
    JobFlags flags = new JobFlags();

    @Option(
            names = "--dry-run",
            paramLabel = "plan|yaml",
            arity = "0..1",
            fallbackValue = "plan",
            description = "Starts nothing; prints what would be done, or the job as YAML for kubectl.")
    @Nullable
    String dryRun;

    @Option(names = "--wait", description = "Waits until the job is over; the exit code tells how.")
    boolean wait;

    @Option(names = "--follow", description = "Prints the nodes' logs until the job is over; the exit code tells how.")
    boolean follow;

    @Option(names = "--timeout", paramLabel = "TIME", description = "Waits for at most so long; the job goes on.")
    @Nullable
    Duration timeout;

    @Option(names = "--rm", description = "Deletes the job when it is over.")
    boolean remove;

    TrainCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        Format format = format(Jobs.FORMATS);
        Optional<String> dry = dryRun();
        boolean waiting = wait || follow;
        if (!waiting && (remove || timeout != null)) {
            throw Refusal.invalid((remove ? "--rm" : "--timeout") + " goes with --wait or --follow; give one of them");
        }
        List<TrainJobRequest> requests = requests();
        if (dry.equals(Optional.of("yaml"))) {
            shell.out().print(TrainJobs.write(requests.toArray(TrainJobRequest[]::new)));
            return Exit.OK;
        }
        Namespaces namespaces = Namespaces.of(requests);
        try (TrainerClient client = namespaces.client(shell, this::builder)) {
            Training training = new Training(shell, client, format, root().noColor);
            List<TrainJobRequest> checked = training.check(namespaces.jobs());
            if (dry.isPresent()) {
                training.printPlans(checked);
                return Exit.OK;
            }
            return training.run(checked, new Training.Wishes(waiting, follow, remove, Optional.ofNullable(timeout)));
        }
    }

    private Optional<String> dryRun() {
        if (dryRun != null && !dryRun.equals("plan") && !dryRun.equals("yaml")) {
            throw Refusal.invalid("'" + dryRun + "' is no form of --dry-run; write --dry-run=plan or --dry-run=yaml");
        }
        return Optional.ofNullable(dryRun);
    }

    private List<TrainJobRequest> requests() {
        Optional<String> flag = flags.anyGiven();
        if (files.isEmpty()) {
            if (flag.isEmpty()) {
                throw Refusal.invalid(
                        "there is no job; give a file with -f, or describe one by options such as --script");
            }
            return List.of(flags.request(shell));
        }
        if (flag.isPresent()) {
            throw Refusal.invalid("the job comes from " + files.get(0) + ", so that " + flag.get()
                    + " says nothing; write it into the file, or leave -f out");
        }
        List<TrainJobRequest> requests = new ArrayList<>();
        for (String file : files) {
            requests.addAll(
                    file.equals("-") ? TrainJobs.read(shell.in(), "standard input") : TrainJobs.read(shell.path(file)));
        }
        return requests;
    }
}
