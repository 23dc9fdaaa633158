package io.github.trainer4j.client.trainjob;

import static io.github.trainer4j.client.trainjob.ReadJobsTest.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.trainer4j.api.InvalidJobException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BadJobsTest {
    private static void assertRefused(String text, String... messages) {
        assertThatExceptionOfType(InvalidJobException.class)
                .isThrownBy(() -> TrainJobs.read(text, "job.yaml"))
                .satisfies(e -> assertThat(e.getMessage()).contains(messages))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("configuration"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            trainer: {nmNodes: 2}                       | line 6: spec.trainer.nmNodes: there is no such field; did you mean numNodes?
            trainre: {}                                 | line 6: spec.trainre: there is no such field; did you mean trainer?
            zzzzzz: 1                                   | spec.zzzzzz: there is no such field; known are activeDeadlineSeconds, initializer
            trainer: {numNodes: two}                    | spec.trainer.numNodes: a whole number is expected here
            trainer: {numNodes: "2"}                    | spec.trainer.numNodes: a whole number is expected here
            trainer: {numNodes: 2.5}                    | 2.5 is no whole number
            trainer: {numNodes: 9999999999}             | 9999999999 is too large
            trainer: {numNodes: 0}                      | spec.trainer: numNodes is 0; give at least 1
            trainer: []                                 | spec.trainer: keys and values are expected here
            trainer: {command: sh}                      | spec.trainer.command: a list is expected here
            trainer: {command: [sleep, 1]}              | spec.trainer.command[1]: a text is expected here, and 1 is none; write it in quotes: "1"
            trainer: {env: [{value: x}]}                | spec.trainer.env[0]: 'name' is missing
            trainer: {env: [{name: A},{name: A}]}       | spec.trainer.env[1]: the variable A is given twice
            trainer: {env: [{name: A, value: 1}]}       | spec.trainer.env[0].value: a text is expected here
            trainer: {env: [{name: "1A"}]}              | env has the name '1A'
            trainer: {env: [{name: A, valueFrom: {fieldReff: {fieldPath: x}}}]} | spec.trainer.env[0].valueFrom.fieldReff: there is no such field; did you mean fieldRef?
            trainer: {env: [{name: 'A"', valueFrom: {fieldRef: {fieldPath: x}}}]} | spec.trainer.env[0].valueFrom.fieldRef: 'spec.trainer.env[name="A""].valueFrom.fieldRef' is no path of a field
            trainer: {env: [{name: A, valueFrom: {}}]}  | spec.trainer.env[0].valueFrom: give one of configMapKeyRef, fieldRef
            trainer: {env: [{name: A, valueFrom: {secretKeyRef: {name: s}}}]} | spec.trainer.env[0].valueFrom.secretKeyRef: 'key' is missing
            trainer: {env: [{name: A, valueFrom: {fieldRef: {fieldPath: x}}}, {name: A}]} | spec.trainer.env[1]: the variable A is given twice
            trainer: {env: [{name: A, valueFrom: {fieldRef: {fieldPath: x}}}], args: [$(A)]} | spec.trainer.args[0]: $(A) stands for a value that only a cluster has
            trainer: {args: ["$(PET_NODE_RANK)"]}       | spec.trainer.args[0]: $(PET_NODE_RANK) stands for a value that only a cluster has
            trainer: {resourcesPerNode: {limits: {"a b/c": 1}}} | spec.trainer.resourcesPerNode.limits["a b/c"]: 'a b/c' is not the name of a resource
            trainer: {resourcesPerNode: {limits: {cpu: many}}}  | spec.trainer.resourcesPerNode.limits.cpu: resource cpu: 'many' is not an amount
            trainer: {command: [tune, run], args: [x]}  | spec.trainer.args: 'x' has not the form key=value
            activeDeadlineSeconds: 0                    | spec.activeDeadlineSeconds: a deadline is at least one second
            podTemplateOverrides: []                    | spec.podTemplateOverrides: only older versions of Kubeflow Trainer have this field; write runtimePatches
            suspend: maybe                              | spec.suspend: true or false is expected here
            runtimePatches: [{manager: m}]              | spec.runtimePatches[0]: 'trainingRuntimeSpec' is missing
            runtimePatches: [{manager: m, trainingRuntimeSpec: {tmplate: {}}}] | did you mean template?
            initializer: {dataset: {}}                  | spec.initializer.dataset: 'storageUri' is missing
            initializer: {datset: {storageUri: hf://a/b}} | spec.initializer.datset: there is no such field; did you mean dataset?
            initializer: {dataset: {storageUri: nowhere}} | spec.initializer.dataset: the dataset-initializer's storage URI 'nowhere' has no scheme
            initializer: {dataset: {storageUri: hf://a/b, env: [{name: token, value: x}]}} | written in upper case, as in TOKEN
            """)
    void aFieldThatIsWrongIsNamedWithLineAndPath(String spec, String message) {
        assertRefused(job(spec), "job.yaml line ", message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            TrainJob                        | TrainJop          | there is no kind 'TrainJop'; did you mean TrainJob
            trainer.kubeflow.org/v1alpha1   | trainer.kubeflow.org/v1 | apiVersion: 'trainer.kubeflow.org/v1' with the kind TrainJob is not read
            apiVersion: trainer.kubeflow.org/v1alpha1 | a: b    | line 1: 'apiVersion' is missing
            {name: led}                     | {generateName: l} | metadata.generateName: such names are not made here
            {name: led}                     | {name: Led_1}     | metadata.name: the job's name
            {name: led}                     | {name: led, labels: {a: 1}} | metadata.labels.a: a text is expected here
            {name: led}                     | {name: led, labels: {a: "x y"}} | labels[a] has the value 'x y'
            {name: led}                     | {}                | metadata: 'name' is missing
            {name: led}                     | {nam: led}        | metadata.nam: there is no such field; did you mean name
            {name: torch-distributed}       | {name: torch-distributed, kind: Runtime} | spec.runtimeRef.kind: 'Runtime' is no kind of runtime
            {name: torch-distributed}       | {name: a, apiGroup: b} | spec.runtimeRef.apiGroup: 'b' has no runtimes
            {name: torch-distributed}       | {}                | spec.runtimeRef: 'name' is missing
            """)
    void aHeadThatIsWrongIsToldToo(String from, String to, String message) {
        assertRefused(job("").replace(from, to), message);
    }

    @Test
    void allProblemsAreToldAtOnce() {
        assertRefused(
                job("trainer: {nmNodes: 2, command: sh}\nsuspendd: true"),
                "job.yaml has 3 problems:",
                "spec.trainer.nmNodes",
                "spec.trainer.command",
                "spec.suspendd");
    }

    @Test
    void twoJobsOfOneNameAreRefused() {
        assertRefused(
                job("") + "---\n" + job(""),
                "job.yaml line 7: the job led stands here a second time, first in line 1; give each a name of its own");
    }

    @Test
    void malformedTextHasLineAndColumn() {
        assertRefused(job("trainer: {command: [sh"), "job.yaml line 6 column ");
        assertRefused(job("trainer: {}\ntrainer: {}"), "job.yaml line 7 column ", "the key 'trainer' stands twice");
    }

    @Test
    void otherResourcesAreNotPassedOver() {
        assertRefused(
                job("") + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
                "line 7: apiVersion: 'v1' with the kind ConfigMap is not read");
    }

    @Test
    void aTextWithoutAJobIsRefused() {
        assertRefused("", "job.yaml holds no TrainJob");
        assertRefused("# nothing\n---\n", "job.yaml holds no TrainJob");
        assertRefused("just words", "keys and values are expected here");
    }

    @Test
    void aliasesCannotMakeASmallTextHuge() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
        }
        assertRefused(bomb.toString(), "alias");
    }

    @Test
    void whatIsNoFileOfTextIsRefused(@TempDir Path directory) throws IOException {
        assertFile(directory, "is a directory; name a file in it");
        assertFile(directory.resolve("missing.yaml"), "there is no file");
        Path file = Files.write(directory.resolve("big.yaml"), new byte[10 << 20]);
        assertFile(file, "has 10485760 bytes; at most 1048576 are read");
        Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xFC});
        assertFile(file, "is not UTF-8 text");
    }

    @Test
    void aStreamWithoutEndIsNotReadToItsEnd() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return '#';
            }
        };
        assertThatExceptionOfType(InvalidJobException.class)
                .isThrownBy(() -> TrainJobs.read(endless, "standard input"))
                .withMessageContaining("standard input has more than 1048576 bytes");
    }

    private static void assertFile(Path file, String message) {
        assertThatExceptionOfType(InvalidJobException.class)
                .isThrownBy(() -> TrainJobs.read(file))
                .withMessageContaining(file.toString())
                .withMessageContaining(message);
    }
}
