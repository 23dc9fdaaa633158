# shellcheck shell=bash
# How each engine differs: packages, settings, command line.

engine_kind() {
    case $1 in
    docker*) echo docker ;;
    tls | newest) echo docker ;;
    podman* | rootless) echo podman ;;
    esac
}

# engine_needs ENGINE: installs what it needs of the host's packages.
engine_needs() {
    need curl=curl jq=jq ip=iproute2 iptables=iptables nsenter=util-linux pgrep=procps
    case $1 in
    docker) need dockerd=docker.io containerd=containerd runc=runc ;;
    tls) need dockerd=docker.io containerd=containerd runc=runc openssl=openssl ;;
    newest) need cc=gcc pkg-config=pkg-config '/usr/include/seccomp.h=libseccomp-dev' ;;
    podman) need podman=podman runc=runc '/usr/lib*/podman/netavark=netavark' '/usr/lib*/podman/aardvark-dns=aardvark-dns' conntrack=conntrack ;;
    rootless) need podman=podman runc=runc newuidmap=uidmap slirp4netns=slirp4netns fuse-overlayfs=fuse-overlayfs setpriv=util-linux useradd=passwd ;;
    docker26 | podman5) need mmdebstrap=mmdebstrap ;;
    esac
}

# engine_root ENGINE: the folder that is the engine's root; empty for the host's own.
engine_root() {
    case $1 in
    docker26 | podman5) debian13_root ;;
    esac
}

# inside ENGINE: the words that run what follows in the engine's mount namespace, one a line.
inside() {
    printf '%s\n' nsenter "--mount=/proc/$(recorded_pid "$STATE/$1/holder")/ns/mnt" --
}

# ---- Docker

docker_settings() {
    local name=$1 dir=$STATE/$1 net bridge listen secure=''
    net=$(engine_network "$name")
    listen=unix://$(engine_socket "$name")
    # A bridge of its own: there is one docker0, and a daemon told to have no bridge deletes it, whoever made it.
    bridge=t4j-${net#*.}
    ip link add name "$bridge" type bridge
    ip addr add "$net.0.1/24" dev "$bridge"
    ip link set "$bridge" up
    if [[ $name == tls ]]; then
        tls_certificates
        free_port 2376 >"$dir/port"
        listen=tcp://127.0.0.1:$(<"$dir/port")
        secure="\"tlsverify\": true, \"tlscacert\": \"$dir/ca.pem\", \"tlscert\": \"$dir/server/cert.pem\", \"tlskey\": \"$dir/server/key.pem\","
    fi
    cat >"$dir/daemon.json" <<JSON
{
  "data-root": "$dir/data",
  "exec-root": "$dir/run/exec",
  "pidfile": "$dir/run/docker.pid",
  "hosts": ["$listen"],
  $secure
  "default-address-pools": [{"base": "$net.0.0/16", "size": 24}],
  "bridge": "$bridge"
}
JSON
}

docker_command() {
    inside "$1"
    if [[ $1 == newest ]]; then
        printf '%s\n' env "PATH=$(newest_programs):$PATH" dockerd --userland-proxy=false
    else
        echo dockerd
    fi
    printf '%s\n' --config-file "$STATE/$1/daemon.json"
}

# tls_certificates: an own authority, one certificate for the daemon, one for clients; another authority's client to be refused.
tls_certificates() {
    local dir=$STATE/tls
    if [[ -f $dir/stranger/cert.pem ]] && openssl x509 -checkend 2592000 -noout -in "$dir/server/cert.pem" >/dev/null; then
        return
    fi
    rm -rf "$dir"/{ca,server,client,stranger}
    mkdir -p "$dir"/{ca,server,client,stranger/ca}
    authority "$dir/ca" 'trainer4j test authority'
    authority "$dir/stranger/ca" 'another authority'
    certificate "$dir/server" "$dir/ca" localhost 'subjectAltName=IP:127.0.0.1,DNS:localhost' 'extendedKeyUsage=serverAuth'
    certificate "$dir/client" "$dir/ca" client 'extendedKeyUsage=clientAuth'
    cp "$dir/ca/cert.pem" "$dir/ca.pem"
    cp "$dir/ca/cert.pem" "$dir/client/ca.pem"
    cp "$dir/ca/cert.pem" "$dir/stranger/ca.pem"
    certificate "$dir/stranger" "$dir/stranger/ca" stranger 'extendedKeyUsage=clientAuth'
}

authority() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj "/CN=$2" -keyout "$1/key.pem" -out "$1/cert.pem" \
        -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
}

# certificate FOLDER AUTHORITY NAME EXTENSION...: key.pem and cert.pem, the names that Docker's clients look for
certificate() {
    local dir=$1 ca=$2 name=$3
    shift 3
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$dir/key.pem" -out "$dir/request.pem" 2>/dev/null
    openssl x509 -req -in "$dir/request.pem" -days 365 -CA "$ca/cert.pem" -CAkey "$ca/key.pem" -CAcreateserial \
        -extfile <(printf '%s\n' "$@") -out "$dir/cert.pem" 2>/dev/null
    rm "$dir/request.pem"
}

# ---- Podman

podman_settings() {
    local name=$1 dir=$STATE/$1 net files firewall=''
    net=$(engine_network "$name")
    # Without CAP_SYS_RESOURCE podman cannot ask for more than the hard limit, and its own default is more.
    files=$(ulimit -Hn)
    [[ $files != unlimited && $files -lt 10000 ]] || files=10000
    [[ $name != podman5 ]] || firewall='firewall_driver="iptables"'
    [[ $name != rootless ]] || rootless_user
    cat >"$dir/containers.conf" <<CONF
[containers]
default_ulimits=["nofile=$files:$files","nproc=4096:4096"]
[engine]
runtime="runc"
cgroup_manager="cgroupfs"
events_logger="file"
[network]
network_config_dir="$dir/data/networks"
default_subnet="$net.0.0/24"
default_subnet_pools=[{"base"="$net.0.0/16","size"=24}]
$firewall
CONF
}

podman_command() {
    local name=$1 dir=$STATE/$1 storage=()
    if [[ $name == rootless ]]; then
        rootless_command
        # By itself it chooses vfs here, which copies the whole image for each container.
        storage=(--storage-driver overlay)
    else
        inside "$name"
        printf '%s\n' env "CONTAINERS_CONF=$dir/containers.conf"
    fi
    printf '%s\n' podman "${storage[@]}" --root "$dir/data" --runroot "$dir/run/root" --tmpdir "$dir/run/tmp" \
        system service --time=0 "unix://$dir/podman.sock"
}

# ---- rootless Podman: the same for a user of its own

ROOTLESS_USER=trainer4j-ci

rootless_uid() {
    id -u "$ROOTLESS_USER" 2>/dev/null
}

# rootless_user: the user, its further ids, and the folders that are its own.
rootless_user() {
    local dir=$STATE/rootless uid next
    if ! rootless_uid >/dev/null; then
        useradd --no-create-home --home-dir "$dir/home" --shell /bin/bash --comment 'container tests' "$ROOTLESS_USER"
        log "rootless: made the user $ROOTLESS_USER"
    fi
    if ! grep -q "^$ROOTLESS_USER:" /etc/subuid 2>/dev/null || ! grep -q "^$ROOTLESS_USER:" /etc/subgid 2>/dev/null; then
        next=$(cat /etc/subuid /etc/subgid 2>/dev/null | awk -F: 'BEGIN { n = 100000 } $2 + $3 > n { n = $2 + $3 } END { print n }')
        usermod --add-subuids "$next-$((next + 65535))" --add-subgids "$next-$((next + 65535))" "$ROOTLESS_USER"
    fi
    uid=$(rootless_uid)
    # Podman's networks fail with a run-time folder elsewhere.
    mkdir -p "$dir/home" "/run/user/$uid"
    chmod 700 "/run/user/$uid"
    chown -R "$ROOTLESS_USER:" "$dir/home" "/run/user/$uid"
    chown "$ROOTLESS_USER:" "$dir" "$dir/data" "$dir/run"
    if [[ $(stat -c %a /dev/net/tun) != 666 ]]; then
        chmod 666 /dev/net/tun
        log "rootless: /dev/net/tun is now open to every user, as slirp4netns needs it"
    fi
}

rootless_command() {
    local uid gid dir=$STATE/rootless
    uid=$(rootless_uid)
    gid=$(id -g "$ROOTLESS_USER")
    printf '%s\n' env -C "$dir/home" -i "HOME=$dir/home" "XDG_RUNTIME_DIR=/run/user/$uid" "USER=$ROOTLESS_USER" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        "CONTAINERS_CONF=$dir/containers.conf" "TRAINER4J_CI_ENGINE=$dir" \
        setpriv --reuid "$uid" --regid "$gid" --init-groups --
}

# in_rootless_container UID PID: whether the process is the user's, or one of its further ids', in a user namespace that it made.
# Such a container has no control group of its own on cgroup v1. The user's other processes are none of our business.
in_rootless_container() {
    local owner first
    owner=$(stat -c %u "/proc/$2" 2>/dev/null) || return 1
    if [[ $owner -ne $1 ]]; then
        first=$(awk -F: -v user="$ROOTLESS_USER" '$1 == user { print $2; exit }' /etc/subuid)
        [[ -n $first && $owner -ge $first && $owner -lt $((first + 65536)) ]] || return 1
    fi
    [[ $(readlink "/proc/$2/ns/user") != "$(readlink /proc/self/ns/user)" ]]
}

# ---- a Debian 13 root with today's Docker and Podman

debian13_recipe() {
    mmdebstrap_tree trixie "$1" \
        docker.io,containerd,podman,netavark,aardvark-dns,crun,runc,nftables,iptables,conntrack,ca-certificates,mount,procps
}

debian13_root() {
    printf '%s/cache/debian13-%s\n' "$STATE" "$(fingerprint debian13_recipe mmdebstrap_tree)"
}

debian13_is_built() {
    [[ -d $(debian13_root) ]]
}

# debian13_build: makes that root where it is missing.
debian13_build() {
    local root
    ! debian13_is_built || return 0
    root=$(debian13_root)
    log "debian13: building the root with Docker 26.1 and Podman 5.4"
    debian13_recipe "$TEMP/debian13"
    mkdir -p "$STATE/cache"
    mv "$TEMP/debian13" "$root"
    log "debian13: built"
    engine_is_ours docker26 || engine_is_ours podman5 || drop_others "$root" "$STATE"/cache/debian13-*
}

# ---- the newest Docker, from Go modules

newest_recipe() {
    local bin=$1/bin
    mkdir -p "$bin"
    newest_program "$bin" github.com/moby/moby/v2/cmd/dockerd@v2.0.0-beta.24 0 exclude_graphdriver_btrfs &&
        newest_program "$bin" github.com/containerd/containerd/v2/cmd/containerd@v2.2.9 0 no_btrfs &&
        newest_program "$bin" github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2@v2.2.9 0 no_btrfs &&
        newest_program "$bin" github.com/opencontainers/runc@v1.4.0 1 seccomp
}

# newest_program FOLDER PACKAGE@VERSION CGO TAGS: builds a program with the dependencies that its own module names.
newest_program() {
    local version=github.com/moby/moby/v2/dockerversion.Version
    (cd / && GOBIN=$1 CGO_ENABLED=$3 nice -n 15 go install -tags "$4" -ldflags="-s -w -X $version=${2##*@v}" "$2")
}

newest_programs() {
    printf '%s/cache/newest-%s/bin\n' "$STATE" "$(fingerprint newest_recipe newest_program)"
}

newest_is_built() {
    [[ -d $(newest_programs) ]]
}

newest_build() {
    local root
    ! newest_is_built || return 0
    root=$(dirname "$(newest_programs)")
    command -v go >/dev/null || die "newest: the go command is missing; install Go 1.26.3 or newer to build Docker from its modules"
    log "newest: building Docker from Go modules (about 10 minutes)"
    newest_recipe "$TEMP/newest" >"$STATE/newest.log" 2>&1 || {
        tail -n 20 "$STATE/newest.log" >&2
        die "newest: it was not built; all that was said is in $STATE/newest.log"
    }
    mkdir -p "$STATE/cache"
    mv "$TEMP/newest" "$root"
    log "newest: built"
    engine_is_ours newest || drop_others "$root" "$STATE"/cache/newest-*
}

# drop_others KEPT PATH...: removes all but the kept one: what earlier recipes made.
drop_others() {
    local kept=$1 path
    shift
    for path; do
        [[ $path == "$kept" ]] || rm -rf --one-file-system "$path"
    done
}
