package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Files that a rule makes. Each is written under a name of its own and moved when it is whole, so that no file under its
 * right name is ever partial; and what is there already is looked into before it is believed.
 */
record ToyFiles(int count, int size, String suffix) implements Fetcher {
    @Override
    public void fetch(Path directory, FetchContext context) throws IOException, InterruptedException {
        long total = (long) count * size;
        for (int i = 0; i < count; i++) {
            if (Thread.interrupted()) {
                throw new InterruptedException("stopped before " + name(i));
            }
            Path file = directory.resolve(name(i));
            if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), content(i))) {
                Path partial = Files.createTempFile(directory, ".toy-", ".partial");
                try {
                    Files.write(partial, content(i));
                    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } finally {
                    Files.deleteIfExists(partial);
                }
                context.log("wrote " + name(i));
            }
            context.progress((i + 1L) * size, OptionalLong.of(total));
        }
    }

    String name(int i) {
        return "file-" + i + suffix;
    }

    byte[] content(int i) {
        byte[] content = new byte[size];
        Arrays.fill(content, (byte) ('a' + i % 26));
        return content;
    }
}
