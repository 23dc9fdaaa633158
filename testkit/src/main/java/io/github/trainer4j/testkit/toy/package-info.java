/**
 * A backend and an initializer that are as small as the contracts allow: something to read before writing one, and the
 * proof that the contracts can be passed. Not for real jobs: state and logs are in memory.
 */
package io.github.trainer4j.testkit.toy;
