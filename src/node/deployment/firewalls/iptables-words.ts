/**
 * The words of rules that `iptables-restore` knows and that files have: it loads no rule of a file that has another one, and a
 * file with a rare one counts as not read. iptables-extensions(8), iptables 1.8.9
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Long options, of all matches and targets. */
export const options = words(`
  algo clamp-mss-to-pmtu comment connlimit-above connlimit-mask connlimit-saddr connlimit-upto ctdir ctmask ctstate ctstatus
  destination destination-port destination-ports dport dports dst dst-range dst-type every gid-owner goto hashlimit
  hashlimit-above hashlimit-burst hashlimit-htable-expire hashlimit-mode hashlimit-name hashlimit-srcmask hashlimit-upto
  hex-string hitcount hl-eq icmp-type icmpv6-type in-interface ipv4 ipv6 jump limit limit-burst limit-iface-in log-ip-options
  log-level log-prefix log-tcp-options log-tcp-sequence log-uid loose mac-source mark mask match match-set mode name nflog-group
  nflog-prefix nfmask notrack on-ip on-port or-mark out-interface packet physdev-in physdev-is-bridged physdev-out pkt-type ports
  probability proto protocol queue-bypass queue-num random random-fully rcheck rdest reject-with remove restore-mark
  return-nomatch rsource rttl save-mark seconds set set-counters set-mark set-mss set-xmark source source-port source-ports
  sport sports src src-range src-type state string syn tcp-flags tcp-option timestart timestop to to-destination to-ports
  to-source tproxy-mark transparent ttl-eq type uid-owner update weekdays
`);

/** Matches. */
export const matches = words(`
  addrtype comment connlimit connmark conntrack hashlimit hl icmp icmp6 icmpv6 iprange ipv6header length limit mac mark multiport
  owner physdev pkttype recent rpfilter rt set socket state statistic string tcp tcpmss time ttl udp
`);

/** Targets besides ACCEPT, DROP and RETURN. */
export const targets = words(`
  AUDIT CHECKSUM CONNMARK CT DNAT LOG MARK MASQUERADE NETMAP NFLOG NFQUEUE NOTRACK QUEUE REDIRECT REJECT SET SNAT TCPMSS TPROXY
  TRACE TTL ULOG
`);

export const tables = words('filter nat mangle raw security');
export const builtInChains = words('PREROUTING INPUT FORWARD OUTPUT POSTROUTING');

/** The values of options that have few; a number stands for a name, too. */
const values: readonly (readonly [option: RegExp, value: RegExp])[] = [
  [/^--(?:ct)?state$/, /^(?:INVALID|ESTABLISHED|NEW|RELATED|UNTRACKED|SNAT|DNAT)$/],
  [/^--(?:dst|src)-type$/, /^(?:UNSPEC|UNICAST|LOCAL|BROADCAST|ANYCAST|MULTICAST|BLACKHOLE|UNREACHABLE)$/],
  [/^--tcp-flags$/, /^(?:SYN|ACK|FIN|RST|URG|PSH|ALL|NONE)$/],
  [
    /^(?:-p|--proto|--protocol)$/,
    /^(?:tcp|udp|icmp|ipv6-icmp|icmpv6|igmp|esp|ah|sctp|dccp|gre|ipv6|vrrp|ospf|all)$/i,
  ],
  [/^--limit$/, /^\d+(?:\/(?:s(?:ec(?:ond)?)?|m(?:in(?:ute)?)?|h(?:our)?|d(?:ay)?))?$/],
];

/** Whether an option may have these words as its value. */
export function mayHave(option: string, given: readonly string[]): boolean {
  const known = values.find(([name]) => name.test(option))?.[1];
  const all = given.flatMap((one) => one.split(','));
  return known === undefined || all.every((one) => known.test(one) || /^\d+$/.test(one));
}
