package io.github.trainer4j.examples.quickstart;

import io.github.trainer4j.api.progress.TrainingReporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What each node runs: learns from its share of the dataset, starting from the base model, in step with the others. */
public final class LedTraining {
    private static final int EPOCHS = 60;
    private static final float RATE = 2.0f;

    private LedTraining() {}

    /**
     * Trains, and on node 0 writes {@code output/model.safetensors} and {@code output/accuracy.txt} into the workspace.
     *
     * @throws IOException if dataset or model cannot be read, or node 0 cannot be reached
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path workspace = Path.of(variable("TRAINJOB_WORKSPACE"));
        int rank = Integer.parseInt(variable("PET_NODE_RANK"));
        int nodes = Integer.parseInt(variable("PET_NNODES"));

        SoftmaxModel model = SoftmaxModel.read(workspace.resolve("model/model.safetensors"));
        List<byte[]> all = read(workspace.resolve("dataset/train"));
        List<byte[]> share = new ArrayList<>();
        for (int row = rank; row < all.size(); row += nodes) {
            share.add(all.get(row));
        }
        System.out.printf("node %d of %d learns from %d of %d rows%n", rank, nodes, share.size(), all.size());

        try (AllReduce reduce = AllReduce.connect(
                        rank, nodes, variable("PET_MASTER_ADDR"), Integer.parseInt(variable("PET_MASTER_PORT")));
                TrainingReporter reporter = TrainingReporter.fromEnvironment()) {
            for (int epoch = 1; epoch <= EPOCHS; epoch++) {
                // The last two elements carry the loss and the number of rows through the same sum.
                float[] sums = new float[model.size() + 2];
                sums[model.size()] = (float) model.addGradient(share, sums);
                sums[model.size() + 1] = share.size();
                reduce.sum(sums);
                float rows = sums[model.size() + 1];
                model.step(sums, RATE / rows);
                if (epoch % 15 == 0) {
                    System.out.printf(Locale.ROOT, "epoch %2d  loss %.4f%n", epoch, sums[model.size()] / rows);
                    reporter.report(100 * epoch / EPOCHS, Map.of("loss", Float.toString(sums[model.size()] / rows)));
                }
            }
        }
        if (rank == 0) {
            double accuracy = model.accuracy(read(workspace.resolve("dataset/test")));
            Path output = Files.createDirectories(workspace.resolve("output"));
            Files.write(output.resolve("model.safetensors"), model.toSafetensors());
            Files.writeString(output.resolve("accuracy.txt"), String.format(Locale.ROOT, "%.4f", accuracy));
            System.out.printf(Locale.ROOT, "accuracy on held-out rows: %.1f %%%n", 100 * accuracy);
        }
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not set; start this program as a training node");
        }
        return value;
    }

    private static List<byte[]> read(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(directory)) {
            files = found.filter(file -> file.toString().endsWith(".csv"))
                    .sorted()
                    .toList();
        }
        List<byte[]> rows = new ArrayList<>();
        for (Path file : files) {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                // Every field is one digit.
                byte[] row = new byte[(line.length() + 1) / 2];
                for (int i = 0; i < row.length; i++) {
                    row[i] = (byte) Character.digit(line.charAt(2 * i), 10);
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
