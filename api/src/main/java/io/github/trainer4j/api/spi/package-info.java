/**
 * What a plug-in implements. A backend runs jobs; an initializer fetches what a job needs first. Both are found with
 * {@link java.util.ServiceLoader} by the providers of this package: adding one is adding a jar to the class path.
 */
package io.github.trainer4j.api.spi;
