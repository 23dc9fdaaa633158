package io.github.trainer4j.testkit.hub;

/** Which of the two listeners of a {@link FakeHub} got a request. They differ in port, thus in origin. */
public enum Origin {
    /** The Hub itself: API, small files, and redirects to large ones. */
    HUB,
    /** The store of large files, reached over signed links only. It refuses a request that carries credentials. */
    CDN
}
