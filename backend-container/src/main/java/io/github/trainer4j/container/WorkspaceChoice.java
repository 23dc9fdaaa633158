package io.github.trainer4j.container;

import io.github.trainer4j.api.state.FileTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether an engine is given a directory of this machine as workspace, or a volume of its own. */
final class WorkspaceChoice {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceChoice.class);

    /** What is wanted. */
    enum Form {
        /** A directory where the engine sees it, else a volume. */
        AUTO,
        /** A directory. */
        BIND,
        /** A volume. */
        VOLUME
    }

    private final Form form;
    private final JobStore store;
    private @Nullable Boolean sees;

    WorkspaceChoice(Form form, JobStore store) {
        this.form = form;
        this.store = store;
    }

    /** Whether a volume was asked for, whatever the engine. */
    boolean isVolume() {
        return form == Form.VOLUME;
    }

    /** Whether it is a volume on this engine. */
    synchronized boolean isVolume(Engine engine) {
        if (form != Form.AUTO) {
            return isVolume();
        }
        Boolean known = sees;
        if (known == null) {
            known = ask(engine);
            sees = known;
            if (!known) {
                LOG.info(
                        "the engine at {} does not see {}: workspaces are volumes",
                        engine.address(),
                        store.containers());
            }
        }
        return !known;
    }

    private boolean ask(Engine engine) {
        boolean local = engine.address().isLocal();
        if (engine.version().dialect() == Dialect.PODMAN) {
            return local;
        }
        // A directory that nobody else can have: one of a common name the engine's machine may have, too.
        Path probe = store.probe();
        List<String> problems = new ArrayList<>();
        try {
            Optional<Boolean> answer = engine.files().sees(probe.toAbsolutePath());
            return answer.orElse(local);
        } finally {
            FileTree.remove(probe, problems);
        }
    }
}
