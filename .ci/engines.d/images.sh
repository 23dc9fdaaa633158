# shellcheck shell=bash
# The images of the tests. Each is built once, without a registry and without an engine, as an archive that every engine loads:
# $STATE/images/NAME.tar, beside it NAME.key with the fingerprint of its recipe, which the image carries as a label.

IMAGE_LABEL=io.github.trainer4j.test.recipe

image_name() {
    printf 'trainer4j-test/%s:1\n' "$1"
}

image_key() {
    case $1 in
    initializer) fingerprint image_initializer image_busybox busybox_tree archive "$HERE/engines.d/images/python" ;;
    noshell) fingerprint image_noshell archive "$HERE/engines.d/images/noshell.c" ;;
    busybox) fingerprint image_busybox busybox_tree archive ;;
    pause) fingerprint image_pause busybox_tree archive ;;
    jvm) fingerprint image_jvm jvm_libraries mmdebstrap_tree busybox_tree archive ;;
    torch) fingerprint image_torch mmdebstrap_tree archive ;;
    esac
}

image_is_built() {
    [[ -f $STATE/images/$1.tar && $(cat "$STATE/images/$1.key" 2>/dev/null) == "$(image_key "$1")" ]]
}

image_needs() {
    need jq=jq curl=curl tar=tar sha256sum=coreutils
    image_is_built "$1" || case $1 in
    busybox | initializer | pause) need /bin/busybox=busybox-static ;;
    noshell) need cc=gcc '/usr/lib/*/libc.a=libc6-dev' ;;
    jvm) need /bin/busybox=busybox-static mmdebstrap=mmdebstrap readelf=binutils ;;
    torch) need mmdebstrap=mmdebstrap ;;
    esac
}

# image_build NAME: makes the archive where it is missing or its recipe has changed.
image_build() {
    local name=$1 key work=$TEMP/image-$1
    ! image_is_built "$name" || return 0
    key=$(image_key "$name")
    log "image $name: building"
    mkdir -p "$work" "$STATE/images"
    "image_$name" "$work" "$key"
    rm -f "$STATE/images/$name.key"
    mv "$work/image.tar" "$STATE/images/$name.tar"
    echo "$key" >"$STATE/images/$name.key"
    rm -rf --one-file-system "$work"
    log "image $name: built, $(($(stat -c %s "$STATE/images/$name.tar") / 1000000)) MB"
}

# image_load ENGINE NAME: the engine has the image when this returns.
image_load() {
    local engine=$1 name=$2 begin=$SECONDS has answer
    has=$(engine_http "$engine" "/images/$(image_name "$name")/json" 2>/dev/null | jq -r ".Config.Labels.\"$IMAGE_LABEL\" // empty") || true
    [[ $has != "$(<"$STATE/images/$name.key")" ]] || return 0
    answer=$(engine_http "$engine" /images/load -X POST -H 'Content-Type: application/x-tar' -H 'Expect:' --upload-file "$STATE/images/$name.tar")
    has=$(engine_http "$engine" "/images/$(image_name "$name")/json" 2>/dev/null | jq -r ".Config.Labels.\"$IMAGE_LABEL\" // empty") || true
    [[ $has == "$(<"$STATE/images/$name.key")" ]] || die "$engine: loading the image $name failed: $answer"
    [[ $((SECONDS - begin)) -lt 3 ]] || log "$engine: loaded image $name in $((SECONDS - begin)) s"
}

# ---- recipes: image_NAME FOLDER KEY makes FOLDER/image.tar

image_busybox() {
    busybox_tree "$1/tree"
    archive busybox "$1" "$2" '{"Cmd": ["sh"]}'
}

# What holds a pod's network on a cluster.
image_pause() {
    busybox_tree "$1/tree"
    archive pause "$1" "$2" '{"Cmd": ["sleep", "2147483647"]}'
}

# A stand-in for Kubeflow's initializer images: the same command and environment, no network.
image_initializer() {
    busybox_tree "$1/tree"
    mkdir -p "$1/tree/app" "$1/tree/usr/bin"
    install -m 755 "$HERE/engines.d/images/python" "$1/tree/usr/bin/python"
    # Kubeflow's Python SDK starts an initializer as bash -c COMMAND.
    # shellcheck disable=SC2016 # "$@" is for the script
    printf '#!/bin/sh\nexec sh "$@"\n' >"$1/tree/bin/bash"
    chmod 755 "$1/tree/bin/bash"
    archive initializer "$1" "$2" '{"WorkingDir": "/app", "Cmd": ["python", "-m", "pkg.initializers.dataset"]}'
}

# One program and nothing else: no shell, no /etc, no /tmp.
image_noshell() {
    mkdir -p "$1/tree"
    cc -static -Os -s -Wall -Wextra -o "$1/tree/noshell" "$HERE/engines.d/images/noshell.c"
    archive noshell "$1" "$2" '{"Entrypoint": ["/noshell"]}'
}

image_jvm() {
    # Taken apart but not set up: a JRE needs none of its packages' set-up scripts.
    mmdebstrap_tree bookworm "$1/debian" openjdk-17-jre-headless,libc-bin --variant=extract
    busybox_tree "$1/tree"
    mkdir -p "$1/tree/usr/lib/locale" "$1/tree/usr/bin"
    cp -a "$1/debian/usr/lib/jvm" "$1/tree/usr/lib/"
    # Without a locale of UTF-8, which any image of a distribution has, a JVM takes its arguments for ASCII.
    cp -a "$1/debian/usr/lib/locale/C.utf8" "$1/tree/usr/lib/locale/"
    cp -a "$1"/debian/etc/java-17-openjdk "$1/tree/etc/"
    jvm_libraries "$1/debian" "$1/tree"
    ln -s "$(cd "$1/tree" && echo /usr/lib/jvm/java-17-openjdk-*)/bin/java" "$1/tree/usr/bin/java"
    rm -rf --one-file-system "$1/debian"
    archive jvm "$1" "$2" '{"Cmd": ["java", "--version"]}'
}

image_torch() {
    # What torch is linked with stays; what only a screen, a camera or the tests of others need goes (a third of it all).
    # Python 3.11 broke iterating this enum of flags, and with it torchrun of this torch.
    # shellcheck disable=SC2016 # $1 is for the shell that mmdebstrap starts: the tree
    mmdebstrap_tree bookworm "$1/torch.tar" python3-minimal,python3-torch,python3-numpy \
        --dpkgopt='path-exclude=/usr/lib/*/dri/*' --dpkgopt='path-exclude=/usr/lib/*/libLLVM-*' \
        --dpkgopt='path-exclude=/usr/lib/*/libz3.so*' --dpkgopt='path-exclude=/usr/lib/*/mfx/*' \
        --dpkgopt='path-exclude=/usr/lib/*/libmfxhw64.so*' --dpkgopt='path-exclude=/usr/lib/libtorch-test/*' \
        --dpkgopt='path-exclude=/usr/lib/python3/dist-packages/torch/bin/test*' \
        --dpkgopt='path-exclude=/usr/include/*' --dpkgopt='path-exclude=/usr/share/proj/*' \
        --customize-hook='find "$1"/usr/lib/python3/dist-packages -type d -name tests -prune -exec rm -rf {} +' \
        --customize-hook='sed -i "s/for s in Std:/for s in Std.__members__.values():/" "$1"/usr/lib/python3/dist-packages/torch/distributed/elastic/multiprocessing/api.py' \
        --customize-hook='chroot "$1" python3 -m compileall -q /usr/lib/python3/dist-packages/torch/distributed/elastic/multiprocessing' \
        --customize-hook='ln -s python3 "$1"/usr/bin/python' \
        --skip=output/dev
    mv "$1/torch.tar" "$1/layer.tar"
    archive torch "$1" "$2" '{"Cmd": ["python3"]}'
}

# ---- what recipes are made of

# busybox_tree FOLDER: a root of one static busybox under all its names
busybox_tree() {
    local applet
    ! ldd /bin/busybox >/dev/null 2>&1 || die "/bin/busybox is not the static one; install the package busybox-static in place of busybox"
    mkdir -p "$1"/{bin,dev,etc,proc,root,sys,tmp,usr,var}
    chmod 1777 "$1/tmp"
    cp /bin/busybox "$1/bin/busybox"
    while read -r applet; do
        [[ $applet == busybox ]] || ln -s busybox "$1/bin/$applet"
    done < <(/bin/busybox --list)
    printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$1/etc/passwd"
    printf 'root:x:0:\nnogroup:x:65534:\n' >"$1/etc/group"
}

# jvm_libraries DEBIAN TREE: the loader and all libraries that are needed by what is in the tree, and by these again
jvm_libraries() {
    local debian=$1 tree=$2 loader path library added=1
    loader=$(readelf -l "$tree"/usr/lib/jvm/java-17-openjdk-*/bin/java | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
    mkdir -p "$tree$(dirname "$loader")" "$tree/usr/lib"
    path=$(find "$debian/usr/lib/" "$debian/lib/" -type f -name "$(basename "$loader")" | head -n 1)
    cp "$path" "$tree$loader"
    while [[ -n $added ]]; do
        added=
        while read -r library; do
            [[ -z $(find "$tree" -name "$library" -print -quit) ]] || continue
            path=$(find "$debian/usr/lib/" "$debian/lib/" -name "$library" -not -path '*/jvm/*' -print -quit)
            [[ -n $path ]] || continue
            cp -L "$path" "$tree/usr/lib/$library"
            added=1
        done < <(find "$tree" -type f \( -name '*.so' -o -name '*.so.*' -o -path '*/jvm/*/bin/*' \) -exec readelf -d {} + 2>/dev/null |
            sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)
    done
}

# mmdebstrap_tree SUITE TARGET PACKAGES [OPTION...]: a Debian root with these packages, as a folder or a .tar
mmdebstrap_tree() {
    local suite=$1 target=$2 packages=$3 mirror said keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    shift 3
    mirror=$(debian_mirror)
    said=$STATE/debian-$(basename "$target" .tar).log
    apt-config dump | grep -E '^Acquire::(http|https)::.*(Proxy|CaInfo|Verify)' >"$TEMP/apt-$$-$BASHPID.conf" || true
    # The hooks take the addresses away again: an image says nothing of where it was built. In a mount namespace of its own,
    # for a killed build to leave no mounts.
    # shellcheck disable=SC2016 # $1 is for the shell that mmdebstrap starts: the tree
    TMPDIR=$TEMP nice -n 15 unshare --mount --propagation private mmdebstrap --verbose --mode=root --variant=essential --include="$packages" \
        ${keyring:+--keyring="$keyring"} --aptopt="$TEMP/apt-$$-$BASHPID.conf" \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
        "$@" \
        --customize-hook='rm -f "$1"/etc/apt/sources.list "$1"/etc/apt/apt.conf.d/99mmdebstrap "$1"/etc/resolv.conf' \
        "$suite" "$target" "$mirror" >"$said" 2>&1 || {
        tail -n 30 "$said" >&2
        die "the Debian root with $packages was not built; all that was said is in $said"
    }
}

# archive NAME FOLDER KEY CONFIG: FOLDER/tree (or the ready FOLDER/layer.tar) as an image in FOLDER/image.tar
archive() {
    local name=$1 dir=$2 key=$3 config=$4 layer
    if [[ -d $dir/tree ]]; then
        tar -C "$dir/tree" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$dir/layer.tar" .
        rm -rf --one-file-system "$dir/tree"
    fi
    layer=$(sha256sum <"$dir/layer.tar" | cut -d' ' -f1)
    jq -n --argjson config "$config" --arg layer "sha256:$layer" --arg name "$IMAGE_LABEL" --arg key "$key" --arg arch "$(image_arch)" '{
        architecture: $arch, os: "linux", created: "2020-01-01T00:00:00Z",
        config: ({Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], Labels: {($name): $key}} + $config),
        rootfs: {type: "layers", diff_ids: [$layer]},
        history: [{created: "2020-01-01T00:00:00Z", created_by: "trainer4j tests"}]
    }' >"$dir/config.json"
    jq -n --arg tag "$(image_name "$name")" '[{Config: "config.json", RepoTags: [$tag], Layers: ["layer.tar"]}]' >"$dir/manifest.json"
    tar -C "$dir" -cf "$dir/image.tar" manifest.json config.json layer.tar
    rm "$dir/layer.tar"
}

# image_arch: this machine's architecture by the name that images use
image_arch() {
    case $(uname -m) in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) uname -m ;;
    esac
}
