/** The words of rules of nft: it loads nothing of a file with another one. nft(8), nftables 1.0.6 */
import { serviceOf } from './ranges.js';

const keywords: ReadonlySet<string> = new Set(
  `
  accept ack ackseq add addr-unreachable address-mask-reply address-mask-request admin-prohibited ah alert all and
  anycast arp assured audit avgpkt bits blackhole broadcast bulk burst bypass bytes cgroup cgroupv2 checksum
  classid code comment comp confirmed continue count counter cpi cpu crit ct cwr daddr day dccp debug default
  delete destination-unreachable device direction dnat doff dport drop dscp dst dup dying echo-reply echo-request
  ecn element emerg eol eq err esp established ether event exists expectation expected expiration exthdr fanout
  fib fin flags flow flowlabel frag frag-off from fully-random fwd ge geneve get goto gre gretap group gt hbh
  hdrlength helper hlen hoplimit hopopt host host-prohibited host-unreachable hour htype ibrname icmp icmpv6 icmpx
  id igmp iif iifgroup iifname iiftype inc ind-neighbor-advert ind-neighbor-solicit info info-reply info-request
  invalid ip ip6 ipencap ipip ipsec ipv4 ipv6 ipv6-icmp jhash jump kbytes l3proto l4proto label last le
  length level limit local log lshift lt mac map mark masquerade match max-delay maxseg mbytes meta mh minute
  missing mld-listener-done mld-listener-query mld-listener-reduction mld-listener-report mld2-listener-report mod
  mss mtu multicast name nd-neighbor-advert nd-neighbor-solicit nd-redirect nd-router-advert nd-router-solicit ne
  net-prohibited net-unreachable never new nexthdr nfproto nftrace no-route nop not notice notrack num numgen
  obrname offload offset oif oifgroup oifname oiftype operation option or original osf ospf other over
  packet-too-big packets parameter-problem persistent pkttype plen policy-fail port-unreachable prefix priority
  prohibit prot-unreachable proto-dst proto-src protocol psh ptype queue queue-threshold quota random rate
  redirect reject reject-route related reply reqid reserved reset return router-advertisement router-renumbering
  router-solicitation rshift rst rt rt0 rt2 rt4 rtclassid sack sack-perm saddr sctp sdif sdifname secmark second
  secpath seed seen-reply sequence set skgid skuid snaplen snat socket source-quench spi sport src srh state
  status symhash syn synproxy target tcp th time time-exceeded timeout timestamp timestamp-reply timestamp-request
  to tproxy transparent ttl tunnel type udp udplite unicast unreachable until untracked update urg urgptr used
  version vlan vmap vrrp vxlan warn week wildcard window with wscale xor xt zone
`
    .trim()
    .split(/\s+/),
);

/** Names that the text chooses: strings, sets, chains and interfaces. */
const names =
  /"[^"]*"|@[\w.-]+|\b(?:jump|goto) [\w.-]+|\b[io]ifname (?:[!=]= )?(?:\{ [^{}]*\}|[\w.*:-]+)|\b[io]if (?:[!=]= )?(?:\{ [^{}]*\}|[\w.*:-]+)/g;

/** A test of the header of another protocol behind one that the packet is of TCP; or an operator without a value. */
const conflict =
  /\b(?:tcp [sd]port \S|(?:protocol|nexthdr|l4proto) (?:tcp|6)\b).*\b(?:udp|udplite|sctp|dccp|icmp|icmpv6|igmp) (?:[sd]port|type|code)\b|\b(?:eq|ne|lt|gt|le|ge) (?:accept|drop|return|continue|counter|jump|goto|log|reject|comment)\b/;

/** Whether nft may load a rule: every word is a keyword or the name of a service, and its protocols agree. */
export function isLoadable(rule: string): boolean {
  const bare = rule.replace(names, ' ');
  const words = bare.match(/(?<![\w.:-])[a-z][a-z0-9_-]*(?![\w.:])/gi) ?? [];
  return words.every((one) => keywords.has(one) || serviceOf(one) !== one) && !conflict.test(bare);
}
