/** The words that `iptables-restore` knows: it loads no rule of a file that has another one. iptables-extensions(8), iptables 1.8.9 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Long options of rules, of all matches and targets. */
export const options = words(`
  accept-local add-set ahlen ahres ahspi algo and-mark and-tos bytecode bytes-eq bytes-gt bytes-lt cgroup
  checksum-fill chunk-types clamp-mss-to-pmtu clus cluster-hash-seed cluster-local-node cluster-local-nodemask
  cluster-total-nodes clustermac comment connbytes connbytes-dir connbytes-mode connlimit-above connlimit-daddr
  connlimit-mask connlimit-saddr connlimit-upto contiguous cpu ctdir ctevents ctexpire ctmask ctorigdst
  ctorigdstport ctorigsrc ctorigsrcport ctproto ctrepldst ctrepldstport ctreplsrc ctreplsrcport ctstate ctstatus
  datestart datestop dccp-option dccp-types del-set destination destination-mac destination-port destination-ports
  dir dport dports dscp dscp-class dst dst-group dst-len dst-opts dst-pfx dst-range dst-type ecn-ip-ect
  ecn-tcp-cwr ecn-tcp-ece ecn-tcp-remove espspi every exist expevents fragfirst fragid fraglast fraglen fragment
  fragmore fragres from gateway genre gid-owner goto h-length hash hash-init hashlimit hashlimit-above
  hashlimit-burst hashlimit-dstmask hashlimit-htable-expire hashlimit-htable-gcinterval hashlimit-htable-max
  hashlimit-htable-size hashlimit-mask hashlimit-mode hashlimit-name hashlimit-rate-interval hashlimit-rate-match
  hashlimit-src hashlimit-srcmask hashlimit-upto hashmode hbh-len hbh-opts header helper hex-string hitcount
  hl-dec hl-eq hl-gt hl-inc hl-lt hl-set hmark-dport-mask hmark-dst-prefix hmark-mod hmark-offset hmark-proto-mask
  hmark-rnd hmark-spi-mask hmark-sport-mask hmark-src-prefix hmark-tuple icase icmp-type icmpv6-type in-interface
  ipv4 ipv6 ipvs jump kerneltz label led-always-blink led-delay led-trigger-id length limit limit-burst
  limit-iface-in limit-iface-out local-node log-ip-options log-level log-macdecode log-prefix log-tcp-options
  log-tcp-sequence log-uid loose mac-source mangle-mac-d map-mark map-prio map-queue map-set mark mask match
  match-set mh-type mode monthdays mss name new next nfacct-name nflog-group nflog-prefix nflog-range nflog-size
  nflog-threshold nfmask notrack nowildcard object-pinned on-ip on-port or-mark or-tos out-interface packet
  packets-eq packets-gt packets-lt path persistent physdev-in physdev-is-bridged physdev-is-in physdev-is-out
  physdev-out pkt-type pol ports probability proto protocol queue-balance queue-bypass queue-cpu-fanout queue-num
  quota random random-fully rateest rateest-bps rateest-bps1 rateest-bps2 rateest-delta rateest-eq rateest-ewma
  rateest-ewmalog rateest-gt rateest-interval rateest-lt rateest-name rateest-pps rateest-pps1 rateest-pps2
  rateest1 rateest2 rcheck rdest realm reap reject-with remove reqid restore restore-mark restore-skmark
  return-nomatch rsource rt-0-addrs rt-0-not-strict rt-0-res rt-len rt-segsleft rt-type rttl sack-perm save
  save-mark seconds selctx set set-class set-counters set-dscp set-dscp-class set-mark set-mss set-tos set-xmark
  skbinfo socket-exists soft source source-port source-ports spi sport sports src src-group src-pfx src-range
  src-type state strict string strip-options suppl-groups syn tcp-flags tcp-option timeout timestamp timestamps
  timestart timestop to to-destination to-port to-ports to-source tos total-nodes tproxy-mark trace transparent
  ttl ttl-dec ttl-eq ttl-gt ttl-inc ttl-lt ttl-set tunnel-dst tunnel-src type u32 uid-owner ulog-cprange
  ulog-nlgroup ulog-prefix ulog-qthreshold update update-counters update-subcounters vaddr validmark vdir vmethod
  vport vportctl vproto weekdays wscale xor-mark xor-tos zone zone-orig zone-reply
`);

/** Matches. */
export const matches = words(`
  addrtype ah bpf cgroup cluster comment connbytes connlabel connlimit connmark conntrack cpu dccp devgroup dscp
  dst ecn esp eui64 frag hashlimit hbh helper hl icmp icmp6 icmpv6 ipcomp iprange ipv6header ipvs length limit mac
  mark mh multiport nfacct osf owner physdev pkttype policy quota rateest realm recent rpfilter rt sctp set socket
  srh state statistic string tcp tcpmss time tos ttl u32 udp
`);

/** Targets besides ACCEPT, DROP and RETURN. */
export const targets = words(`
  AUDIT CHECKSUM CLASSIFY CLUSTERIP CONNMARK CONNSECMARK CT DNAT DNPT DSCP ECN HL HMARK IDLETIMER LED LOG MARK
  MASQUERADE NAT NETMAP NFLOG NFQUEUE NOTRACK QUEUE RATEEST REDIRECT REJECT SECMARK SET SNAT SNPT SYNPROXY TCPMSS
  TCPOPTSTRIP TEE TOS TPROXY TRACE TTL ULOG
`);

export const tables = words('filter nat mangle raw security');
export const builtInChains = words('PREROUTING INPUT FORWARD OUTPUT POSTROUTING');

/** The values of options that have few; a number stands for a name, too. */
const values: readonly (readonly [option: RegExp, value: RegExp])[] = [
  [/^--(?:ct)?state$/, /^(?:INVALID|ESTABLISHED|NEW|RELATED|UNTRACKED|SNAT|DNAT)$/],
  [
    /^--(?:dst|src)-type$/,
    /^(?:UNSPEC|UNICAST|LOCAL|BROADCAST|ANYCAST|MULTICAST|BLACKHOLE|UNREACHABLE|PROHIBIT|THROW|NAT|XRESOLVE)$/,
  ],
  [/^--tcp-flags$/, /^(?:SYN|ACK|FIN|RST|URG|PSH|ALL|NONE)$/],
  [
    /^(?:-p|--proto|--protocol)$/,
    /^(?:tcp|udp|udplite|icmp|ipv6-icmp|icmpv6|igmp|esp|ah|sctp|dccp|gre|mh|ipv6|ipencap|vrrp|ospf|all)$/i,
  ],
  [/^--limit$/, /^\d+(?:\/(?:s(?:ec(?:ond)?)?|m(?:in(?:ute)?)?|h(?:our)?|d(?:ay)?))?$/],
];

/** Whether an option may have these words as its value. */
export function mayHave(option: string, given: readonly string[]): boolean {
  const known = values.find(([name]) => name.test(option))?.[1];
  const all = given.flatMap((one) => one.split(','));
  return known === undefined || all.every((one) => known.test(one) || /^\d+$/.test(one));
}
