/** The backends that run training jobs as containers of Docker and Podman. */
package io.github.trainer4j.container;
