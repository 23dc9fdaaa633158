package io.github.trainer4j.examples.quickstart;

import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A linear classifier with a row of weights for each digit, kept in the safetensors format. */
final class SoftmaxModel {
    private static final int COLUMNS = LedDisplay.LAMPS + 1;

    private final float[] weights;

    SoftmaxModel(float[] weights) {
        if (weights.length != LedDisplay.CLASSES * COLUMNS) {
            throw new IllegalArgumentException("the model has " + weights.length + " weights");
        }
        this.weights = weights;
    }

    /** Returns a model that has learnt nothing. */
    static SoftmaxModel untrained() {
        return new SoftmaxModel(new float[LedDisplay.CLASSES * COLUMNS]);
    }

    static SoftmaxModel read(Path safetensors) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(safetensors)).order(ByteOrder.LITTLE_ENDIAN);
        byte[] header = new byte[Math.toIntExact(file.getLong())];
        file.get(header);
        Map<String, Object> tensors = Json.parseObject(new String(header, StandardCharsets.UTF_8));
        if (!tensors.containsKey("weight")) {
            throw new IOException(safetensors + " has no tensor 'weight'");
        }
        float[] weights = new float[file.remaining() / Float.BYTES];
        file.asFloatBuffer().get(weights);
        return new SoftmaxModel(weights);
    }

    byte[] toSafetensors() {
        int bytes = weights.length * Float.BYTES;
        byte[] header = Json.write(Map.of(
                        "weight",
                        Map.of(
                                "dtype", "F32",
                                "shape", List.of(LedDisplay.CLASSES, COLUMNS),
                                "data_offsets", List.of(0, bytes))))
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer file =
                ByteBuffer.allocate(Long.BYTES + header.length + bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(header.length).put(header).asFloatBuffer().put(weights);
        return file.array();
    }

    /** Adds the gradient of these rows to {@code gradient}, and returns their summed loss. */
    double addGradient(List<byte[]> rows, float[] gradient) {
        double loss = 0;
        for (byte[] row : rows) {
            double[] probabilities = probabilities(row);
            loss -= Math.log(Math.max(probabilities[row[0]], 1e-12));
            for (int digit = 0; digit < LedDisplay.CLASSES; digit++) {
                float error = (float) (probabilities[digit] - (digit == row[0] ? 1 : 0));
                for (int lamp = 0; lamp < LedDisplay.LAMPS; lamp++) {
                    gradient[digit * COLUMNS + lamp] += error * row[lamp + 1];
                }
                gradient[digit * COLUMNS + LedDisplay.LAMPS] += error;
            }
        }
        return loss;
    }

    void step(float[] gradient, float rate) {
        for (int i = 0; i < weights.length; i++) {
            weights[i] -= rate * gradient[i];
        }
    }

    double accuracy(List<byte[]> rows) {
        long right = 0;
        for (byte[] row : rows) {
            double[] probabilities = probabilities(row);
            int best = 0;
            for (int digit = 1; digit < LedDisplay.CLASSES; digit++) {
                best = probabilities[digit] > probabilities[best] ? digit : best;
            }
            right += best == row[0] ? 1 : 0;
        }
        return (double) right / rows.size();
    }

    int size() {
        return weights.length;
    }

    private double[] probabilities(byte[] row) {
        double[] scores = new double[LedDisplay.CLASSES];
        double highest = Double.NEGATIVE_INFINITY;
        for (int digit = 0; digit < LedDisplay.CLASSES; digit++) {
            double score = weights[digit * COLUMNS + LedDisplay.LAMPS];
            for (int lamp = 0; lamp < LedDisplay.LAMPS; lamp++) {
                score += weights[digit * COLUMNS + lamp] * row[lamp + 1];
            }
            scores[digit] = score;
            highest = Math.max(highest, score);
        }
        double sum = 0;
        for (int digit = 0; digit < LedDisplay.CLASSES; digit++) {
            scores[digit] = Math.exp(scores[digit] - highest);
            sum += scores[digit];
        }
        for (int digit = 0; digit < LedDisplay.CLASSES; digit++) {
            scores[digit] /= sum;
        }
        return scores;
    }
}
