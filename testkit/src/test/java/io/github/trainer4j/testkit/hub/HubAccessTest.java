package io.github.trainer4j.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.testkit.hub.Http.Reply;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HubAccessTest {

    private static final String GOOD = "Authorization: Bearer hf_good";
    private static final String OTHER = "Authorization: Bearer hf_other";
    private static final String BAD = "Authorization: Bearer hf_revoked";

    private final FakeHub hub = FakeHub.start().tokens("hf_other");

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void aPrivateRepositoryLooksMissingToAllOthers() throws IOException {
        hub.dataset("org/secret").file("a", "x").privateTo("hf_good", "hf_too");
        String info = "/api/datasets/org/secret/revision/main";

        Reply anonymous = Http.get(hub.endpoint(), info);
        Reply other = Http.get(hub.endpoint(), info, OTHER);

        assertThat(anonymous.status()).isEqualTo(401);
        assertThat(anonymous.header("X-Error-Code")).isEqualTo("RepoNotFound");
        assertThat(anonymous.header("X-Error-Message")).isEqualTo("Invalid username or password.");
        assertThat(other.status()).isEqualTo(404);
        assertThat(other.header("X-Error-Code")).isEqualTo("RepoNotFound");
        assertThat(Http.get(hub.endpoint(), "/datasets/org/secret/resolve/main/a", OTHER)
                        .status())
                .isEqualTo(404);
        assertThat(Http.get(hub.endpoint(), info, GOOD).text()).contains("\"private\":true");
        assertThat(Http.get(hub.endpoint(), info, "Authorization: Bearer hf_too")
                        .status())
                .isEqualTo(200);
        assertThat(Http.get(hub.endpoint(), "/datasets/org/secret/resolve/main/a", GOOD)
                        .text())
                .isEqualTo("x");
    }

    @Test
    void aGatedRepositoryShowsItsListingAndGuardsItsFiles() throws IOException {
        hub.model("org/gated").file("a", "x").gatedTo("hf_good");
        String file = "/org/gated/resolve/main/a";

        Reply listing = Http.get(hub.endpoint(), "/api/models/org/gated/revision/main");
        Reply anonymous = Http.get(hub.endpoint(), file);
        Reply notAccepted = Http.get(hub.endpoint(), file, OTHER);

        assertThat(listing.status()).isEqualTo(200);
        assertThat(listing.text()).contains("\"gated\":\"manual\"");
        assertThat(anonymous.status()).isEqualTo(401);
        assertThat(anonymous.header("X-Error-Code")).isEqualTo("GatedRepo");
        assertThat(notAccepted.status()).isEqualTo(403);
        assertThat(notAccepted.header("X-Error-Code")).isEqualTo("GatedRepo");
        assertThat(notAccepted.header("X-Error-Message")).contains(hub.endpoint() + "/org/gated");
        assertThat(Http.get(hub.endpoint(), file, GOOD).text()).isEqualTo("x");
    }

    @Test
    void aGateAlsoGuardsWhatIsRedirectedWithinTheHub() throws IOException {
        HubRepository model = hub.model("org/gated").file("a", "x").gatedTo("hf_good");
        hub.redirectingSmallFiles();

        assertThat(Http.get(hub.endpoint(), "/api/resolve-cache/models/org/gated/" + model.sha() + "/a")
                        .status())
                .isEqualTo(401);
        assertThat(Http.follow(hub.endpoint(), "/org/gated/resolve/main/a", GOOD)
                        .text())
                .isEqualTo("x");
    }

    @Test
    void aBadTokenIsRefusedEvenForWhatIsPublic() throws IOException {
        hub.model("org/public").file("a", "x");

        for (String target : new String[] {"/api/models/org/public", "/org/public/resolve/main/a"}) {
            Reply reply = Http.get(hub.endpoint(), target, BAD);
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.header("X-Error-Code")).isEmpty();
            assertThat(reply.header("X-Error-Message")).isEqualTo("Invalid credentials in Authorization header");
            assertThat(Http.get(hub.endpoint(), target, OTHER).status()).isEqualTo(200);
        }
        assertThat(Http.get(hub.endpoint(), "/api/models/org/public", "Authorization: Basic eA==")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aMissingRepositoryIsNotFoundForAKnownToken() throws IOException {
        Reply reply = Http.get(hub.endpoint(), "/api/models/org/nope", OTHER);

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header("X-Error-Code")).isEqualTo("RepoNotFound");
    }

    @Test
    void theStoreTakesSignedLinksAndNoCredentials() throws IOException {
        hub.model("org/secret").lfs("big.bin", new byte[] {1, 2}).privateTo("hf_good");
        Reply redirect = Http.get(hub.endpoint(), "/org/secret/resolve/main/big.bin", GOOD);
        String link = redirect.header("Location").substring(hub.cdn().toString().length());

        assertThat(Http.get(hub.cdn(), link).body()).containsExactly(1, 2);
        assertThat(Http.get(hub.cdn(), link, GOOD).status()).isEqualTo(400);
        assertThat(Http.get(hub.cdn(), link.substring(0, link.indexOf('?'))).status())
                .isEqualTo(403);
    }

    @Test
    void aCredentialIsRecordedButNeverPrinted() throws IOException {
        hub.model("m").file("a", "x").privateTo("hf_good");
        Http.get(hub.endpoint(), "/m/resolve/main/a", GOOD);

        RecordedRequest request = hub.requests().get(0);

        assertThat(request.header("authorization")).contains("Bearer hf_good");
        assertThat(request.toString()).isEqualTo("GET HUB /m/resolve/main/a -> 200");
    }
}
