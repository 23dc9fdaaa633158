package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobCommandsTest {
    private static final String JOB = """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: %s, labels: {team: vision}}
            spec:
              runtimeRef: {name: torch-distributed}
              trainer:
                command: [sh, -c]
                args: ['echo "rank $PET_NODE_RANK ä"; exit %d']
                numNodes: 2
            """;

    private Trial trial;

    @BeforeEach
    void begin(@TempDir Path directory) {
        trial = new Trial(directory);
    }

    private void train(String name, int exitCode) {
        trial.file(name + ".yaml", JOB.formatted(name, exitCode));
        assertThat(trial.run("train", "-f", name + ".yaml", "--wait").code()).isEqualTo(exitCode == 0 ? 0 : 1);
    }

    @Test
    void aFileIsTrainedListedReadAndDeleted() {
        trial.file("job.yaml", JOB.formatted("led", 0));
        Trial.Result started = trial.run("train", "-f", "job.yaml");
        assertThat(started).isEqualTo(new Trial.Result(0, "led\n", ""));

        Trial.Result waited = trial.run("wait", "led");
        assertThat(waited.code()).isZero();
        assertThat(waited.out()).isEmpty();
        assertThat(waited.err()).contains("led is Complete");

        assertThat(trial.run("list").out()).containsPattern("led +Complete +torch-distributed +2 +\\d+s\n");
        assertThat(trial.run("list", "-o", "wide").out()).contains("2/2", "workspace");
        assertThat(trial.run("ls", "-o", "name").out()).isEqualTo("led\n");
        assertThat(trial.run("get", "led", "-o", "name").out()).isEqualTo("led\n");
        assertThat(trial.run("logs", "led").out()).isEqualTo("rank 0 ä\n");
        assertThat(trial.run("logs", "led", "--step", "node-1").out()).isEqualTo("rank 1 ä\n");
        assertThat(trial.run("logs", "led", "--all-steps").out().lines())
                .containsExactlyInAnyOrder("[node-0] rank 0 ä", "[node-1] rank 1 ä");
        assertThat(trial.run("delete", "led")).isEqualTo(new Trial.Result(0, "led\n", ""));
        assertThat(trial.run("list")).isEqualTo(new Trial.Result(0, "", "No jobs.\n"));
    }

    @Test
    void jobsThatAreOverArePrunedByAgeAndLabel() {
        train("good", 0);
        train("bad", 1);
        trial.run("train", "--name", "sleeps", "--label", "team=vision", "--", "sleep", "600");

        assertThat(trial.run("prune", "--older-than", "1h")).isEqualTo(new Trial.Result(0, "", "No jobs.\n"));
        assertThat(trial.run("prune", "-l", "team=audio")).isEqualTo(new Trial.Result(0, "", "No jobs.\n"));
        assertThat(trial.run("prune", "-l", "team=vision")).isEqualTo(new Trial.Result(0, "good\nbad\n", ""));
        assertThat(trial.run("list", "-o", "name").out()).isEqualTo("sleeps\n");
        assertThat(trial.run("delete", "sleeps").code()).isZero();
    }

    @Test
    void aJobComesFromStandardInput() {
        assertThat(trial.typing(JOB.formatted("led", 0)).run("train", "-f", "-", "--follow"))
                .satisfies(result -> assertThat(result.code()).isZero())
                .satisfies(result -> assertThat(result.out()).contains("[node-0] rank 0 ä\n", "[node-1] rank 1 ä\n"));
    }

    @Test
    void aJobThatFailsIsOne() {
        trial.file("job.yaml", JOB.formatted("led", 7));
        assertThat(trial.run("train", "-f", "job.yaml", "--wait"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(1))
                .satisfies(result -> assertThat(result.err())
                        .contains("job led is Failed", "exit 7")
                        // Which of the two ends first is chance.
                        .containsPattern("rank [01] ä"));
        assertThat(trial.run("wait", "led").code()).isEqualTo(1);
        assertThat(trial.run("wait", "led", "--for=failed").code()).isZero();
    }

    @Test
    void waitingEndsInTime() {
        assertThat(trial.run("train", "--name", "slow", "--runtime", "torch-distributed", "--", "sleep", "60")
                        .code())
                .isZero();
        try {
            assertThat(trial.run("wait", "slow", "--timeout", "300ms"))
                    .satisfies(result -> assertThat(result.code()).isEqualTo(3))
                    .satisfies(result -> assertThat(result.err()).contains("job slow is", "after PT0.3S"));
        } finally {
            assertThat(trial.run("delete", "slow").code()).isZero();
        }
    }

    @Test
    void aJobIsRemovedWhenItIsOver() {
        trial.file("job.yaml", JOB.formatted("led", 0));
        assertThat(trial.run("train", "-f", "job.yaml", "--wait", "--rm", "-o", "json"))
                .satisfies(result -> assertThat(Json.parseObject(result.out())).containsEntry("status", "Complete"));
        assertThat(trial.run("get", "led").code()).isEqualTo(5);
    }

    @Test
    void jsonAndYamlSayTheSame() {
        train("led", 0);
        Map<String, Object> one =
                Json.parseObject(trial.run("get", "led", "-o", "json").out());
        Map<String, Object> all =
                Json.parseObject(trial.run("get", "-o", "json").out());
        assertThat(all).isEqualTo(Map.of("items", List.of(one)));
        assertThat(trial.run("get", "led", "-o", "yaml").out())
                .contains("name: led\n", "status: Complete\n", "labels:\n  team: vision\n");
    }

    @Test
    void whatIsNotThereIsFive() {
        assertThat(trial.run("get", "nix"))
                .isEqualTo(new Trial.Result(
                        5, "", "trainer4j: backend local has no job 'nix'; list() shows those it has\n"));
        assertThat(trial.run("logs", "nix").code()).isEqualTo(5);
        assertThat(trial.run("wait", "nix").code()).isEqualTo(5);
        assertThat(trial.run("delete", "nix").code()).isEqualTo(5);
        train("led", 0);
        assertThat(trial.run("logs", "led", "--step", "node-7").code()).isEqualTo(5);
        assertThat(trial.run("delete", "nix", "led"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(5))
                .satisfies(result -> assertThat(result.out()).isEqualTo("led\n"));
    }

    @Test
    void jobsAreChosenByTheirLabels() {
        train("led", 0);
        trial.run("train", "--name", "other", "--wait", "--", "true");
        assertThat(trial.run("list", "-l", "team=vision", "-o", "name").out()).isEqualTo("led\n");
        assertThat(trial.run("list", "-l", "team!=vision", "-o", "name").out()).isEqualTo("other\n");
        assertThat(trial.run("list", "-l", "!team", "-o", "name").out()).isEqualTo("other\n");
        assertThat(trial.run("list", "-l", "team,team==vision", "-o", "name").out())
                .isEqualTo("led\n");
        assertThat(trial.run("list", "-l", "team = ", "-o", "name").out()).isEmpty();
        assertThat(trial.run("list", "-l", "a b").code()).isEqualTo(2);
        assertThat(trial.run("delete", "-l", "team=vision").out()).isEqualTo("led\n");
        assertThat(trial.run("delete", "-l", "").code()).isEqualTo(2);
        assertThat(trial.run("delete", "--all").out()).isEqualTo("other\n");
        assertThat(trial.run("delete", "--all")).isEqualTo(new Trial.Result(0, "", "No jobs.\n"));
    }

    @Test
    void noneOfSeveralJobsIsStartedWhereOneIsRefused() {
        trial.file(
                "jobs.yaml",
                JOB.formatted("good", 0) + "---\n"
                        + JOB.formatted("bad", 0).replace("torch-distributed", "no-such-runtime"));
        assertThat(trial.run("train", "-f", "jobs.yaml"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(5))
                .satisfies(result -> assertThat(result.err()).contains("there is no runtime 'no-such-runtime'"));
        assertThat(trial.run("list").err()).isEqualTo("No jobs.\n");
    }
}
