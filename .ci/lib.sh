# shellcheck shell=bash
# What the scripts of this folder share: messages, packages, processes by id, waiting, one state folder.
# Source it: `. "$(dirname "$0")/lib.sh"`. It starts nothing and writes nothing until a function is called.

# Everything that outlives a script lies here, outside the checkout: what runs, what was built, what is cached.
STATE=${TRAINER4J_CI_STATE:-/var/tmp/trainer4j-ci}
STATE=${STATE%/}
case $STATE in
/?*) ;;
*)
    echo "TRAINER4J_CI_STATE must be an absolute folder, not '$STATE'" >&2
    exit 2
    ;;
esac

LOG_NAME=${LOG_NAME:-$(basename "$0")}

# log WORDS...: one line on stderr, with the seconds since this script began.
log() {
    printf '[%s %3ds] %s\n' "$LOG_NAME" "$SECONDS" "$*" >&2
}

# die WORDS...: says why and what to do, and ends this (sub)shell.
die() {
    log "ERROR: $*"
    exit 1
}

require_root() {
    [[ $(id -u) -eq 0 ]] || die "this needs root (mount namespaces, bridges, packages). Run it again with sudo, with TRAINER4J_CI_STATE set if you use it."
}

# state_lock [NAME]: one script at a time changes the state folder, or the part of it that a lock of another name stands for.
# The lock goes with the process, so a killed run leaves none. Everything that is started to stay must be started with 9>&-.
state_lock() {
    local file=$STATE/${1:-lock}
    mkdir -p "$STATE"
    exec 9>"$file"
    flock --nonblock 9 && return
    log "another run holds $file; waiting for it"
    flock --timeout 3600 9 || die "$file is still held after an hour; see: fuser $file"
}

# fingerprint FUNCTION|FILE...: a short key that changes when one of these changes; caches carry it in their names.
fingerprint() {
    local part
    for part; do
        if [[ -f $part ]]; then
            cat "$part"
        else
            declare -f "$part"
        fi
    done | sha256sum | cut -c1-12
}

# ---- packages

NEEDED=()

# need TOOL=PACKAGE...: notes the Debian packages whose tool (a command, or an absolute path with wildcards) is missing.
need() {
    local pair tool
    for pair; do
        tool=${pair%%=*}
        if [[ $tool == /* ]]; then
            compgen -G "$tool" >/dev/null || NEEDED+=("${pair#*=}")
        else
            command -v "$tool" >/dev/null || NEEDED+=("${pair#*=}")
        fi
    done
}

# install_needed: installs what `need` has noted, all at once; asks for nothing where nothing is missing.
install_needed() {
    local packages
    [[ ${#NEEDED[@]} -gt 0 ]] || return 0
    mapfile -t packages < <(printf '%s\n' "${NEEDED[@]}" | sort -u)
    NEEDED=()
    command -v apt-get >/dev/null || die "missing here: ${packages[*]} (Debian's names), and there is no apt-get to install them with. Install them and run this again."
    require_root
    log "installing: ${packages[*]}"
    apt_install "${packages[@]}" || die "apt-get could not install: ${packages[*]} (its words are above)"
}

apt_install() (
    export DEBIAN_FRONTEND=noninteractive
    # A package must not start a service of its own beside what these scripts start.
    if [[ ! -e /usr/sbin/policy-rc.d ]]; then
        printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
        chmod +x /usr/sbin/policy-rc.d
        trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    fi
    local quiet=(-qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
    apt-get "${quiet[@]}" update >&2
    apt-get "${quiet[@]}" install --yes --no-install-recommends "$@" >"$STATE/apt.log" 2>&1 || {
        tail -n 20 "$STATE/apt.log" >&2
        return 1
    }
)

# debian_mirror: the address from which this machine's apt takes Debian itself; other distributions must name one.
debian_mirror() {
    local mirror=${TRAINER4J_CI_DEBIAN_MIRROR:-}
    if [[ -z $mirror ]] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC2016 # the $(...) are apt's own fields
        mirror=$(apt-get indextargets --format '$(ORIGIN) $(SUITE) $(REPO_URI)' 'Created-By: Packages' |
            awk '$1 == "Debian" && $2 !~ /security|updates|backports/ { print $3; exit }')
    fi
    [[ -n $mirror ]] || die "this machine's apt knows no Debian mirror. Set TRAINER4J_CI_DEBIAN_MIRROR to one that it can reach."
    printf '%s\n' "$mirror"
}

# ---- processes: an id alone may have been given to another process since, so its start time is kept with it

# process_start PID: the start time of a living process in ticks since boot; fails for one that is gone or a zombie.
process_start() {
    local stat fields
    # Not $(<file): where the file has just gone, that ends the whole shell.
    read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
    read -r -a fields <<<"${stat##*) }"
    [[ ${fields[0]} != Z && ${fields[0]} != X ]] || return 1
    printf '%s\n' "${fields[19]}"
}

# record_pid FILE PID: notes who PID is: id, start time, boot.
record_pid() {
    local start
    start=$(process_start "$2") || return 1
    printf '%s %s %s\n' "$2" "$start" "$(</proc/sys/kernel/random/boot_id)" >"$1.new"
    mv "$1.new" "$1"
}

# recorded_pid FILE: the id noted there, if that very process still lives; fails otherwise.
recorded_pid() {
    local pid start boot
    [[ -f $1 ]] || return 1
    read -r pid start boot <"$1" || return 1
    [[ $boot == "$(</proc/sys/kernel/random/boot_id)" ]] || return 1
    [[ $(process_start "$pid") == "$start" ]] || return 1
    printf '%s\n' "$pid"
}

# stop_recorded FILE [GRACE]: ends the process noted in FILE, by TERM, and by KILL after GRACE seconds (10).
stop_recorded() {
    local pid
    if pid=$(recorded_pid "$1"); then
        kill -TERM "$pid" 2>/dev/null || true
        if ! wait_until "${2:-10}" recorded_gone "$1"; then
            log "process $pid did not end within ${2:-10} s; killing it"
            kill -KILL "$pid" 2>/dev/null || true
            wait_until 10 recorded_gone "$1" || return 1
        fi
    fi
    rm -f "$1"
}

recorded_gone() {
    ! recorded_pid "$1" >/dev/null
}

process_gone() {
    ! process_start "$1" >/dev/null
}

# end_tree PID: ends a process that this script started, with all that it started.
end_tree() {
    local child
    for child in $(pgrep -P "$1"); do
        end_tree "$child"
    done
    kill -TERM "$1" 2>/dev/null || true
}

# ---- waiting

# wait_until SECONDS COMMAND...: tries COMMAND until it succeeds; fails when the time is over.
wait_until() {
    local end=$((SECONDS + $1 + 1))
    shift
    until "$@"; do
        [[ $SECONDS -lt $end ]] || return 1
        sleep 0.1
    done
}

# unix_http SOCKET PATH [CURL OPTION...]: one request to an engine on a unix socket; fails on an error status.
unix_http() {
    local socket=$1 path=$2
    shift 2
    curl --silent --show-error --fail --noproxy '*' --unix-socket "$socket" "$@" "http://localhost$path"
}

# socket_answers SOCKET: whether an engine behind it answers a ping.
socket_answers() {
    [[ -S $1 ]] && unix_http "$1" /_ping --max-time 5 --output /dev/null 2>/dev/null
}

# free_port FIRST: the first port from there on that nobody listens on.
free_port() {
    local port=$1
    while (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        port=$((port + 1))
    done
    echo "$port"
}
