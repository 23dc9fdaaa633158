# shellcheck shell=bash
# Kubeflow's Python SDK, which the tests let look at our jobs, and whose jobs they look at: a Python with it below $STATE/peer.

PEER_PACKAGES=('kubeflow[docker,podman]==0.5.0')

peer_dir() {
    printf '%s/peer/%s\n' "$STATE" "$(printf '%s\n' "${PEER_PACKAGES[@]}" "$(python3 --version)" | sha256sum | cut -c1-12)"
}

peer_is_built() {
    [[ -f $(peer_dir)/built ]]
}

peer_needs() {
    need python3=python3
    peer_is_built || python3 -c 'import venv, ensurepip' 2>/dev/null || NEEDED+=(python3-venv)
}

# peer_build: takes the packages from where this machine's pip is set to take them.
peer_build() {
    local dir
    ! peer_is_built || return 0
    dir=$(peer_dir)
    log "Kubeflow's Python SDK: installing"
    rm -rf --one-file-system "$STATE/peer"
    mkdir -p "$STATE/peer"
    python3 -m venv "$dir"
    "$dir/bin/python" -m pip install --quiet --disable-pip-version-check "${PEER_PACKAGES[@]}" >"$STATE/peer/pip.log" 2>&1 || {
        tail -n 20 "$STATE/peer/pip.log" >&2
        die "pip could not install ${PEER_PACKAGES[*]} (its words are above)"
    }
    : >"$dir/built"
}
