package io.github.trainer4j.kubernetes;

class KubernetesContract2Test extends KubernetesContract {}
