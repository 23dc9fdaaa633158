package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TrainerException;
import java.util.List;
import java.util.Optional;

/** Says in our own errors why an API server did not do what it was asked. */
final class Refusal {
    private static final String WEBHOOK = "admission webhook";

    private Refusal() {}

    /** Is thrown for a resource that exists already. */
    static final class Conflict extends TrainerException {
        private static final long serialVersionUID = 1L;

        Conflict(String message, Throwable cause) {
            super(message, cause);
        }
    }

    static TrainerException of(
            KubernetesClientException e, String verb, String what, String namespace, String address) {
        String words =
                Optional.ofNullable(e.getStatus()).map(Status::getMessage).orElse(String.valueOf(e.getMessage()));
        return switch (e.getCode()) {
            case 401 ->
                new BackendUnavailableException(
                        "the cluster at " + address + " does not accept the credentials of the kubeconfig: " + words
                                + "; log in again, or choose another context with the setting kubernetes.context",
                        List.of(),
                        e);
            case 403 ->
                words.contains(WEBHOOK)
                        ? new InvalidJobException("the cluster refuses the job: " + words, e)
                        : new BackendUnavailableException(
                                "you may not " + verb + " " + what + " in namespace " + namespace
                                        + " of the cluster at "
                                        + address + "; ask for a Role with the verb " + verb + " on " + what + " ("
                                        + words
                                        + ")",
                                List.of(),
                                e);
            case 404 ->
                new BackendUnavailableException(
                        "the cluster at " + address + " knows no " + what + " in namespace " + namespace + ": " + words
                                + "; if it lacks Kubeflow Trainer, install that there, or choose another context with the"
                                + " setting kubernetes.context",
                        List.of(),
                        e);
            case 409 -> new Conflict(words, e);
            case 400, 422 -> new InvalidJobException("the cluster refuses the job: " + words, e);
            default ->
                new BackendUnavailableException(
                        "the cluster at " + address + " did not answer when asked to " + verb + " " + what + ": "
                                + cause(e, words),
                        List.of(),
                        e);
        };
    }

    private static String cause(KubernetesClientException e, String words) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root == e ? words : words + " (" + root + ")";
    }
}
