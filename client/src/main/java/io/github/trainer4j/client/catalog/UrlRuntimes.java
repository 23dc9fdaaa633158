package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.TrainingRuntime;
import java.net.URI;
import java.util.List;

/**
 * Runtimes in a YAML file on a web server.
 *
 * @param address the file
 * @param downloads how it is got
 */
record UrlRuntimes(URI address, Downloads downloads) implements RuntimeSource {
    @Override
    public List<TrainingRuntime> read() {
        return downloads.get(address, text -> RuntimeYaml.read(text, Downloads.shown(address)));
    }
}
