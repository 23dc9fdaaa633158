/** Datasets that a cluster serves from a cache in its memory. */
package io.github.trainer4j.datacache;
