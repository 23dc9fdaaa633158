/**
 * The backend that runs training jobs as processes of this host.
 *
 * <p>All it knows about a job lies in files below {@code local/<job>} in the work directory, so that any client, started at
 * any time, sees and handles the same jobs:
 *
 * <ul>
 *   <li>{@code job.json}: what was asked for; written before the job exists, never changed
 *   <li>{@code run.sh}: runs a node, and writes down which process it is and how it ended
 *   <li>{@code state/<step>.process}, {@code .exit}: what that script writes
 *   <li>{@code state/<step>.json}: where a step stands that the launching JVM runs itself
 *   <li>{@code state/cause.json}: why the job is being ended as failed; written once, before anything is stopped
 *   <li>{@code state/final.json}: how it ended; written once, when nothing of it runs any more
 *   <li>{@code logs/<step>.log}: what a step printed; {@code .times}: how long that was at what time
 *   <li>{@code workspace}: the nodes' working directory; {@code python}: the job's Python environment, if it has one
 * </ul>
 *
 * <p>Where a job stands follows from these files and from which processes run, in {@link
 * io.github.trainer4j.local.JobReader} alone; what follows from that is done by {@link
 * io.github.trainer4j.local.Settlement}, by whichever client looks at the job. A process belongs to a job if it is in the
 * session of one of its nodes, or has the job's workspace in its environment.
 *
 * <p>A node's environment is that of the client, without what a surrounding job has there, plus {@code
 * PYTHONUNBUFFERED=1}, the devices of its share, what every backend gives a node, and the job's own variables; the later
 * ones win. No value of a secret is ever in a file, an argument, an event or a failure.
 *
 * <p>Threads, all named {@code trainer4j-local-…}: one for each job while it is launched (and one for each of its
 * initializers), a few that end when they have nothing to do, and one that watches files when somebody watches a job. The
 * JDK itself has a small thread waiting for each process that it has started.
 */
package io.github.trainer4j.local;
