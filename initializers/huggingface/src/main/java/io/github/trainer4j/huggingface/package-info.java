/** Datasets and models from the Hugging Face Hub. */
package io.github.trainer4j.huggingface;
