package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The part of the contract about what a node is given: arguments, environment, workspace, rank. */
interface LaunchContract {
    /** What shells, quoting and encodings like to break. */
    List<String> ODD = List.of(
            "plain",
            "",
            "two words",
            "'single' \"double\" `back`",
            "$HOME ${HOME} $(id) %PATH%",
            "back\\slash \\n \\\\",
            "a line\nand another\n",
            "* ? [a] ~ ! # & | ; < > ( ) { }",
            "größe 漢字 🚀",
            "--flag=value",
            "\ttab ");

    @Test
    default void argumentsArriveByteForByte(Bench bench) {
        String name = bench.complete(bench.script(
                        "for a in \"$@\"; do printf %s \"$a\" | od -An -v -tx1 | tr -d ' \\n'; echo; done",
                        ODD.toArray(String[]::new)))
                .name();

        assertThat(bench.log(name, "node-0").stream().map(LaunchContract::fromHex))
                .containsExactlyElementsOf(ODD);
    }

    @Test
    default void variablesArriveByteForByte(Bench bench) {
        var trainer = bench.sh("for a in \"$ODD_0\" \"$ODD_1\" \"$ODD_2\" \"$ODD_3\" \"$ODD_4\" \"$ODD_5\" \"$ODD_6\""
                + " \"$ODD_7\" \"$ODD_8\" \"$ODD_9\" \"$ODD_10\"; do printf %s \"$a\" | od -An -v -tx1 | tr -d ' \\n';"
                + " echo; done");
        for (int i = 0; i < ODD.size(); i++) {
            trainer = trainer.env("ODD_" + i, ODD.get(i));
        }

        String name = bench.complete(bench.job().trainer(trainer).build()).name();

        assertThat(bench.log(name, "node-0").stream().map(LaunchContract::fromHex))
                .containsExactlyElementsOf(ODD);
    }

    @Test
    default void aScriptAndItsArgumentsArriveByteForByte(Bench bench) {
        if (!bench.has(Feature.PYTHON)) {
            return;
        }
        String text = "EOF\nTRAINING_SCRIPT_EOF\n$HOME \\ ' \" größe 漢字";
        CustomTrainer trainer = CustomTrainer.source("train.py", """
                        import os, sys
                        text = '''EOF
                        TRAINING_SCRIPT_EOF
                        $HOME \\\\ \\' " größe 漢字'''
                        print(os.path.basename(sys.argv[0]))
                        for a in [text] + sys.argv[1:]:
                            print(os.fsencode(a).hex(), flush=True)
                        """).args(ODD);

        String name = bench.complete(bench.job().trainer(trainer).build()).name();

        List<String> lines = bench.log(name, "node-0");
        assertThat(lines.get(0)).isEqualTo("train.py");
        List<String> expected = new ArrayList<>(List.of(text));
        expected.addAll(ODD);
        assertThat(lines.stream().skip(1).map(LaunchContract::fromHex)).containsExactlyElementsOf(expected);
    }

    @Test
    default void aScriptMayBeLargerThanAnArgumentCanBe(Bench bench) {
        if (!bench.has(Feature.PYTHON)) {
            return;
        }
        String source = "# a comment of one line\n".repeat(15_000) + "print('the end is reached')\n";

        String name = bench.complete(bench.job()
                        .trainer(CustomTrainer.source("large.py", source))
                        .build())
                .name();

        assertThat(bench.log(name, "node-0")).containsExactly("the end is reached");
    }

    @Test
    default void aJavaProgramHasItsClassPathOptionsAndArguments(Bench bench) throws IOException {
        if (!bench.has(Feature.JAVA)) {
            return;
        }
        JavaTrainer trainer = bench.echo()
                .jvmOptions("-Xmx64m", "-D" + EchoProgram.PROPERTY + "=a value with blanks")
                .args(ODD.toArray(String[]::new));

        String name = bench.complete(bench.job().trainer(trainer).build()).name();

        List<String> lines = bench.log(name, "node-0");
        assertThat(lines.get(0)).isEqualTo("a value with blanks");
        assertThat(lines.stream().skip(1).map(LaunchContract::fromHex)).containsExactlyElementsOf(ODD);
    }

    @Test
    default void aNodeHasTheInheritedEnvironmentAndTheJobsOwn(Bench bench) {
        String name = bench.complete(bench.job()
                        .trainer(bench.sh("echo \"path=$PATH\"; echo \"foo=$FOO\"; echo \"home=$HOME\"")
                                .env("FOO", "1")
                                .env("HOME", "/contract/home"))
                        .build())
                .name();

        Map<String, String> env = variables(bench.log(name, "node-0"));
        assertThat(env.get("path")).as("PATH").isNotEmpty();
        assertThat(env).containsEntry("foo", "1").containsEntry("home", "/contract/home");
    }

    @Test
    default void aNodeKnowsItsJobAndItsWorkspace(Bench bench) {
        String name = bench.complete(
                        bench.script(
                                "echo \"name=$TRAINJOB_NAME\"; echo \"workspace=$TRAINJOB_WORKSPACE\";"
                                        + " echo \"file=$TRAINJOB_PROGRESS_FILE\"; [ -d \"$TRAINJOB_WORKSPACE\" ] && echo dir=yes;"
                                        + " : > \"$TRAINJOB_WORKSPACE/mine\" && : > \"$TRAINJOB_PROGRESS_FILE.try\" && echo writable=yes"))
                .name();

        Map<String, String> env = variables(bench.log(name, "node-0"));
        assertThat(env)
                .containsEntry("name", name)
                .containsEntry("dir", "yes")
                .containsEntry("writable", "yes")
                .containsKey("file");
        assertThat(env.get("workspace")).startsWith("/");
    }

    @Test
    default void eachJobHasAWorkspaceOfItsOwnAndTheClientsDirectoryStays(Bench bench) {
        String before = System.getProperty("user.dir");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            names.add(bench.start(bench.script("cd \"$TRAINJOB_WORKSPACE\" && for f in mark-*; do echo \"$f\"; done;"
                            + " : > \"mark-$TRAINJOB_NAME\"; sleep 2; for f in mark-*; do echo \"$f\"; done"))
                    .name());
        }

        for (String name : names) {
            bench.completed(name);
            assertThat(bench.log(name, "node-0")).containsExactly("mark-*", "mark-" + name);
        }
        assertThat(System.getProperty("user.dir")).isEqualTo(before);
    }

    @Test
    default void aNodeThatReadsItsInputFindsItsEnd(Bench bench) {
        String name = bench.complete(bench.script("cat; echo end")).name();

        assertThat(bench.log(name, "node-0")).containsExactly("end");
    }

    @Test
    default void theRankOfATorchNodeIsItsIndex(Bench bench) {
        TrainJobRequest request = bench.job("torch")
                .trainer(bench.sh("echo \"rank=$PET_NODE_RANK\"; echo \"nodes=$PET_NNODES\";"
                                + " echo \"procs=$PET_NPROC_PER_NODE\"; echo \"address=$PET_MASTER_ADDR\";"
                                + " echo \"port=$PET_MASTER_PORT\"")
                        .numNodes(3)
                        .numProcPerNode(2))
                .build();
        if (bench.refusedWithout(Feature.SEVERAL_NODES, request)) {
            return;
        }

        TrainJob job = bench.complete(request);

        assertThat(job.numNodes()).isEqualTo(3);
        List<Map<String, String>> nodes = nodes(bench, job.name(), 3);
        for (int rank = 0; rank < 3; rank++) {
            assertThat(nodes.get(rank))
                    .containsEntry("rank", Integer.toString(rank))
                    .containsEntry("nodes", "3")
                    .containsEntry("procs", "2");
        }
        theSameForAll(nodes, "address");
        theSameForAll(nodes, "port");
        assertThat(nodes.get(0).get("port")).matches("[1-9][0-9]*");
    }

    @Test
    default void theProcessIdOfAJaxNodeIsItsIndex(Bench bench) {
        TrainJobRequest request = bench.job("jax")
                .trainer(bench.sh("echo \"rank=$JAX_PROCESS_ID\"; echo \"nodes=$JAX_NUM_PROCESSES\";"
                                + " echo \"address=$JAX_COORDINATOR_ADDRESS\"")
                        .numNodes(2))
                .build();
        if (bench.refusedWithout(Feature.SEVERAL_NODES, request)) {
            return;
        }

        List<Map<String, String>> nodes = nodes(bench, bench.complete(request).name(), 2);

        assertThat(nodes.get(0)).containsEntry("rank", "0").containsEntry("nodes", "2");
        assertThat(nodes.get(1)).containsEntry("rank", "1").containsEntry("nodes", "2");
        theSameForAll(nodes, "address");
        assertThat(nodes.get(0).get("address")).matches(".+:[1-9][0-9]*");
    }

    @Test
    default void theTaskIdOfAnXgboostNodeIsItsIndex(Bench bench) {
        TrainJobRequest request = bench.job("xgboost")
                .trainer(bench.sh("echo \"rank=$DMLC_TASK_ID\"; echo \"nodes=$DMLC_NUM_WORKER\";"
                                + " echo \"address=$DMLC_TRACKER_URI\"; echo \"port=$DMLC_TRACKER_PORT\"")
                        .numNodes(2))
                .build();
        if (bench.refusedWithout(Feature.SEVERAL_NODES, request)) {
            return;
        }

        List<Map<String, String>> nodes = nodes(bench, bench.complete(request).name(), 2);

        assertThat(nodes.get(0)).containsEntry("rank", "0").containsEntry("nodes", "2");
        assertThat(nodes.get(1)).containsEntry("rank", "1").containsEntry("nodes", "2");
        theSameForAll(nodes, "address");
        theSameForAll(nodes, "port");
    }

    @Test
    default void nodesMeetAtTheAddressTheyAreGiven(Bench bench) {
        if (!bench.has(Feature.PYTHON) || !bench.has(Feature.SEVERAL_NODES)) {
            return;
        }
        CustomTrainer trainer = CustomTrainer.source("meet.py", """
                        import os, socket, time
                        host, port = os.environ["JAX_COORDINATOR_ADDRESS"].rsplit(":", 1)
                        rank = int(os.environ["JAX_PROCESS_ID"])
                        if rank == 0:
                            server = socket.create_server(("", int(port)))
                            peer, _ = server.accept()
                            print("met", peer.recv(100).decode())
                        else:
                            for attempt in range(300):
                                try:
                                    peer = socket.create_connection((host, int(port)), 5)
                                    break
                                except OSError:
                                    time.sleep(0.1)
                            peer.sendall(b"node-%d" % rank)
                        """).numNodes(2);

        String name = bench.complete(bench.job("jax").trainer(trainer).build()).name();

        assertThat(bench.log(name, "node-0")).containsExactly("met node-1");
    }

    @Test
    default void theLongestNameIsANameLikeAnyOther(Bench bench) {
        String name = bench.nameOf(63);
        TrainJobRequest.Builder request = bench.on(TrainJobRequest.builder().name(name), "torch")
                .trainer(bench.sh("echo \"hello from $PET_NODE_RANK\"")
                        .numNodes(bench.has(Feature.SEVERAL_NODES) ? 2 : 1));
        if (bench.has(Feature.INITIALIZERS)) {
            request.dataset(bench.dataset(InitializerActions.ok()));
        }

        try {
            bench.start(request.build());
        } catch (InvalidJobException e) {
            // What is made of the name may be too long for where it goes; then that is said before anything has
            // happened.
            assertThat(e).hasMessageContaining(name);
            bench.hasNo(name);
            return;
        }
        bench.completed(name);
        assertThat(bench.log(name, "node-0")).containsExactly("hello from 0");
        bench.delete(name);
        bench.hasNo(name);
    }

    @Test
    default void aRuntimeMayBeGivenWhole(Bench bench) {
        String known = bench.job().build().runtime().orElseThrow().name();
        TrainJobRequest request = TrainJobRequest.builder()
                .name(bench.name())
                .runtime(bench.backend().runtime(known))
                .trainer(bench.sh("echo hello"))
                .build();

        TrainJob job = bench.complete(request);

        assertThat(job.runtime()).hasValue(known);
        assertThat(bench.log(job.name(), "node-0")).containsExactly("hello");
    }

    @Test
    default void theJobTellsTheCommandOfEachNode(Bench bench) {
        TrainJobRequest request = bench.script("true", "an argument", "$HOME");

        TrainJob job = bench.complete(request);

        assertThat(job.step("node-0").orElseThrow().command())
                .containsExactlyElementsOf(
                        bench.sh("true", "an argument", "$HOME").command());
    }

    private static String fromHex(String line) {
        return new String(HexFormat.of().parseHex(line), StandardCharsets.UTF_8);
    }

    private static List<Map<String, String>> nodes(Bench bench, String name, int count) {
        List<Map<String, String>> nodes = new ArrayList<>();
        for (int rank = 0; rank < count; rank++) {
            nodes.add(variables(bench.log(name, "node-" + rank)));
        }
        return nodes;
    }

    private static void theSameForAll(List<Map<String, String>> nodes, String key) {
        assertThat(nodes.get(0).get(key)).as(key).isNotEmpty();
        assertThat(nodes)
                .allSatisfy(
                        node -> assertThat(node).containsEntry(key, nodes.get(0).get(key)));
    }

    private static Map<String, String> variables(List<String> lines) {
        Map<String, String> variables = new HashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            variables.put(line.substring(0, Math.max(equals, 0)), line.substring(equals + 1));
        }
        return variables;
    }
}
