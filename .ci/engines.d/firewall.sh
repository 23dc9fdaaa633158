# shellcheck shell=bash
# Bridges and packet filter rules: engines leave them behind, a killed one leaves all of them. Each engine has its own /16,
# so what is its own can be told by address.

# network_base: the first of the eight /16 networks (10.N.0.0 to 10.N+7.0.0) of this state folder, chosen once where nothing is routed.
# The last of them is that of .ci/cluster.
network_base() {
    local base n routes
    if [[ -s $STATE/network-base ]]; then
        cat "$STATE/network-base"
        return
    fi
    base=${TRAINER4J_CI_NETWORK_BASE:-}
    if [[ -z $base ]]; then
        routes=$(ip -4 route show table all)
        for base in 200 208 216 224 232 240 192 184; do
            for ((n = base; n < base + 8; n++)); do
                [[ $routes != *" 10.$n."* && $routes != "10.$n."* && $routes != *$'\n'"10.$n."* ]] || continue 2
            done
            break
        done
    fi
    printf '%s\n' "$base" | tee "$STATE/network-base"
}

# engine_network ENGINE: the first two numbers of its /16, as in 10.200
engine_network() {
    local name number=0
    for name in "${ENGINES[@]}"; do
        [[ $name != "$1" ]] || break
        number=$((number + 1))
    done
    printf '10.%d\n' "$(($(network_base) + number))"
}

# drop_networks ENGINE: removes the bridges within its /16 and every rule that speaks of them or of its addresses.
drop_networks() {
    local net bridges bridge table pattern chains chain
    command -v iptables >/dev/null || return 0
    net=$(engine_network "$1")
    net=${net//./\\.}
    bridges=$({
        ip -o -4 addr show | awk -v net="$net" '$4 ~ "^" net "\\." { print $2 }'
        iptables -t nat -S POSTROUTING 2>/dev/null | sed -nE "s/.*-s $net\\.[0-9./]+ ! -o ([^ ]+) .*/\\1/p"
    } | sort -u)
    pattern="[ ]$net\\.[0-9]+\\.[0-9]+"
    for bridge in $bridges; do
        pattern+="|[ ]$bridge( |\$)"
    done
    for table in nat filter raw; do
        # Netavark has a chain for each network; the rules that lead into it name no address.
        chains=$(iptables -t "$table" -S 2>/dev/null | grep -E -- "^-A .*($pattern)" | grep -oE 'NETAVARK-(DN-)?[0-9A-F]{6,}' | sort -u) || true
        delete_rules iptables "$table" "$pattern"
        for chain in $chains; do
            delete_rules iptables "$table" " -j $chain( |\$)"
            iptables -t "$table" -F "$chain" 2>/dev/null || true
            iptables -t "$table" -X "$chain" 2>/dev/null || true
        done
    done
    for bridge in $bridges; do
        ip link delete "$bridge" 2>/dev/null || true
    done
}

# delete_rules TABLES TABLE PATTERN: deletes the rules that match.
delete_rules() {
    local rule
    while read -r rule; do
        # xargs takes the quoted words of a rule apart as iptables wrote them
        xargs "$1" -t "$2" -D <<<"${rule#-A }" 2>/dev/null || true
    done < <("$1" -t "$2" -S 2>/dev/null | grep -E -- "^-A .*($3)")
}

# remember_firewall: notes, before the first engine is started, what was there without ours.
remember_firewall() {
    [[ ! -d $STATE/firewall ]] || return 0
    mkdir -p "$STATE/firewall.new"
    local tables table
    for tables in iptables ip6tables; do
        for table in filter nat raw mangle; do
            "$tables" -t "$table" -S >"$STATE/firewall.new/$tables.$table" 2>/dev/null || true
        done
    done
    cat /proc/sys/net/ipv4/ip_forward >"$STATE/firewall.new/ip_forward"
    mv "$STATE/firewall.new" "$STATE/firewall"
}

# restore_firewall: after the last engine has gone, takes away the engines' general chains and rules and puts the policies back.
restore_firewall() {
    local tables table before line
    [[ -d $STATE/firewall ]] || return 0
    if pgrep -x dockerd >/dev/null || pgrep -x podman >/dev/null; then
        log "an engine that is not ours runs; the general packet filter chains stay"
        return 0
    fi
    for tables in iptables ip6tables; do
        for table in filter nat raw mangle; do
            before=$STATE/firewall/$tables.$table
            [[ -f $before ]] || continue
            while read -r line; do
                xargs "$tables" -t "$table" -D <<<"${line#-A }" 2>/dev/null || true
            done < <(rules_since "$tables" "$table" '^-A .*(DOCKER|NETAVARK|docker0)')
            while read -r line; do
                "$tables" -t "$table" -F "${line#-N }" 2>/dev/null || true
            done < <(rules_since "$tables" "$table" '^-N (DOCKER|NETAVARK)')
            while read -r line; do
                "$tables" -t "$table" -X "${line#-N }" 2>/dev/null || true
            done < <(rules_since "$tables" "$table" '^-N (DOCKER|NETAVARK)')
            if line=$(grep -E '^-P FORWARD ' "$before"); then
                "$tables" -t "$table" -P FORWARD "${line##* }"
            fi
        done
    done
    cat "$STATE/firewall/ip_forward" >/proc/sys/net/ipv4/ip_forward
    rm -rf "$STATE/firewall"
}

# rules_since TABLES TABLE PATTERN: the lines of today's rules that were not there before and match.
rules_since() {
    "$1" -t "$2" -S 2>/dev/null | grep -vxF -f "$STATE/firewall/$1.$2" | grep -E -- "$3" || true
}
