/** Contract tests and fakes with which the author of a backend or an initializer proves it. */
package io.github.trainer4j.testkit;
