package io.github.trainer4j.container;

/** The two products that this module's backends are named after: where their engines are looked for. */
enum Product {
    /** Docker, and what calls itself so. */
    DOCKER("docker", "DOCKER_HOST", "docker.sock", "/var/run/docker.sock"),
    /** Podman's service. */
    PODMAN("podman", "CONTAINER_HOST", "podman/podman.sock", "/run/podman/podman.sock");

    private final String backend;
    private final String hostVariable;
    private final String rootlessSocket;
    private final String rootfulSocket;

    Product(String backend, String hostVariable, String rootlessSocket, String rootfulSocket) {
        this.backend = backend;
        this.hostVariable = hostVariable;
        this.rootlessSocket = rootlessSocket;
        this.rootfulSocket = rootfulSocket;
    }

    /** Returns the name of the backend, under which its settings stand. */
    String backend() {
        return backend;
    }

    /** Returns the variable that may say where the engine listens. */
    String hostVariable() {
        return hostVariable;
    }

    /** Returns the socket of an engine of the user's own, below the user's runtime directory. */
    String rootlessSocket() {
        return rootlessSocket;
    }

    /** Returns the socket of the system's engine. */
    String rootfulSocket() {
        return rootfulSocket;
    }
}
