package io.github.trainer4j.api;

/** Breaks a rule on purpose: it sits in a package of another artifact. */
public final class Intruder {}
