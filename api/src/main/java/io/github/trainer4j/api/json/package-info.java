/** A small strict JSON reader and writer for modules that depend on nothing but the JDK. */
package io.github.trainer4j.api.json;
