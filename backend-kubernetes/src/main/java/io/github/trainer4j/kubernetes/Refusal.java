package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TrainerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Says in our own errors why an API server did not do what it was asked. */
final class Refusal {
    /** The one word, for programs, of a missing right. */
    static final String FORBIDDEN = "Forbidden";

    private static final Set<String> WRITING = Set.of("create", "patch");
    /** What an API server says of a right that is missing; whatever else comes as 403 is the refusal of a check. */
    private static final Pattern RIGHT = Pattern.compile("cannot (?<verb>\\w+) resource \"(?<what>[^\"]+)\""
            + "( in API group \"(?<group>[^\"]*)\")?( in the namespace \"(?<namespace>[^\"]+)\")?");

    private static final Pattern WEBHOOK =
            Pattern.compile("admission webhook \"([^\"]+)\" denied the request:\\s*(.*)", Pattern.DOTALL);
    private static final Pattern UNKNOWN_FIELD = Pattern.compile("unknown field \"([^\"]+)\"");
    private static final Pattern NO_NAMESPACE = Pattern.compile("namespaces \"[^\"]+\" not found");

    private Refusal() {}

    /** Is thrown for a resource that exists already. */
    static final class Conflict extends TrainerException {
        private static final long serialVersionUID = 1L;

        Conflict(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Returns whether a job was refused for a field that the cluster's version of the resource does not have. */
    static boolean isOfUnknownField(InvalidJobException e) {
        return e.getMessage() != null && e.getMessage().contains("unknown field");
    }

    static TrainerException of(
            KubernetesClientException e, String verb, String what, String namespace, String address) {
        String words = words(e);
        return switch (e.getCode()) {
            case 401 ->
                new BackendUnavailableException(
                        "the cluster at " + address + " does not accept the credentials of the kubeconfig: " + words
                                + "; log in again, or choose another context with the setting kubernetes.context",
                        List.of(),
                        e);
            case 403 ->
                isMissingRight(e) || !WRITING.contains(verb)
                        ? missingRight(e, verb, what, namespace, address)
                        : new InvalidJobException("the cluster refuses the job: " + check(words), e);
            case 404 -> notThere(e, what, namespace, address);
            case 409 -> new Conflict(words, e);
            case 400, 422 ->
                WRITING.contains(verb)
                        ? new InvalidJobException(invalid(words), e)
                        : unanswered(e, verb, what, address);
            default -> unanswered(e, verb, what, address);
        };
    }

    /** Returns whether the one who asked lacks a right, rather than that a check of the cluster refuses what was asked. */
    static boolean isMissingRight(KubernetesClientException e) {
        return e.getCode() == 403 && RIGHT.matcher(words(e)).find();
    }

    private static String words(KubernetesClientException e) {
        return Optional.ofNullable(e.getStatus()).map(Status::getMessage).orElse(String.valueOf(e.getMessage()));
    }

    /** Is not a loss of contact: to ask again would not help. */
    private static TrainerException missingRight(
            KubernetesClientException e, String verb, String what, String namespace, String address) {
        Matcher said = RIGHT.matcher(words(e));
        boolean known = said.find();
        String right = known ? said.group("verb") : verb;
        String resource = known ? said.group("what") : what;
        boolean everywhere = known && said.group("namespace") == null;
        return new TrainerException(
                "you may not " + right + " " + resource
                        + (everywhere ? " in the cluster at " : " in namespace " + namespace + " of the cluster at ")
                        + address + "; ask for a " + (everywhere ? "ClusterRole" : "Role")
                        + " with the rule {apiGroups: [\""
                        + (known && said.group("group") != null ? said.group("group") : "") + "\"], resources: ["
                        + resource + "], verbs: [" + right + "]} (" + words(e) + ")",
                e,
                null,
                null,
                FORBIDDEN);
    }

    private static BackendUnavailableException notThere(
            KubernetesClientException e, String what, String namespace, String address) {
        String words = words(e);
        return NO_NAMESPACE.matcher(words).find()
                ? new BackendUnavailableException(
                        "the cluster at " + address + " has no namespace " + namespace
                                + "; create it, or choose another with the setting kubernetes.namespace",
                        List.of(),
                        e)
                : lacking(address, what, words, e);
    }

    /** Returns the error of a cluster that does not know a kind of resource. */
    static BackendUnavailableException lacking(
            String address, String what, String words, @org.jspecify.annotations.Nullable Throwable cause) {
        return new BackendUnavailableException(
                "the cluster at " + address + " knows no " + what + " (" + words
                        + "); if it lacks Kubeflow Trainer, install that there, or choose another context with the setting"
                        + " kubernetes.context",
                List.of(),
                cause);
    }

    /** Puts the field, which a webhook names first, in front of the webhook. */
    private static String check(String words) {
        Matcher webhook = WEBHOOK.matcher(words);
        return webhook.find() ? webhook.group(2) + " (says the admission webhook " + webhook.group(1) + ")" : words;
    }

    private static String invalid(String words) {
        List<String> fields = new ArrayList<>();
        Matcher field = UNKNOWN_FIELD.matcher(words);
        while (field.find()) {
            fields.add(field.group(1));
        }
        return fields.isEmpty()
                ? "the cluster refuses the job: " + words
                : "the cluster does not know " + String.join(", ", fields)
                        + ": its Kubeflow Trainer is of another version than the job needs; update it there, or leave out"
                        + " what needs it (" + words + ")";
    }

    private static BackendUnavailableException unanswered(
            KubernetesClientException e, String verb, String what, String address) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return new BackendUnavailableException(
                        "there is no secure connection to the cluster at " + address + ": " + cause.getMessage()
                                + "; the certificate authority that the kubeconfig names must be the one of that cluster",
                        List.of(),
                        e);
            }
        }
        return new BackendUnavailableException(
                "the cluster at " + address + " did not answer when asked to " + verb + " " + what + ": "
                        + cause(e, words(e)),
                List.of(),
                e);
    }

    private static String cause(KubernetesClientException e, String words) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root == e ? words : words + " (" + root + ")";
    }
}
