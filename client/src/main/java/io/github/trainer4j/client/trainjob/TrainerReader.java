package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.TorchTuneConfig;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.launch.ResourceNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code spec.trainer}. */
final class TrainerReader {
    private static final Set<String> FIELDS =
            Set.of("image", "command", "args", "env", "numNodes", "numProcPerNode", "resourcesPerNode");
    private static final List<String> TORCHTUNE = List.of("tune", "run");

    private final Place place;
    private final List<JobOption> options;

    /**
     * Makes a reader.
     *
     * @param options where fields go that only a cluster can honour
     */
    TrainerReader(Place place, List<JobOption> options) {
        this.place = place;
        this.options = options;
    }

    Trainer read() {
        place.only(FIELDS);
        Variables variables = Variables.read(place);
        options.addAll(variables.references().values());
        List<String> command = expanded("command", variables);
        List<String> args = expanded("args", variables);
        NodeSettings nodes = new NodeSettings(
                place.wholeNumber("numNodes"),
                place.wholeNumber("numProcPerNode"),
                resources(),
                variables.plain(),
                variables.secret(),
                place.text("image"));
        if (command.equals(TORCHTUNE)) {
            return new BuiltinTrainer(torchtune(args), nodes);
        }
        if (!command.isEmpty()) {
            List<String> whole = Stream.concat(command.stream(), args.stream()).toList();
            Optional<Trainer> script = Scripts.read(whole, nodes).map(trainer -> trainer);
            return script.orElseGet(() -> new CommandTrainer(whole, nodes));
        }
        return new RuntimeTrainer(args.isEmpty() ? Optional.empty() : Optional.of(args), nodes);
    }

    private List<String> expanded(String key, Variables variables) {
        List<String> expanded = new ArrayList<>();
        for (Place element : place.list(key)) {
            element.text().ifPresent(text -> expanded.add(variables.expand(element, text)));
        }
        return expanded;
    }

    private TorchTuneConfig torchtune(List<String> args) {
        TorchTuneConfig config = TorchTuneConfig.defaults();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 1) {
                place.get("args")
                        .ifPresent(list -> list.wrong("'" + arg
                                + "' has not the form key=value, which is all that 'tune run' is given by a job"));
            } else if (!TorchTuneConfig.RUNTIME_KEYS.contains(arg.substring(0, equals))
                    && !arg.startsWith("dataset.data_dir=")) {
                config = config.with(arg.substring(0, equals), arg.substring(equals + 1));
            }
        }
        return config;
    }

    /** What a node may use is what it is sure to have; a request that differs from its limit is for a cluster to honour. */
    private Resources resources() {
        Optional<Place> resources = place.get("resourcesPerNode");
        if (resources.isEmpty()) {
            return Resources.none();
        }
        resources.get().only(Set.of("limits", "requests", "claims"));
        resources.get().get("claims").ifPresent(claims -> options.add(new TrainJobField(claims.path(), claims.tree())));
        Map<String, String> amounts = new LinkedHashMap<>();
        Resources read = Resources.none();
        for (String part : List.of("limits", "requests")) {
            Map<String, Place> entries =
                    resources.get().get(part).map(Place::entries).orElse(Map.of());
            for (Map.Entry<String, Place> entry : entries.entrySet()) {
                Place amount = entry.getValue();
                Optional<String> text = amount.amount();
                String before = text.isPresent() ? amounts.putIfAbsent(entry.getKey(), text.get()) : null;
                if (text.isPresent() && before == null) {
                    Resources known = read;
                    read = Checked.value(
                            amount, () -> known.with(ResourceNames.inJob(entry.getKey()), text.get()), known);
                } else if (before != null && !same(before, text.get())) {
                    options.add(new TrainJobField(amount.path(), text.get()));
                }
            }
        }
        return read;
    }

    private static boolean same(String one, String other) {
        return one.equals(other) || new Quantity(one).value().compareTo(new Quantity(other).value()) == 0;
    }
}
