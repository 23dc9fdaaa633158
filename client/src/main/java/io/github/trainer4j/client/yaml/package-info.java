/** Reading of YAML for configuration and runtimes; for the client's own use, it may change in any release. */
package io.github.trainer4j.client.yaml;
