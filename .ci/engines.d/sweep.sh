# shellcheck shell=bash
# Takes away what is left of an engine of ours: of one that was just stopped as well as of one whose run was killed.
# Nothing is ended by its name. A process is ours if it carries the mark that we started its engine with, if it is an engine's
# companion working in the engine's folder, or if it runs in a container whose files lie in the engine's folder.

# our_processes ENGINE: a line "id start-time" for each living process of it.
our_processes() {
    local name=$1 dir=$STATE/$1 pid start comm cgroup words uid=
    [[ $name != rootless ]] || uid=$(rootless_uid || true)
    for pid in /proc/[0-9]*; do
        pid=${pid#/proc/}
        start=$(process_start "$pid") || continue
        mapfile -d '' words 2>/dev/null <"/proc/$pid/cmdline" || continue
        [[ ${#words[@]} -gt 0 ]] || continue # the kernel's own
        read -r comm 2>/dev/null <"/proc/$pid/comm" || continue
        mapfile cgroup 2>/dev/null <"/proc/$pid/cgroup" || continue
        if grep -qzxF "TRAINER4J_CI_ENGINE=$dir" "/proc/$pid/environ" 2>/dev/null ||
            works_in "$dir" "$comm" "${words[*]}" ||
            runs_container_of "$dir" "${cgroup[*]}" ||
            { [[ -n $uid ]] && in_rootless_container "$uid" "$pid"; }; then
            printf '%s %s\n' "$pid" "$start"
        fi
    done
}

# works_in FOLDER COMM COMMAND: whether this is a companion of an engine and its command line names the folder.
works_in() {
    case $2 in
    dockerd | containerd* | docker-proxy | podman | conmon | aardvark-dns | netavark | slirp4netns | pasta* | rootlessport* | fuse-overlayfs | runc* | crun)
        [[ $3 == *"$1/"* ]]
        ;;
    *) return 1 ;;
    esac
}

# runs_container_of FOLDER CGROUP: whether the control group is that of a container whose files lie below the folder.
runs_container_of() {
    local store
    [[ $2 =~ [0-9a-f]{64} ]] || return 1
    for store in containers overlay-containers vfs-containers; do
        [[ ! -d $1/data/$store/${BASH_REMATCH[0]} ]] || return 0
    done
    return 1
}

# end_processes ENGINE: kills them, each only if it still is the process that was found.
end_processes() {
    local name=$1 pid start round found
    for round in {1..20}; do
        found=
        while read -r pid start; do
            found=1
            [[ $(process_start "$pid") != "$start" ]] || kill -KILL "$pid" 2>/dev/null || true
        done < <(our_processes "$name")
        [[ -n $found ]] || return 0
        [[ $round -gt 1 ]] || log "$name: ended what was left running of it"
        sleep 0.2
    done
    log "$name: these do not end: $(our_processes "$name" | tr '\n' ' ')"
    return 1
}

# drop_mounts FOLDER: unmounts what is mounted at or below it in this namespace, the deepest first.
drop_mounts() {
    local point
    while read -r point; do
        umount -l "$(printf '%b' "$point")" 2>/dev/null || true
    done < <(awk -v top="$1" '$5 == top || index($5, top "/") == 1 { print $5 }' /proc/self/mountinfo | sort -r)
}

# drop_cgroups ENGINE: removes the empty control groups of its containers.
drop_cgroups() {
    local store=$STATE/$1/data id
    for id in "$store"/containers/* "$store"/*-containers/*; do
        id=${id##*/}
        [[ $id =~ ^[0-9a-f]{64}$ ]] || continue
        find /sys/fs/cgroup -mindepth 2 -depth -type d -name "*$id*" -exec rmdir {} + 2>/dev/null || true
    done
}

# sweep ENGINE: leaves only its data, log and settings, so that it can be started as if the machine had just booted.
sweep() {
    local name=$1 dir=$STATE/$1
    end_processes "$name"
    drop_mounts "$dir/run"
    drop_mounts "$dir/data"
    drop_networks "$name"
    drop_cgroups "$name"
    rm -rf --one-file-system "$dir/run"
    [[ $name != rootless ]] || ! rootless_uid >/dev/null || rm -rf --one-file-system "/run/user/$(rootless_uid)"/*
    rm -f "$dir/holder" "$dir/daemon" "$dir"/*.sock "$dir/ready"
}
