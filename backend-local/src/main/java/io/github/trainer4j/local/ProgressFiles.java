package io.github.trainer4j.local;

import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.launch.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the nodes' own code says about how far it is. */
final class ProgressFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressFiles.class);
    private static final int LARGEST = 256 << 10;

    private ProgressFiles() {}

    /** Returns what was said last by any node; a file that makes no sense counts as none. */
    static Optional<TrainingProgress> read(JobDirectory directory, int nodes) {
        Optional<TrainingProgress> newest = Optional.empty();
        for (int rank = 0; rank < nodes; rank++) {
            Optional<TrainingProgress> found = read(directory.workspace().resolve(Launch.progressFile(rank)));
            if (found.isPresent()
                    && newest.filter(other ->
                                    !other.updated().isBefore(found.get().updated()))
                            .isEmpty()) {
                newest = found;
            }
        }
        return newest;
    }

    private static Optional<TrainingProgress> read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST);
            Instant written = Files.getLastModifiedTime(file).toInstant();
            return Optional.of(parse(Fields.parse(new String(bytes, StandardCharsets.UTF_8)), written));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException | TrainerException e) {
            // Perhaps it is only half written: the next look sees more.
            LOG.debug("the progress in {} cannot be read", file, e);
            return Optional.empty();
        }
    }

    private static TrainingProgress parse(Fields fields, Instant written) {
        OptionalInt percent = fields.smallNumber("progressPercentage");
        OptionalLong seconds = fields.number("estimatedRemainingSeconds");
        Map<String, String> metrics = new LinkedHashMap<>();
        List<Fields> list = fields.objects("metrics", metric -> metric);
        list.forEach(metric -> metrics.put(metric.need("name"), metric.need("value")));
        return new TrainingProgress(
                percent,
                seconds.isPresent() ? Optional.of(Duration.ofSeconds(seconds.getAsLong())) : Optional.empty(),
                metrics,
                fields.time("lastUpdatedTime").orElse(written));
    }
}
