package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.transfer.http.HttpResponse;
import io.github.trainer4j.transfer.http.Links;
import java.util.Optional;

/** Says what the Hub's refusals mean and what to do about them. They differ by a header more than by their status. */
final class HubErrors {
    private final HubUri uri;
    private final String page;
    private final Optional<HubAccess.Token> token;

    /**
     * @param page the address of the repository's page, where terms are accepted
     */
    HubErrors(HubUri uri, String page, Optional<HubAccess.Token> token) {
        this.uri = uri;
        this.page = page;
        this.token = token;
    }

    /** Returns the error for an answer that no repetition mends, and closes it. */
    InitializerException refusal(HttpResponse response) {
        String code = response.header("X-Error-Code").orElse("");
        String said = response.header("X-Error-Message")
                .map(message -> " (the Hub says: " + withoutToken(Text.shown(message)) + ")")
                .orElse("");
        int status = response.status();
        String place = Links.shown(response.uri());
        response.close();
        return switch (code) {
            case "GatedRepo" -> gated(said);
            case "RepoNotFound" -> repositoryNotFound(said);
            case "RevisionNotFound" ->
                error(
                        "RevisionNotFound",
                        uri.id() + " has no revision '" + uri.revisionOrMain() + "'" + said + "; look it up at " + page
                                + "/tree/main");
            case "EntryNotFound" ->
                error("NotFound", "there is no " + place + said + "; look it up at " + page + "/tree/main");
            case "DisabledRepo" -> error("Forbidden", uri + " was disabled by the Hub" + said);
            default -> byStatus(status, place, said);
        };
    }

    private InitializerException byStatus(int status, String place, String said) {
        return switch (status) {
            case 401 ->
                token.isPresent()
                        ? error(
                                "Unauthorized",
                                "the Hub refuses the token of " + token.get().origin() + said
                                        + "; renew it, or remove it if " + uri + " is public")
                        : error("Unauthorized", uri + " needs a token" + said + "; " + howToGiveAToken());
            case 403 ->
                error(
                        "Forbidden",
                        token.map(known -> "the token of " + known.origin() + " may not read " + uri
                                                + "; a fine-grained one must list this repository")
                                        .orElse(uri + " may not be read without a token; " + howToGiveAToken())
                                + said);
            case 404 -> error("NotFound", "there is no " + place + said + "; check the name and the endpoint");
            default ->
                error(
                        status >= 300 && status < 400 ? "UnsafeRedirect" : "Refused",
                        place + " answers with status " + status + said + "; check the endpoint");
        };
    }

    private InitializerException gated(String said) {
        return error(
                "Gated",
                uri + " is gated" + said + ": accept its terms at " + page + ", "
                        + token.map(known -> "with the account whose token " + known.origin() + " has")
                                .orElse("and then " + howToGiveAToken()));
    }

    private InitializerException repositoryNotFound(String said) {
        return error(
                "NotFound",
                "there is no " + uri.id() + " at " + page + said + ", or it is private: check the name, and "
                        + token.map(known -> "whether the token of " + known.origin() + " may read it")
                                .orElse(howToGiveAToken()));
    }

    private static String howToGiveAToken() {
        return "give a token that may read it with the option access_token or the variable HF_TOKEN";
    }

    /** A server might repeat what it was sent. */
    private String withoutToken(String text) {
        return token.map(known -> text.replace(known.value().reveal(), "[hidden]"))
                .orElse(text);
    }

    private static InitializerException error(String reason, String message) {
        return new InitializerException(message, reason, null);
    }
}
