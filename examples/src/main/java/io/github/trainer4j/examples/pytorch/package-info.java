/** A PyTorch script on two nodes. */
package io.github.trainer4j.examples.pytorch;
