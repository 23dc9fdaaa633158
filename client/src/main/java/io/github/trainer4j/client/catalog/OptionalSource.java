package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source without which the others go on to serve.
 *
 * @param text the source as it is configured
 * @param source the source
 */
record OptionalSource(String text, RuntimeSource source) implements RuntimeSource {
    private static final Logger LOG = LoggerFactory.getLogger(OptionalSource.class);

    @Override
    public List<TrainingRuntime> read() {
        try {
            return source.read();
        } catch (TrainerException e) {
            LOG.warn("left out, as it is optional: {}", e.getMessage());
            return List.of();
        }
    }
}
