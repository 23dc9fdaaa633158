# shellcheck shell=bash
# Where the cluster runs: one process that holds its name spaces, one pair of network devices that leads in, one tree of
# control groups. Below $STATE/cluster:
#   run/         sockets, process ids, and all that a stop makes worthless, the cluster's objects too
#   containerd/  images
#   pki/         the authority and the certificates; kubeconfig/ and tokens, the users
#   log/         what each program said since the cluster was started

# network: the first two numbers of the cluster's /16: pods in .0.0/17, services in .128.0/18, the way in is .255.0/30
network() {
    printf '10.%d\n' "$(($(network_base) + 7))"
}

# device: this side of the way in
device() {
    printf 't4j-%d\n' "$(($(network_base) + 7))"
}

holds() {
    recorded_pid "$DIR/run/holder.pid" >/dev/null
}

# hold: makes the name spaces.
hold() {
    # To remove one of these folders here, even an empty one, would take away what anybody mounted on it in whatever name space.
    local outer holder private=(/run/containerd /run/netns /var/lib/cni /var/lib/kubelet /var/log/containers)
    mkdir -p "$DIR"/{run,log,containerd,run/volumes} "${private[@]}"
    rm -f "$DIR/log"/*
    TRAINER4J_CI_CLUSTER=$DIR setsid unshare --mount --net --pid --fork --kill-child --propagation slave -- \
        "$HERE/cluster.d/namespace" "$DIR/run/ready" "${private[@]}" >"$DIR/log/holder" 2>&1 </dev/null 9>&- &
    outer=$!
    disown "$outer"
    wait_until 20 test -e "$DIR/run/ready" || die "the name spaces were not made: $(tail -n 3 "$DIR/log/holder")"
    holder=$(pgrep -P "$outer")
    ip link add "$(device)" type veth peer name node netns "$holder"
    ip address add "$(network).255.1/30" dev "$(device)"
    ip link set "$(device)" up
    nsenter --target "$holder" --net ip address add "$(network).255.2/30" dev node
    nsenter --target "$holder" --net ip link set node up
    groups_make
    programs >"$DIR/run/programs"
    record_pid "$DIR/run/holder.pid" "$holder"
}

# is_of_other_programs: whether what runs was started from another build than today's.
is_of_other_programs() {
    holds && [[ $(<"$DIR/run/programs") != "$(programs)" ]]
}

# start PROGRAM: runs it inside, where it does not run, and notes its id.
start() {
    local name=$1 outer words=() first=()
    ! recorded_pid "$DIR/run/$name.pid" >/dev/null || return 0
    mapfile -t words < <(words_of "$name")
    mkdir -p "$DIR/run/$name"
    # What has little to do and much waiting for it goes before tests and pods; the latter inherit from containerd.
    [[ $name == containerd ]] || first=(nice -n -5)
    # Nothing of this shell's surroundings goes in, least of all a proxy.
    setsid nsenter --target "$(recorded_pid "$DIR/run/holder.pid")" --mount --net --pid -- \
        env -i "PATH=$PATH" "HOME=$DIR/run/$name" "TMPDIR=$DIR/run/$name" "TRAINER4J_CI_CLUSTER=$DIR" \
        "${first[@]}" "${words[@]}" >>"$DIR/log/$name" 2>&1 </dev/null 9>&- &
    outer=$!
    disown "$outer"
    wait_until 10 note_child "$outer" "$DIR/run/$name.pid" || die "$name did not start: $(tail -n 3 "$DIR/log/$name")"
}

# note_child PID FILE: notes the id of its one child, the program that nsenter has started
note_child() {
    local child
    child=$(pgrep -P "$1") && record_pid "$2" "$child"
}

# await PROGRAM: it answers when this returns.
await() {
    wait_until 60 serves_or_ended "$1" || true
    serves "$1" || die "$1 does not answer; the end of $DIR/log/$1: $(tail -n 5 "$DIR/log/$1")"
}

serves_or_ended() {
    recorded_gone "$DIR/run/$1.pid" || serves "$1"
}

# inside_network WORDS...: runs something in the cluster's network
inside_network() {
    nsenter --target "$(recorded_pid "$DIR/run/holder.pid")" --net -- "$@"
}

# end_all: ends whatever there is of the cluster, killed runs included, and leaves only images, certificates and logs.
end_all() {
    wait_until 20 kill_ours || die "these do not end: $(our_processes | tr '\n' ' ')"
    # The kernel takes the device away with the name space; a moment later.
    wait_until 2 device_is_gone || ip link delete "$(device)" 2>/dev/null || true
    wait_until 10 groups_drop || log "control groups are left: $(groups_left | tr '\n' ' ')"
    rm -rf --one-file-system "$DIR/run" "$DIR/containerd/io.containerd.grpc.v1.cri"
}

# kill_ours: kills each of our processes that still is the one that was found; succeeds when there is none.
kill_ours() {
    local pid start found=
    while read -r pid start; do
        found=1
        [[ $(process_start "$pid") != "$start" ]] || kill -KILL "$pid" 2>/dev/null || true
    done < <(our_processes)
    [[ -z $found ]]
}

device_is_gone() {
    [[ ! -e /sys/class/net/$(device) ]]
}

# our_processes: a line "id start-time" for each living process that was started with our mark. Those in containers have
# none, and need none: they live in the name space of the first one.
our_processes() {
    local pid start
    while read -r pid; do
        start=$(process_start "$pid") || continue
        printf '%s %s\n' "$pid" "$start"
    done < <(grep -lzxF "TRAINER4J_CI_CLUSTER=$DIR" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3)
}

# ---- control groups: the kubelet's lie below one of the cluster's own

groups_name() {
    device
}

groups_make() {
    local top controller
    if [[ -f /sys/fs/cgroup/cgroup.controllers ]]; then
        mkdir -p "/sys/fs/cgroup/$(groups_name)"
        for top in /sys/fs/cgroup "/sys/fs/cgroup/$(groups_name)"; do
            for controller in $(<"$top/cgroup.controllers"); do
                echo "+$controller" >"$top/cgroup.subtree_control" 2>/dev/null || true
            done
        done
        return
    fi
    for top in /sys/fs/cgroup/*/; do
        [[ $(stat -f -c %T "$top") != cgroupfs ]] || mkdir -p "$top$(groups_name)"
    done
    # A new group of this kind has no processor until it is told.
    top=/sys/fs/cgroup/cpuset
    for controller in cpuset.cpus cpuset.mems; do
        [[ ! -f $top/$controller ]] || cat "$top/$controller" >"$top/$(groups_name)/$controller"
    done
}

groups_left() {
    find /sys/fs/cgroup -maxdepth 2 -type d -name "$(groups_name)"
}

groups_drop() {
    local group
    for group in $(groups_left); do
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done
    [[ -z $(groups_left) ]]
}
