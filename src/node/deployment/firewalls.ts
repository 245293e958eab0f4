/** Files with rules of firewalls, which are named and not read: the rules in force are those of the running machine. */

const signs: readonly RegExp[] = [
  // What nft, iptables-restore and ufw read.
  /^[ \t]*(?:(?:add|create)[ \t]+)?table[ \t]+(?:inet|ip6?|arp|bridge|netdev)[ \t]+[\w$-]+/m,
  /^\*(?:filter|mangle|raw|nat|security)[ \t]*$/m,
  // Commands, and modules of Ansible.
  /^[^#\n]*\b(?:ip6?tables(?:-restore)?[ \t]+[-<]|nft[ \t]+(?:-f|add|insert|flush)\b|firewall-cmd[ \t]+-)/m,
  /^[^#\n]*\bufw[ \t]+(?:--force[ \t]+)?(?:allow|default|deny|enable|limit|reject)\b/m,
  /^[ \t-]+(?:[\w.]+\.)?(?:ufw|iptables|nftables|firewalld):/m,
  // Firewalls in front of a machine.
  /^[ \t]*resource[ \t]+"(?:\w+_security_group\w*|google_compute_firewall|(?:digitalocean|hcloud)_firewall)"/m,
];
const firewalld = /(?:^|[\\/])firewalld[\\/].*\.(?:conf|xml)$/;

/** A cheap test of a file. */
export function mayFilter(path: string, text: string): boolean {
  return firewalld.test(path) || signs.some((sign) => sign.test(text));
}
