package io.github.trainer4j.kubernetes;

class KubernetesContract3Test extends KubernetesContract {}
