/**
 * The first job: two JVM processes fetch a dataset from S3 and a base model from a Hub, train together and write a model.
 * Everything runs on this machine.
 */
package io.github.trainer4j.examples.quickstart;
