package io.github.trainer4j.container;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows the logins at registries that Docker and Podman have on this machine. They are read anew for each image: people log
 * in while this process runs. Safe for several threads.
 */
final class RegistryCredentials {
    static final RegistryCredentials NONE = new RegistryCredentials(Product.DOCKER, List.of());

    private final Product product;
    private final List<LoginFile> files;

    private RegistryCredentials(Product product, List<LoginFile> files) {
        this.product = product;
        this.files = files;
    }

    /** Returns the logins of both products, those of the given one first. */
    static RegistryCredentials of(Product product, Map<String, String> environment, Path home) {
        Path docker = DockerContext.configDirectory(environment, home).resolve("config.json");
        List<Path> podman = podmanFiles(environment, home);
        List<Path> paths = new ArrayList<>(product == Product.DOCKER ? List.of(docker) : podman);
        paths.addAll(product == Product.DOCKER ? podman : List.of(docker));
        return new RegistryCredentials(
                product,
                paths.stream().map(path -> new LoginFile(path, environment)).toList());
    }

    private static List<Path> podmanFiles(Map<String, String> environment, Path home) {
        String said = environment.getOrDefault("REGISTRY_AUTH_FILE", "");
        if (!said.isBlank()) {
            return List.of(Path.of(said));
        }
        List<Path> files = new ArrayList<>();
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtime.isBlank()) {
            files.add(Path.of(runtime).resolve("containers/auth.json"));
        }
        String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
        files.add((config.isBlank() ? home.resolve(".config") : Path.of(config)).resolve("containers/auth.json"));
        return files;
    }

    /**
     * What is known for one image.
     *
     * @param product whose command logs in
     * @param registry the image's registry
     * @param login the login, if there is one
     * @param notes where there was none, and why
     */
    record Answer(Product product, ImageRegistry registry, Optional<RegistryLogin> login, List<String> notes) {
        /** Says which login was used for a pull that failed, and what to do. */
        String advice(EngineAddress engine) {
            String command = "'" + product.backend() + " login"
                    + (registry.host().equals(ImageRegistry.HUB) && product == Product.DOCKER
                            ? ""
                            : " " + registry.host())
                    + "'";
            String yourself = engine.isLocal() ? "pull it yourself" : "pull it yourself on the engine's machine";
            return login.map(known ->
                            "tried with the login of " + known + "; either there is no such image, or this user"
                                    + " may not see it, or the login is no longer valid: check the image's name, log in again with "
                                    + command + ", or " + yourself)
                    .orElseGet(() -> "tried without a login at " + registry.host()
                            + (notes.isEmpty() ? "" : ", for there was none in " + String.join(", ", notes))
                            + "; either there is no such image, or this machine has no access to it: check the image's"
                            + " name, log in with " + command + ", or " + yourself);
        }
    }

    /** Returns what is known for an image. May run a credential helper. */
    Answer find(String image) {
        ImageRegistry registry = ImageRegistry.of(image);
        List<String> notes = new ArrayList<>();
        for (LoginFile file : files) {
            Optional<RegistryLogin> login = file.find(registry, notes);
            if (login.isPresent()) {
                return new Answer(product, registry, login, notes);
            }
        }
        return new Answer(product, registry, Optional.empty(), notes);
    }
}
