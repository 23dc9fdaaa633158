# shellcheck shell=bash
# One engine's life: find, start, wait, clean, stop. What differs from engine to engine is in kinds.sh.
#
# Each engine has a folder $STATE/ENGINE:
#   data/      images and containers; kept from run to run
#   run/       the engine's run-time files; made anew at each start
#   *.sock     where it listens
#   log        what it said
#   holder     who keeps its mount namespace (id, start time, boot)
#   daemon     who it is
#   found      instead of all these: the address of an engine that was already there and is not ours

engine_socket() {
    printf '%s/%s/%s.sock\n' "$STATE" "$1" "$(engine_kind "$1")"
}

# engine_address ENGINE: where clients reach it, if it is ours or found; fails for one that was never started.
engine_address() {
    if [[ -s $STATE/$1/found ]]; then
        cat "$STATE/$1/found"
    elif [[ $1 == tls ]]; then
        [[ -s $STATE/tls/port ]] && printf 'tcp://127.0.0.1:%s\n' "$(<"$STATE/tls/port")"
    else
        printf 'unix://%s\n' "$(engine_socket "$1")"
    fi
}

# engine_http ENGINE PATH [CURL OPTION...]: one request to the engine.
engine_http() {
    local name=$1 path=$2 address
    shift 2
    address=$(engine_address "$name") || return 1
    if [[ $address == tcp://* ]]; then
        curl --silent --show-error --fail --noproxy '*' --cacert "$STATE/tls/client/ca.pem" \
            --cert "$STATE/tls/client/cert.pem" --key "$STATE/tls/client/key.pem" "$@" "https://${address#tcp://}$path"
    else
        unix_http "${address#unix://}" "$path" "$@"
    fi
}

engine_answers() {
    engine_http "$1" /_ping --max-time 5 --output /dev/null 2>/dev/null
}

# engine_version ENGINE: as in "20.10.24, API 1.41"
engine_version() {
    engine_http "$1" /version --max-time 10 | jq -r '"\(.Version), API \(.ApiVersion)"'
}

engine_is_ours() {
    recorded_pid "$STATE/$1/daemon" >/dev/null
}

# engine_find ENGINE: notes an engine of this machine that already answers on its well-known socket, unless told to use none.
engine_find() {
    local name=$1 socket kind
    mkdir -p "$STATE/$name"
    rm -f "$STATE/$name/found"
    [[ -z ${TRAINER4J_CI_OWN:-} ]] || return 1
    case $name in
    docker) socket=/var/run/docker.sock kind='"Engine"' ;;
    podman) socket=/run/podman/podman.sock kind='"Podman Engine"' ;;
    *) return 1 ;;
    esac
    socket_answers "$socket" || return 1
    # Either may stand in for the other at that path.
    unix_http "$socket" /version --max-time 10 2>/dev/null | grep -q "\"Name\": *$kind" || return 1
    printf 'unix://%s\n' "$socket" >"$STATE/$name/found"
}

# engine_up ENGINE: there is one that answers when this returns.
engine_up() {
    local name=$1 dir=$STATE/$1
    mkdir -p "$dir"
    if engine_is_ours "$name"; then
        if wait_until 20 engine_answers "$name"; then
            log "$name: runs already: $(engine_version "$name") on $(engine_address "$name")"
            return
        fi
        log "$name: process $(recorded_pid "$dir/daemon") does not answer; starting it anew"
        engine_down "$name"
    fi
    if engine_find "$name"; then
        log "$name: found, not ours: $(engine_version "$name") on $(engine_address "$name")"
        return
    fi
    sweep "$name"
    mkdir -p "$dir/data" "$dir/run"
    "$(engine_kind "$name")_settings" "$name"
    [[ $name == rootless ]] || engine_hold "$name"
    # A Docker that starts flushes the chains that all of them share, which the start of another does not survive.
    (
        [[ $(engine_kind "$name") != docker ]] || flock 7
        engine_launch "$name"
    ) 7>"$STATE/start.lock"
    engine_empty "$name"
    log "$name: started: $(engine_version "$name") on $(engine_address "$name")"
}

# engine_hold ENGINE: starts the process that keeps the engine's mount namespace.
engine_hold() {
    local name=$1 dir=$STATE/$1 root
    root=$(engine_root "$name")
    STATE=$STATE READY=$dir/ready TRAINER4J_CI_ENGINE=$dir \
        setsid unshare --mount --propagation slave -- \
        "$HERE/engines.d/namespace" "$(engine_kind "$name")" ${root:+"$root"} >"$dir/holder.log" 2>&1 </dev/null 9>&- &
    record_pid "$dir/holder" $!
    wait_until 20 test -e "$dir/ready" || die "$name: its mount namespace was not made: $(tail -n 3 "$dir/holder.log")"
}

# engine_launch ENGINE: starts the daemon itself and waits until it answers.
engine_launch() {
    local name=$1 dir=$STATE/$1 containerd command=()
    # What a killed daemon leaves is enough to refuse a start: its own pid file, and that of its containerd, which dies after it.
    rm -f "$dir"/*.sock "$dir/run/docker.pid"
    if containerd=$(cat "$dir/run/exec/containerd/containerd.pid" 2>/dev/null) && wait_until 5 process_gone "$containerd"; then
        rm -f "$dir"/run/exec/containerd/containerd.{pid,sock}
    fi
    mapfile -t command < <("$(engine_kind "$name")_command" "$name")
    TRAINER4J_CI_ENGINE=$dir setsid "${command[@]}" >>"$dir/log" 2>&1 </dev/null 7>&- 9>&- &
    record_pid "$dir/daemon" $! || true
    wait_until 60 engine_answers_or_ended "$name"
    engine_answers "$name" || die "$name: it does not answer; the end of $dir/log: $(tail -n 5 "$dir/log")"
}

engine_answers_or_ended() {
    ! engine_is_ours "$1" || engine_answers "$1"
}

# engine_empty ENGINE: removes containers, networks and volumes: what earlier tests left. Images stay.
engine_empty() {
    local name=$1 id remove='/containers/%s?force=1&v=1'
    # Where Podman speaks Docker's language it asks the container to end first, and waits ten seconds.
    [[ $(engine_kind "$name") == docker ]] || remove='/v4.0.0/libpod/containers/%s?force=true&v=true&timeout=0'
    engine_http "$name" '/containers/json?all=1' | jq -r '.[].Id' | while read -r id; do
        # shellcheck disable=SC2059 # the format is one of the two above
        engine_remove "$name" "$(printf "$remove" "$id")"
    done
    engine_http "$name" /networks | jq -r '.[] | select(.Name | IN("bridge", "host", "none", "podman") | not) | .Id' | while read -r id; do
        engine_remove "$name" "/networks/$id"
    done
    engine_http "$name" /volumes | jq -r '.Volumes // [] | .[].Name' | while read -r id; do
        engine_remove "$name" "/volumes/$id?force=1"
    done
}

# engine_remove ENGINE PATH: asks for a removal; what the engine keeps is no reason to stop.
engine_remove() {
    engine_http "$1" "$2" -X DELETE --max-time 60 --output /dev/null 2>>"$STATE/$1/log" || true
}

# engine_down ENGINE: stops what we started and leaves nothing of it but its data.
engine_down() {
    local name=$1 dir=$STATE/$1
    [[ -d $dir ]] || return 0
    if [[ -s $dir/found ]]; then
        log "$name: not ours, left running"
        rm -f "$dir/found"
        return
    fi
    if engine_is_ours "$name"; then
        ! engine_answers "$name" || engine_empty "$name"
        stop_recorded "$dir/daemon" 20 || true
        log "$name: stopped"
    fi
    # The rest ends without a word where a stop is complete; aardvark-dns and the holder stay otherwise.
    stop_recorded "$dir/holder" 1 || true
    sweep "$name"
}

# engine_restart ENGINE [TERM|KILL]: ends the daemon alone and starts it again; containers and networks are the daemon's affair.
engine_restart() {
    local name=$1 dir=$STATE/$1
    engine_is_ours "$name" || die "$name was not started by this script, so it does not restart it"
    kill "-${2:-TERM}" "$(recorded_pid "$dir/daemon")"
    wait_until 60 recorded_gone "$dir/daemon" || die "$name: it does not end on ${2:-TERM}"
    engine_launch "$name"
    log "$name: restarted"
}
