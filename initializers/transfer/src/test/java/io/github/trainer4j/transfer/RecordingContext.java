package io.github.trainer4j.transfer;

import io.github.trainer4j.api.spi.FetchContext;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a download says. */
final class RecordingContext implements FetchContext {
    record Progress(long done, OptionalLong total) {}

    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<Progress> progress = new CopyOnWriteArrayList<>();

    @Override
    public void progress(long bytesDone, OptionalLong bytesTotal) {
        progress.add(new Progress(bytesDone, bytesTotal));
    }

    @Override
    public void log(String line) {
        lines.add(line);
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    String log() {
        return String.join("\n", lines);
    }

    Progress last() {
        return progress.get(progress.size() - 1);
    }
}
