package io.github.trainer4j.container;

import java.nio.file.Path;

/** Says what speaks against the sockets it is given; run as a user without rights. */
final class SocketRightsMain {
    private SocketRightsMain() {}

    public static void main(String[] sockets) {
        for (String socket : sockets) {
            System.out.println(SocketFile.objection(Path.of(socket)).orElse("nothing"));
        }
    }
}
