/** Datasets and models from Amazon S3 and compatible stores. */
package io.github.trainer4j.s3;
