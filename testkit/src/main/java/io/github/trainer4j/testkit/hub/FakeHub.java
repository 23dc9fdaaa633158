package io.github.trainer4j.testkit.hub;

import io.github.trainer4j.testkit.hub.HubRepository.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A Hugging Face Hub on loopback: repositories, revisions, listings in pages, small files served, large ones redirected
 * to a store at another origin, tokens, private and gated repositories, and {@linkplain Fault faults} on demand.
 *
 * <pre>{@code
 * try (FakeHub hub = FakeHub.start()) {
 *     hub.dataset("org/data").file("train/a.csv", "1,2\n").lfs("big.bin", Content.generated(1, 50_000_000));
 *     hub.inject(Fault.cutAfter(1_000_000).on("*big.bin").times(2));
 *     download(hub.endpoint(), "org/data");
 *     assertThat(hub.requests("*big.bin")).hasSize(...);
 * }
 * }</pre>
 *
 * <p>It plays {@code GET} and {@code HEAD} of {@code /api/models/ID[/revision/REV]}, {@code .../tree/REV[/FOLDER]},
 * {@code /ID/resolve/REV/PATH}, and the same for datasets. It knows no token but those it was told of, and refuses all
 * others, as the Hub does.
 *
 * <p>Safe for use by many threads. Closing it lets go of every stalled or delayed answer at once, and ends its threads.
 */
public final class FakeHub implements AutoCloseable {

    private static final int USUAL_PAGE = 1000;

    private final Map<String, HubRepository> repositories = new ConcurrentHashMap<>();
    private final Map<String, HubRepository> renamed = new ConcurrentHashMap<>();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final List<InjectedFault> faults = new CopyOnWriteArrayList<>();
    private final List<RecordedRequest> requests = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicLong bytesSent = new AtomicLong();
    private final AtomicInteger signature = new AtomicInteger(1);
    private final Holds holds = new Holds();
    private final Routes routes = new Routes(this, new Refusals(tokens));
    private final Listener hubListener = new Listener(Origin.HUB, this, holds);
    private final Listener cdnListener = new Listener(Origin.CDN, this, holds);
    private volatile Listing listing = Listing.USUAL;
    private volatile int pageSize = USUAL_PAGE;
    private volatile boolean redirectSmallFiles;
    private volatile String cdnHost = "127.0.0.1";

    private FakeHub() {}

    /**
     * Starts an empty hub on two free ports of 127.0.0.1.
     *
     * @return a hub that listens, to be closed
     * @throws java.io.UncheckedIOException if there is no free port
     */
    public static FakeHub start() {
        FakeHub hub = new FakeHub();
        hub.hubListener.start();
        hub.cdnListener.start();
        return hub;
    }

    /**
     * Where clients find the Hub, as they would {@code https://huggingface.co}.
     *
     * @return scheme, host and port, without a slash at the end
     */
    public URI endpoint() {
        return hubListener.uri();
    }

    /**
     * Where the Hub redirects to for large files: same host unless {@link #cdnHost} says otherwise, other port.
     *
     * @return scheme, host and port, without a slash at the end
     */
    public URI cdn() {
        return URI.create("http://" + cdnHost + ":" + cdnListener.uri().getPort());
    }

    /**
     * Names the store by another host, for clients that tell places apart by host alone, as the Python client does.
     *
     * @param host that leads to 127.0.0.1, for example {@code localhost}
     * @return this hub
     */
    public FakeHub cdnHost(String host) {
        cdnHost = Objects.requireNonNull(host, "host");
        return this;
    }

    URI origin(Origin origin) {
        return origin == Origin.HUB ? endpoint() : cdn();
    }

    /**
     * The model repository of this id, made at the first call.
     *
     * @param id {@code org/name}, or {@code name} alone
     * @return the repository
     */
    public HubRepository model(String id) {
        return repository(Kind.MODEL, id);
    }

    /**
     * The dataset repository of this id, made at the first call.
     *
     * @param id {@code org/name}, or {@code name} alone
     * @return the repository
     */
    public HubRepository dataset(String id) {
        return repository(Kind.DATASET, id);
    }

    private HubRepository repository(Kind kind, String id) {
        if (!id.matches("[\\w.-]+(/[\\w.-]+)?")) {
            throw new IllegalArgumentException("A repository is called 'org/name' or 'name', not '" + id + "'");
        }
        return repositories.computeIfAbsent(key(kind, id), key -> new HubRepository(this, kind, id));
    }

    Optional<HubRepository> find(Kind kind, String id) {
        return Optional.ofNullable(repositories.get(key(kind, id)));
    }

    Optional<HubRepository> findRenamed(Kind kind, String id) {
        return Optional.ofNullable(renamed.get(key(kind, id)));
    }

    void renamed(Kind kind, String oldId, HubRepository repository) {
        renamed.put(key(kind, oldId), repository);
    }

    private static String key(Kind kind, String id) {
        return kind.plural() + "/" + id;
    }

    /**
     * Makes tokens known: they are good, but open no repository by themselves.
     *
     * @param known tokens
     * @return this hub
     * @see HubRepository#privateTo(String...)
     * @see HubRepository#gatedTo(String...)
     */
    public FakeHub tokens(String... known) {
        tokens.addAll(Arrays.asList(known));
        return this;
    }

    /**
     * Sets how much is said about repositories and files.
     *
     * @param style of every listing from now on
     * @return this hub
     */
    public FakeHub listing(Listing style) {
        listing = Objects.requireNonNull(style, "style");
        return this;
    }

    Listing listing() {
        return listing;
    }

    /**
     * Sets how many entries a page of a tree has at most; 1000 at first.
     *
     * @param entries at least 1
     * @return this hub
     */
    public FakeHub pageSize(int entries) {
        if (entries < 1) {
            throw new IllegalArgumentException("A page has at least one entry, not " + entries);
        }
        pageSize = entries;
        return this;
    }

    int pageSize() {
        return pageSize;
    }

    /**
     * Redirects small files too, with a relative location on the Hub itself, as the Hub does for many of them.
     *
     * @return this hub
     */
    public FakeHub redirectingSmallFiles() {
        redirectSmallFiles = true;
        return this;
    }

    boolean redirectsSmallFiles() {
        return redirectSmallFiles;
    }

    /** Makes all links to the store that were given out so far answer 403; new ones are good. */
    public void expireLinks() {
        signature.incrementAndGet();
    }

    String signed(String path) {
        return path + "?X-Signature=" + signature.get();
    }

    boolean isSigned(RecordedRequest request) {
        return request.query("X-Signature").equals(Optional.of(String.valueOf(signature.get())));
    }

    /**
     * Lets something go wrong from now on.
     *
     * @param fault what, where, and how often
     * @return tells how often it struck, and takes it out
     */
    public InjectedFault inject(Fault fault) {
        InjectedFault injected = new InjectedFault(fault);
        faults.add(injected);
        return injected;
    }

    /** Lets nothing go wrong any more; answers under way are not changed. */
    public void clearFaults() {
        faults.forEach(InjectedFault::remove);
        faults.clear();
    }

    /** Lets every stalled answer go on. */
    public void releaseStalls() {
        holds.release();
    }

    /**
     * How many answers are stalled; one whose client closes the connection is so no longer.
     *
     * @return 0 or more
     */
    public int stalled() {
        return holds.held();
    }

    /**
     * Waits until exactly so many answers are stalled.
     *
     * @param answers 0 or more
     * @param within the longest time to wait
     * @return whether it came to that
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean awaitStalled(int answers, Duration within) throws InterruptedException {
        return holds.awaitHeld(answers, within);
    }

    /**
     * Every request so far, in the order in which their answers were decided.
     *
     * @return a copy
     */
    public List<RecordedRequest> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    /**
     * The requests so far whose decoded path matches.
     *
     * @param pattern as in {@link Fault#on(String)}
     * @return a copy
     */
    public List<RecordedRequest> requests(String pattern) {
        PathPattern paths = PathPattern.of(pattern);
        return requests().stream()
                .filter(request -> paths.matches(request.path()))
                .toList();
    }

    /** Forgets the requests and starts the counts of bytes and of answers at once from zero. */
    public void forget() {
        requests.clear();
        bytesSent.set(0);
        most.set(underWay.get());
    }

    /**
     * Bytes of files sent so far, by both listeners; listings and redirects do not count.
     *
     * @return 0 or more
     */
    public long bytesSent() {
        return bytesSent.get();
    }

    /**
     * The most answers that were ever under way at once. An answer ends with its last byte; one that its client gave up
     * ends when that is noticed.
     *
     * @return 0 or more
     */
    public int mostAtOnce() {
        return most.get();
    }

    /**
     * Connections that are open now, on both listeners.
     *
     * @return 0 or more
     */
    public int connections() {
        return hubListener.connections() + cdnListener.connections();
    }

    /** Closes both listeners and every connection, lets go of what waits, and waits for the threads to end. */
    @Override
    public void close() {
        holds.close();
        hubListener.close();
        cdnListener.close();
    }

    void begin() {
        int now = underWay.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
    }

    void end() {
        underWay.decrementAndGet();
    }

    void sent(long bytes) {
        bytesSent.addAndGet(bytes);
    }

    Answer answer(RecordedRequest request) {
        Answer answer;
        try {
            answer = routes.answer(request);
        } catch (IllegalArgumentException e) {
            answer = Answer.error(400, "", "The address is not properly percent-encoded.");
        }
        for (InjectedFault fault : faults) {
            fault.play(request, answer);
        }
        requests.add(request.withStatus(answer.wire.hangUp ? 0 : answer.status()));
        return answer;
    }
}
