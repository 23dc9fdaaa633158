package io.github.trainer4j.client.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.TrainerClientBuilder;
import java.util.Objects;

/**
 * Binds {@link TrainerClient} as a singleton. It is made when it is first injected; what may then be wrong is the cause of
 * Guice's {@link com.google.inject.ProvisionException}. Whoever ends the program closes the client.
 */
public final class TrainerClientModule extends AbstractModule {
    private final TrainerClientBuilder builder;

    /** Makes a module whose client is made of what is configured in system properties, the environment and files. */
    public TrainerClientModule() {
        this(TrainerClient.builder());
    }

    /** Makes a module whose client is made by this builder. */
    public TrainerClientModule(TrainerClientBuilder builder) {
        this.builder = Objects.requireNonNull(builder, "builder");
    }

    @Provides
    @Singleton
    TrainerClient client() {
        return builder.build();
    }
}
