package io.github.trainer4j.container;

import com.github.dockerjava.api.model.Network;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the addresses of a network: each container that runs in it has one of its own. */
final class NetworkRoom {
    private static final Pattern SUBNET = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+/(\\d{1,2})");
    /** That of the network itself, that of the engine's machine in it, and that which reaches all. */
    private static final int TAKEN = 3;

    private NetworkRoom() {}

    /** Returns how many more containers can run in a network; empty if it does not say. */
    static OptionalLong left(Network network) {
        List<Network.Ipam.Config> ranges =
                network.getIpam() == null ? null : network.getIpam().getConfig();
        if (ranges == null || ranges.isEmpty()) {
            return OptionalLong.empty();
        }
        long room = 0;
        for (Network.Ipam.Config range : ranges) {
            String given =
                    range.getIpRange() == null || range.getIpRange().isBlank() ? range.getSubnet() : range.getIpRange();
            Matcher subnet = SUBNET.matcher(given == null ? "" : given);
            if (subnet.matches()) {
                room += Math.max(0, (1L << (32 - Math.min(32, Integer.parseInt(subnet.group(1))))) - TAKEN);
            }
        }
        int there =
                network.getContainers() == null ? 0 : network.getContainers().size();
        return room == 0 ? OptionalLong.empty() : OptionalLong.of(Math.max(0, room - there));
    }
}
