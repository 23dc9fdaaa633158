/** The backend that runs training jobs as processes of this host. */
package io.github.trainer4j.local;
