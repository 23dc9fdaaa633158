# shellcheck shell=bash
# What the cluster consists of as objects, and in which order it comes up.

# control_up: the API server answers when this returns, and what makes objects live has been started.
control_up() {
    identities
    start etcd
    await etcd
    start kube-apiserver
    await kube-apiserver
    start kube-controller-manager
    start kube-scheduler
}

# trainer_up: TrainJobs are taken when this returns.
trainer_up() {
    local key
    key=$(fingerprint "$HERE"/cluster.d/{objects,runtimes}.yaml "$DIR/run/programs")
    if [[ $(cat "$DIR/run/objects" 2>/dev/null) == "$key" ]]; then
        controllers_up
        return
    fi
    objects_make "$(programs)/objects"
    echo "$key" >"$DIR/run/objects"
}

controllers_up() {
    start jobset
    start trainer
    await jobset
    await trainer
}

# objects_make FOLDER: definitions and rights, the two controllers, then what needs them: webhooks, then runtimes
objects_make() {
    local folder=$1 namespace
    apply -f "$HERE/cluster.d/objects.yaml" -f "$folder/definitions.yaml"
    # The controllers do not outlive the absence of what they watch.
    kube wait --for condition=Established --timeout 30s crd --all >>"$DIR/log/objects"
    controllers_up
    sed "s/AUTHORITY/$(base64 -w0 "$DIR/pki/ca/cert.pem" | sed 's,/,\\/,g')/" "$folder/webhooks.yaml" | apply -f -
    sed "s|@VOLUMES@|$DIR/run/volumes|" "$HERE/cluster.d/runtimes.yaml" | apply -f "$folder/runtimes.yaml" -f -
    for namespace in trainer4j-tests trainer4j-team; do
        # Without it a pod is refused, and its controller comes a little later than the namespace.
        wait_until 30 has_account "$namespace" || die "namespace $namespace gets no service account; see $DIR/log/kube-controller-manager"
    done
}

has_account() {
    [[ -n $(kube get serviceaccount default -n "$1" -o name 2>/dev/null) ]]
}

# apply WORDS...: kubectl apply, without asking the server for what it checks itself
apply() {
    kube apply --server-side --force-conflicts --validate=ignore "$@" >>"$DIR/log/objects" 2>&1 ||
        die "not all objects were made; the end of $DIR/log/objects: $(tail -n 5 "$DIR/log/objects")"
}
