package io.github.trainer4j.local;

import java.time.Clock;

/**
 * What all launches of a backend share.
 *
 * @param host the host
 * @param processes its processes
 * @param settlement ends jobs
 * @param workers threads for short tasks
 * @param clock the time of day
 */
record LaunchSite(Host host, ProcessTable processes, Settlement settlement, Workers workers, Clock clock) {}
