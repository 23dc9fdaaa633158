package io.github.trainer4j.kubernetes;

class KubernetesContract4Test extends KubernetesContract {}
