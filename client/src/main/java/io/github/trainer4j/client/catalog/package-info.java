/**
 * Where training runtimes come from. {@link io.github.trainer4j.client.catalog.RuntimeYaml} is for everybody who has a
 * runtime as text; the rest is for the client's own use and may change in any release.
 */
package io.github.trainer4j.client.catalog;
