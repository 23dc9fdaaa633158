/**
 * Progress of training code: how code on the JVM reports it, and the file in which code of any language reports it to the
 * backends that read it back.
 */
package io.github.trainer4j.api.progress;
