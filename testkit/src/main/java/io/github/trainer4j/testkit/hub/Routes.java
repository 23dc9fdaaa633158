package io.github.trainer4j.testkit.hub;

import io.github.trainer4j.testkit.hub.HubRepository.Kind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds what a request asks for, and the right answer. */
final class Routes {

    private final FakeHub hub;
    private final Refusals refusals;

    Routes(FakeHub hub, Refusals refusals) {
        this.hub = hub;
        this.refusals = refusals;
    }

    /** A repository, and what follows its id in the path. */
    private record Place(HubRepository repository, List<String> rest) {}

    private interface Route {
        Answer answer(Place place);
    }

    Answer answer(RecordedRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return Answer.error(405, "", "Only GET and HEAD are played here.");
        }
        if (request.origin() == Origin.CDN && request.header("Authorization").isPresent()) {
            return Answer.of(
                    400,
                    "application/xml",
                    "<Error><Code>InvalidArgument</Code><Message>Only one auth mechanism"
                            + " allowed: the link is signed, so send no Authorization.</Message></Error>");
        }
        List<String> path = request.segments();
        if (path.get(0).equals("lfs") && path.size() > 3) {
            return kind(path.get(1))
                    .map(kind -> located(request, kind, 2, place -> stored(request, place)))
                    .orElseGet(Refusals::noSuchPage);
        }
        return refusals.badCredentials(request).orElseGet(() -> hub(request, path));
    }

    private Answer hub(RecordedRequest request, List<String> path) {
        if (path.get(0).equals("api") && path.size() > 2) {
            boolean cache = path.get(1).equals("resolve-cache") && path.size() > 3;
            int at = cache ? 2 : 1;
            return kind(path.get(at))
                    .map(kind -> located(
                            request, kind, at + 1, place -> cache ? cached(request, place) : api(request, place)))
                    .orElseGet(Refusals::noSuchPage);
        }
        Kind kind = path.get(0).equals("datasets") ? Kind.DATASET : Kind.MODEL;
        return located(request, kind, kind == Kind.DATASET ? 1 : 0, place -> resolve(request, place));
    }

    private static Optional<Kind> kind(String plural) {
        for (Kind kind : Kind.values()) {
            if (kind.plural().equals(plural)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** An id has one or two segments; which, only the known ids can tell. */
    private Answer located(RecordedRequest request, Kind kind, int at, Route route) {
        List<String> path = request.segments();
        for (int length = Math.min(2, path.size() - at); length > 0; length--) {
            String id = String.join("/", path.subList(at, at + length));
            Optional<HubRepository> repository = hub.find(kind, id);
            if (repository.isPresent()) {
                Place place = new Place(repository.get(), path.subList(at + length, path.size()));
                return route.answer(place);
            }
            Optional<HubRepository> renamed = hub.findRenamed(kind, id);
            if (renamed.isPresent()) {
                return Answer.redirect(307, moved(request, id, renamed.get().id()));
            }
        }
        return Refusals.notFound(request);
    }

    private static String moved(RecordedRequest request, String from, String to) {
        return request.target().replaceFirst("/" + Pattern.quote(from) + "(?=[/?]|$)", "/" + to);
    }

    private Answer api(RecordedRequest request, Place place) {
        Optional<Answer> refusal = Refusals.hidden(request, place.repository);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (place.rest.isEmpty()) {
            return info(request, place.repository, "main");
        }
        if (place.rest.get(0).equals("revision")) {
            Revision revision = Revision.in(place.rest, 1);
            return info(request, place.repository, revision.name);
        }
        if (place.rest.get(0).equals("tree")) {
            Revision revision = Revision.in(place.rest, 1);
            String folder = String.join("/", revision.path).replaceAll("^/+|/+$", "");
            return place.repository
                    .resolve(revision.name)
                    .map(commit -> Listings.tree(
                            request, hub.origin(request.origin()), commit, folder, hub.listing(), hub.pageSize()))
                    .orElseGet(() -> Refusals.noSuchRevision(revision.name));
        }
        return Refusals.noSuchPage();
    }

    private Answer info(RecordedRequest request, HubRepository repository, String revision) {
        boolean blobs =
                request.query("blobs").filter(v -> !v.equalsIgnoreCase("false")).isPresent();
        return repository
                .resolve(revision)
                .map(commit -> Listings.info(repository, commit, hub.listing(), blobs))
                .orElseGet(() -> Refusals.noSuchRevision(revision));
    }

    private Answer resolve(RecordedRequest request, Place place) {
        if (place.rest.size() < 3 || !place.rest.get(0).equals("resolve")) {
            return Refusals.noSuchPage();
        }
        HubRepository repository = place.repository;
        Optional<Answer> refusal = unreadable(request, repository);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Revision revision = Revision.in(place.rest, 1);
        Optional<Commit> commit = repository.resolve(revision.name);
        if (commit.isEmpty()) {
            return Refusals.noSuchRevision(revision.name);
        }
        String path = String.join("/", revision.path);
        return commit.get()
                .entry(path)
                .map(entry -> file(request, repository, commit.get(), entry))
                .orElseGet(() -> Refusals.noSuchEntry(path))
                .header("X-Repo-Commit", commit.get().sha());
    }

    private Optional<Answer> unreadable(RecordedRequest request, HubRepository repository) {
        String page = hub.endpoint() + repository.kind().resolvePrefix() + "/" + repository.id();
        return Refusals.hidden(request, repository).or(() -> Refusals.gated(request, repository, page));
    }

    private Answer file(RecordedRequest request, HubRepository repository, Commit commit, Entry entry) {
        String place =
                repository.kind().plural() + "/" + repository.id() + "/" + commit.sha() + "/" + Urls.path(entry.path());
        if (entry.lfs()) {
            return linked(Answer.redirect(302, hub.cdn() + hub.signed("/lfs/" + place)), entry);
        }
        if (hub.redirectsSmallFiles()) {
            return linked(Answer.redirect(307, "/api/resolve-cache/" + place), entry);
        }
        return bytes(request, entry);
    }

    private static Answer linked(Answer redirect, Entry entry) {
        return redirect.header("X-Linked-Size", String.valueOf(entry.content().size()))
                .header("X-Linked-Etag", entry.etag());
    }

    private Answer cached(RecordedRequest request, Place place) {
        return unreadable(request, place.repository)
                .orElseGet(() -> atCommit(request, place))
                .header("X-Repo-Commit", place.rest.get(0));
    }

    private Answer stored(RecordedRequest request, Place place) {
        if (!hub.isSigned(request)) {
            return Answer.of(
                    403,
                    "application/xml",
                    "<Error><Code>AccessDenied</Code><Message>Request has expired" + "</Message></Error>");
        }
        return atCommit(request, place);
    }

    private static Answer atCommit(RecordedRequest request, Place place) {
        String path = String.join("/", place.rest.subList(1, place.rest.size()));
        return place.repository
                .resolve(place.rest.get(0))
                .flatMap(commit -> commit.entry(path))
                .map(entry -> bytes(request, entry))
                .orElseGet(() -> Refusals.noSuchEntry(path));
    }

    private static Answer bytes(RecordedRequest request, Entry entry) {
        String etag = entry.etag();
        if (request.header("If-None-Match").filter(etag::equals).isPresent()) {
            return Answer.of(304, "text/plain", "").header("ETag", etag);
        }
        Answer answer = Answer.file(entry.content())
                .header("ETag", etag)
                .header("Content-Disposition", "attachment; filename*=UTF-8''" + Urls.component(entry.path()));
        boolean unchanged = request.header("If-Range").map(etag::equals).orElse(true);
        if (request.method().equals("GET") && unchanged) {
            request.range().flatMap(ByteRange::parse).ifPresent(range -> range.applyTo(answer));
        }
        return answer;
    }

    /** A revision in a path, and what follows it. */
    private record Revision(String name, List<String> path) {

        /** The name is one encoded segment; that of a pull request or a conversion may be three plain ones. */
        static Revision in(List<String> segments, int at) {
            if (at >= segments.size()) {
                return new Revision("", List.of());
            }
            boolean spread = segments.get(at).equals("refs") && segments.size() >= at + 3;
            int end = at + (spread ? 3 : 1);
            return new Revision(String.join("/", segments.subList(at, end)), segments.subList(end, segments.size()));
        }
    }
}
