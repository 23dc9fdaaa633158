package io.github.trainer4j.kubernetes;

class KubernetesContract1Test extends KubernetesContract {}
