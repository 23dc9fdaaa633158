# shellcheck shell=bash
# What the cluster is made of: programs and objects from Go modules, and the test images. The build lies in
# $STATE/cache/cluster-KEY with the fingerprint of its module file, sums and recipe, so it is made once.

# programs: where that build lies: bin/ and objects/
programs() {
    printf '%s/cache/cluster-%s\n' "$STATE" \
        "$(fingerprint programs_recipe programs_objects webhooks_at "$HERE"/cluster.d/kubernetes/{go.mod,go.sum,coredns/main.go})"
}

# programs_build: makes it where it is missing.
programs_build() {
    local target began=$SECONDS
    target=$(programs)
    [[ ! -d $target ]] || return 0
    command -v go >/dev/null || die "the go command is missing; install Go 1.26 or newer to build Kubernetes from its modules"
    log "building Kubernetes and Kubeflow Trainer from Go modules (about 10 minutes on two idle cores, more beside other work)"
    rm -rf --one-file-system "$DIR/build"
    mkdir -p "$DIR/build/bin" "$STATE/cache"
    programs_recipe "$DIR/build" >"$DIR/build.log" 2>&1 9>&- &
    record_pid "$DIR/build.pid" $! || true
    wait $! || {
        tail -n 20 "$DIR/build.log" >&2
        die "the programs were not built; all that was said is in $DIR/build.log"
    }
    mv "$DIR/build" "$target"
    rm -f "$DIR/build.pid"
    log "built in $((SECONDS - began)) s"
}

# end_build: ends the build of a killed run.
end_build() {
    local pid
    ! pid=$(recorded_pid "$DIR/build.pid") || end_tree "$pid"
    rm -rf --one-file-system "$DIR/build" "$DIR/build.pid"
}

# programs_recipe FOLDER: builds the tools of the module file, and CoreDNS with few plugins, and writes the modules' own objects.
programs_recipe() {
    local folder=$1 version in=k8s.io/component-base/version
    version=$(module_version k8s.io/kubernetes)
    cd "$HERE/cluster.d/kubernetes" &&
        CGO_ENABLED=0 GOFLAGS=-buildvcs=false nice -n 19 go build -o "$folder/bin/" \
            -ldflags="-s -w -X $in.gitVersion=v$version -X $in.gitMajor=${version%%.*} -X $in.gitMinor=$(cut -d. -f2 <<<"$version")" tool ./coredns &&
        mv "$folder/bin/server" "$folder/bin/etcd" &&
        mv "$folder/bin/trainer-controller-manager" "$folder/bin/trainer" &&
        programs_objects "$folder"
}

# programs_objects FOLDER: FOLDER/objects/ with the definitions and rights of JobSet and Trainer, their webhooks and their runtimes
programs_objects() {
    local folder=$1 trainer jobset objects=$1/objects work=$1/work
    trainer=$(go list -m -f '{{.Dir}}' github.com/kubeflow/trainer/v2)/manifests/base &&
        jobset=$(go list -m -f '{{.Dir}}' sigs.k8s.io/jobset)/config/components || return
    mkdir -p "$objects"
    kustomization "$work/jobset-rights" jobset-system jobset- "$jobset/rbac"
    kustomization "$work/trainer-rights" kubeflow-system '' "$trainer/crds" "$trainer/rbac"
    cat >>"$work/trainer-rights/kustomization.yaml" <<YAML
configMapGenerator:
- name: kubeflow-trainer-public
  literals: [kubeflow_trainer_version=v$(module_version github.com/kubeflow/trainer/v2)]
  options: {disableNameSuffixHash: true}
YAML
    kustomization "$work/jobset-webhooks" jobset-system jobset- "$jobset/webhook"
    kustomization "$work/trainer-webhooks" kubeflow-system '' "$trainer/webhook"
    {
        cat "$jobset"/crd/bases/*.yaml
        rendered "$folder" "$work/jobset-rights"
        rendered "$folder" "$work/trainer-rights"
    } >"$objects/definitions.yaml" && {
        rendered "$folder" "$work/jobset-webhooks" | webhooks_at https://127.0.0.1:9444
        rendered "$folder" "$work/trainer-webhooks" | webhooks_at https://127.0.0.1:9443
    } >"$objects/webhooks.yaml" &&
        rendered "$folder" "$trainer/runtimes" >"$objects/runtimes.yaml" || return
    rm -rf --one-file-system "$work"
}

# kustomization TARGET NAMESPACE PREFIX FOLDER...: makes TARGET, which puts the objects of the folders into the namespace.
kustomization() {
    local target=$1 namespace=$2 prefix=$3
    mkdir -p "$target"
    shift 3
    # A folder must be given from here to there; kustomize takes no absolute one.
    {
        printf 'namespace: %s\nnamePrefix: "%s"\nresources:\n' "$namespace" "$prefix"
        realpath --relative-to "$target" "$@" | sed 's/^/- /'
    } >"$target/kustomization.yaml"
}

rendered() {
    printf -- '---\n'
    "$1/bin/kubectl" kustomize "$2"
}

# webhooks_at URL: manifests from stdin to stdout, with the webhooks' services replaced by the address and by the word AUTHORITY
webhooks_at() {
    awk -v url="$1" '
        /^    service:$/ { within = 1; next }
        within && /^      path: / { print "    url: " url $2; print "    caBundle: AUTHORITY"; next }
        within && /^      / { next }
        { within = 0; print }'
}

# ---- images

# images_build NAME...: makes the archives that are missing. They are those of .ci/engines, and so is the lock.
images_build() {
    local name
    for name; do
        image_is_built "$name" || break
    done
    ! image_is_built "$name" || return 0
    (
        state_lock
        TEMP=$STATE/tmp/$$
        mkdir -p "$TEMP"
        for name; do
            image_needs "$name"
        done
        install_needed
        for name; do
            image_build "$name"
        done
        rm -rf --one-file-system "$TEMP"
    )
}

# images_load NAME...: containerd has the images when this returns.
images_load() {
    local name began
    for name; do
        began=$SECONDS
        ! image_is_loaded "$name" || continue
        containers images import "$STATE/images/$name.tar" >>"$DIR/log/images" 2>&1 ||
            die "containerd did not take the image $name: $(tail -n 3 "$DIR/log/images")"
        cp "$STATE/images/$name.key" "$DIR/containerd/$name.key"
        [[ $((SECONDS - began)) -lt 3 ]] || log "loaded image $name in $((SECONDS - began)) s"
    done
}

image_is_loaded() {
    cmp -s "$STATE/images/$1.key" "$DIR/containerd/$1.key" &&
        grep -qxF "docker.io/$(image_name "$1")" <<<"$(containers images ls -q 2>/dev/null)"
}

# containers WORDS...: containerd's own client, in the name space of the kubelet
containers() {
    ctr --address "$DIR/run/containerd.sock" --namespace k8s.io "$@"
}

# drop_containers: forgets the containers of a cluster that was killed; the images they came from stay.
drop_containers() {
    local left
    await containerd
    mapfile -t left < <(containers containers ls -q)
    [[ ${#left[@]} -gt 0 ]] || return 0
    containers containers rm "${left[@]}" >>"$DIR/log/images" 2>&1 || true
    # It has them in mind since it started.
    stop_recorded "$DIR/run/containerd.pid"
    start containerd
}
