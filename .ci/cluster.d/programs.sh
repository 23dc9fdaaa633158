# shellcheck shell=bash
# Each program: its words and settings, whom it is to the API server, when it serves.

# Users: name in the API, groups, and the name of the file kubeconfig/NAME. Programs have the rights that they ship with.
USERS=(
    'admin admin system:masters'
    'developer developer trainer4j:developers'
    'reader reader trainer4j:readers'
    'kube-controller-manager system:kube-controller-manager'
    'kube-scheduler system:kube-scheduler'
    'kubelet system:node:node system:nodes'
    'kube-proxy system:kube-proxy'
    'coredns trainer4j:coredns'
    'jobset system:serviceaccount:jobset-system:jobset-controller-manager system:serviceaccounts'
    'trainer system:serviceaccount:kubeflow-system:kubeflow-trainer-controller-manager system:serviceaccounts'
)

api_address() {
    printf 'https://%s.255.2:6443\n' "$(network)"
}

# kube WORDS...: kubectl as the administrator
kube() {
    "$(programs)/bin/kubectl" --kubeconfig "$DIR/kubeconfig/admin" --cache-dir "$DIR/run/kubectl" --request-timeout 30s "$@"
}

# kubectl_get KIND NAME JSONPATH: one field of an object, or nothing
kubectl_get() {
    kube get "$1" "$2" -o jsonpath="$3" 2>/dev/null || true
}

answers() {
    holds && [[ $(curl --silent --fail --noproxy '*' --max-time 5 --cacert "$DIR/pki/ca/cert.pem" \
        --header "Authorization: Bearer $(token admin)" "$(api_address)/readyz") == ok ]]
}

# token NAME: the word by which the API server knows a user
token() {
    sed -n 's/^    token: //p' "$DIR/kubeconfig/$1"
}

node_is_ready() {
    [[ $(kubectl_get node node '{.status.conditions[?(@.type=="Ready")].status}') == True ]]
}

# serves PROGRAM: whether it does what it was started for
serves() {
    case $1 in
    containerd) containers version >/dev/null 2>&1 ;;
    etcd) [[ $(inside_http http://127.0.0.1:2379/health) == *'"true"'* ]] ;;
    kube-apiserver) answers ;;
    kube-controller-manager) [[ $(inside_http https://127.0.0.1:10257/healthz) == ok ]] ;;
    kube-scheduler) [[ $(inside_http https://127.0.0.1:10259/healthz) == ok ]] ;;
    kubelet) [[ $(inside_http http://127.0.0.1:10248/healthz) == ok ]] ;;
    kube-proxy) inside_http http://127.0.0.1:10256/livez >/dev/null ;;
    coredns) [[ $(inside_network ss -Hlun "sport = :53") == *:53* ]] ;;
    jobset) [[ $(inside_http http://127.0.0.1:8082/readyz) == ok ]] ;;
    trainer) [[ $(inside_http http://127.0.0.1:8081/readyz) == ok ]] ;;
    esac
}

inside_http() {
    inside_network curl --silent --insecure --fail --noproxy '*' --max-time 5 "$1"
}

# words_of PROGRAM: its command line, one word a line; writes its settings first
words_of() {
    local bin net run=$DIR/run/$1
    bin=$(programs)/bin
    net=$(network)
    mkdir -p "$run"
    case $1 in
    containerd | kubelet | kube-proxy | coredns | jobset | trainer) "settings_$1" "$run" "$net" ;;
    esac
    case $1 in
    containerd) printf '%s\n' containerd --config "$run/config.toml" ;;
    etcd)
        # What a crash of the machine would spoil is worth nothing after it.
        printf '%s\n' "$bin/etcd" --data-dir "$run/data" --unsafe-no-fsync --listen-client-urls http://127.0.0.1:2379 \
            --advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380
        ;;
    kube-apiserver)
        printf '%s\n' "$bin/kube-apiserver" --etcd-servers http://127.0.0.1:2379 --bind-address 0.0.0.0 --secure-port 6443 \
            --advertise-address "$net.255.2" --cert-dir "$run" --tls-cert-file "$DIR/pki/server/cert.pem" \
            --tls-private-key-file "$DIR/pki/server/key.pem" --client-ca-file "$DIR/pki/ca/cert.pem" \
            --token-auth-file "$DIR/tokens" --authorization-mode Node,RBAC --service-cluster-ip-range "$net.128.0/18" \
            --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$DIR/pki/server/key.pem" \
            --service-account-signing-key-file "$DIR/pki/server/key.pem" --allow-privileged=true \
            --kubelet-preferred-address-types InternalIP
        ;;
    kube-controller-manager)
        printf '%s\n' "$bin/kube-controller-manager" --kubeconfig "$DIR/kubeconfig/$1" --bind-address 127.0.0.1 --leader-elect=false \
            --use-service-account-credentials --root-ca-file "$DIR/pki/ca/cert.pem" --controllers '*,-node-ipam-controller' \
            --service-account-private-key-file "$DIR/pki/server/key.pem"
        ;;
    kube-scheduler)
        printf '%s\n' "$bin/kube-scheduler" --kubeconfig "$DIR/kubeconfig/$1" --bind-address 127.0.0.1 --leader-elect=false
        ;;
    kubelet)
        printf '%s\n' "$bin/kubelet" --config "$run/config.yaml" --kubeconfig "$DIR/kubeconfig/$1" --root-dir "$run/root" \
            --cert-dir "$run/pki" --hostname-override node --node-ip "$net.255.2"
        ;;
    kube-proxy) printf '%s\n' "$bin/kube-proxy" --config "$run/config.yaml" ;;
    coredns) printf '%s\n' "$bin/coredns" -conf "$run/Corefile" ;;
    jobset | trainer) printf '%s\n' env "KUBECONFIG=$DIR/kubeconfig/$1" "$bin/$1" --config "$run/config.yaml" ;;
    esac
}

settings_containerd() {
    local run=$1 net=$2
    mkdir -p "$run/cni"
    # Where a process may not lower its own score (nor, then, a container's), every pod would fail.
    cat >"$run/config.toml" <<TOML
version = 2
root = "$DIR/containerd"
state = "$run/state"
[grpc]
  address = "$DIR/run/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "$(image_name pause)"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$run/cni"
TOML
    cat >"$run/cni/10-pods.conflist" <<JSON
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
  {"type": "bridge", "bridge": "pods", "isGateway": true, "ipMasq": true, "hairpinMode": true,
   "ipam": {"type": "host-local", "dataDir": "$run/addresses", "ranges": [[{"subnet": "$net.0.0/17"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}
]}
JSON
}

settings_kubelet() {
    cat >"$1/config.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix://$DIR/run/containerd.sock
clusterDomain: cluster.local
clusterDNS: [$2.255.2]
resolvConf: ""
failCgroupV1: false
failSwapOn: false
cgroupDriver: cgroupfs
cgroupRoot: /$(groups_name)
enforceNodeAllocatable: []
localStorageCapacityIsolation: false
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, nodefs.inodesFree: 1%, imagefs.available: 1%, imagefs.inodesFree: 1%}
# The test images cannot be pulled again.
imageGCHighThresholdPercent: 100
serializeImagePulls: false
maxPods: 250
podLogsDir: $DIR/run/pods
volumePluginDir: $1/plugins
YAML
}

settings_kube-proxy() {
    # The system-wide limits of connection tracking are not the cluster's to set.
    cat >"$1/config.yaml" <<YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: $DIR/kubeconfig/kube-proxy}
mode: iptables
hostnameOverride: node
clusterCIDR: $2.0.0/17
healthzBindAddress: 127.0.0.1:10256
metricsBindAddress: 127.0.0.1:10249
iptables: {masqueradeAll: true}
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
YAML
}

settings_coredns() {
    # Two blocks: in one, the template would answer for the pods too; without the second, a bare name would be a server failure,
    # for which programs wait.
    cat >"$1/Corefile" <<CONF
cluster.local {
    bind $2.255.2
    errors
    kubernetes cluster.local {
        kubeconfig $DIR/kubeconfig/coredns
    }
}
. {
    bind $2.255.2
    template ANY ANY . {
        rcode NXDOMAIN
    }
}
CONF
}

settings_jobset() {
    mkdir -p "$1/k8s-webhook-server/serving-certs"
    cp "$DIR/pki/server/cert.pem" "$1/k8s-webhook-server/serving-certs/tls.crt"
    cp "$DIR/pki/server/key.pem" "$1/k8s-webhook-server/serving-certs/tls.key"
    cat >"$1/config.yaml" <<YAML
apiVersion: config.jobset.x-k8s.io/v1alpha1
kind: Configuration
health: {healthProbeBindAddress: "127.0.0.1:8082"}
metrics: {bindAddress: "0"}
webhook: {host: 127.0.0.1, port: 9444}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
YAML
}

settings_trainer() {
    settings_jobset "$1"
    cat >"$1/config.yaml" <<YAML
apiVersion: config.trainer.kubeflow.org/v1alpha1
kind: Configuration
health: {healthProbeBindAddress: "127.0.0.1:8081"}
metrics: {bindAddress: "0"}
webhook: {host: 127.0.0.1, port: 9443}
leaderElection: {leaderElect: false}
certManagement: {enable: false}
YAML
}

# ---- certificates and users

# identities: an authority, one certificate for all that serves here, and a token for each user; made anew when they get old.
identities() {
    local user words names
    names="subjectAltName=IP:127.0.0.1,IP:$(network).255.2,IP:$(network).128.1,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc"
    if ! openssl x509 -checkend 2592000 -noout -in "$DIR/pki/server/cert.pem" >/dev/null 2>&1; then
        rm -rf "$DIR"/{pki,kubeconfig,tokens}
        (
            umask 077
            mkdir -p "$DIR"/pki/{ca,server}
            authority "$DIR/pki/ca" 'trainer4j test cluster'
            certificate "$DIR/pki/server" "$DIR/pki/ca" kubernetes "$names" 'extendedKeyUsage=serverAuth'
        )
    fi
    (
        umask 077
        mkdir -p "$DIR/kubeconfig"
        for user in "${USERS[@]}"; do
            read -r -a words <<<"$user"
            [[ -s $DIR/kubeconfig/${words[0]} ]] || kubeconfig "${words[0]}" "$(openssl rand -hex 16)"
            printf '%s,%s,%s,"%s"\n' "$(token "${words[0]}")" "${words[1]}" "${words[1]}" "${words[2]:-}"
        done >"$DIR/tokens"
    )
}

# kubeconfig NAME TOKEN: writes the file of a user, with the namespace in which it works
kubeconfig() {
    local namespace=trainer4j-team
    [[ $1 != admin ]] || namespace=trainer4j-tests
    cat >"$DIR/kubeconfig/$1" <<YAML
apiVersion: v1
kind: Config
clusters:
- name: trainer4j
  cluster:
    server: $(api_address)
    certificate-authority-data: $(base64 -w0 "$DIR/pki/ca/cert.pem")
users:
- name: $1
  user:
    token: $2
contexts:
- name: trainer4j
  context: {cluster: trainer4j, user: $1, namespace: $namespace}
current-context: trainer4j
YAML
}
