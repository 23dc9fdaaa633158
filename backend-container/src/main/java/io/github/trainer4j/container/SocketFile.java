package io.github.trainer4j.container;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/** The file of a Unix socket, as far as it says that connecting is vain. */
final class SocketFile {
    private SocketFile() {}

    /** Returns why nobody can connect to this socket, and what to do; empty if nothing speaks against it. */
    static Optional<String> objection(Path socket) {
        try {
            PosixFileAttributes attributes = Files.readAttributes(socket, PosixFileAttributes.class);
            if (attributes.isRegularFile() || attributes.isDirectory()) {
                return Optional.of("is no socket");
            }
            return Files.isWritable(socket)
                    ? Optional.empty()
                    : Optional.of(noRight(
                            System.getProperty("user.name", "USER"),
                            attributes.owner().getName(),
                            attributes.group().getName(),
                            attributes.permissions()));
        } catch (NoSuchFileException e) {
            return Optional.of("there is no such socket");
        } catch (AccessDeniedException e) {
            return Optional.of(closedDirectory(socket));
        } catch (IOException e) {
            return Optional.of("cannot be looked at: " + e);
        } catch (UnsupportedOperationException e) {
            // No such attributes on this system: connecting will tell.
            return Optional.empty();
        }
    }

    /** Says who may use a socket that this user may not, and how to become one of them. */
    static String noRight(String user, String owner, String group, Set<PosixFilePermission> permissions) {
        String start =
                "user " + user + " has no right to it; it belongs to user " + owner + " and group " + group + "; ";
        return permissions.contains(PosixFilePermission.GROUP_WRITE) && !group.equals("root")
                ? start + "join the group with 'sudo usermod -aG " + group + " " + user
                        + "' and log in again (whoever is"
                        + " in it can become root on this machine), or start a rootless engine of your own"
                : start + "only " + owner + " may use it: start a rootless engine of your own ('systemctl --user enable"
                        + " --now podman.socket' for Podman, 'dockerd-rootless-setuptool.sh install' for Docker)";
    }

    private static String closedDirectory(Path socket) {
        Path directory = socket.getParent();
        while (directory != null && directory.getParent() != null && !Files.exists(directory)) {
            directory = directory.getParent();
        }
        String owner = "another user";
        try {
            if (directory != null) {
                PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class);
                owner = "user " + attributes.owner().getName() + " and group "
                        + attributes.group().getName();
            }
        } catch (IOException e) {
            owner = "another user";
        }
        return "user " + System.getProperty("user.name", "USER") + " has no right to enter " + directory
                + ", which belongs to " + owner
                + "; start a rootless engine of your own ('systemctl --user enable --now"
                + " podman.socket' for Podman, 'dockerd-rootless-setuptool.sh install' for Docker)";
    }
}
