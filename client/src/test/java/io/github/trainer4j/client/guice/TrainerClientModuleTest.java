package io.github.trainer4j.client.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.ProvisionException;
import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.TrainerClientBuilder;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainerClientModuleTest {
    @TempDir
    Path directory;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private URLClassLoader plugins;

    @BeforeEach
    void backend() throws IOException {
        Path services = directory.resolve("META-INF/services/" + BackendProvider.class.getName());
        Files.createDirectories(services.getParent());
        Files.writeString(services, "io.github.trainer4j.client.FakeBackendProvider");
        plugins = new URLClassLoader(new URL[] {directory.toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(plugins);
    }

    @AfterEach
    void close() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        plugins.close();
    }

    @Test
    void theClientIsInjectedAsOne() {
        Injector injector = Guice.createInjector(new TrainerClientModule(builder()));
        try (TrainerClient client = injector.getInstance(TrainerClient.class)) {
            assertThat(client.backend()).isEqualTo("fake");
            assertThat(injector.getInstance(TrainerClient.class)).isSameAs(client);
        }
    }

    @Test
    void whatIsWrongIsTheCauseOfGuicesException() {
        Injector injector =
                Guice.createInjector(new TrainerClientModule(builder().backend("nothing")));
        assertThatExceptionOfType(ProvisionException.class)
                .isThrownBy(() -> injector.getInstance(TrainerClient.class))
                .withCauseInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> new TrainerClientModule(null)).isInstanceOf(NullPointerException.class);
    }

    private TrainerClientBuilder builder() {
        return TrainerClient.builder()
                .home(directory)
                .currentDirectory(directory)
                .environment(Map.of())
                .systemProperties(Map.of());
    }
}
