/**
 * The words of rules of nft that files have: it loads nothing of a file with a word that it does not know, and a file with a
 * rare one counts as not read. nft(8), nftables 1.0.6
 */
import { serviceOf } from './ranges.js';

const keywords: ReadonlySet<string> = new Set(
  `
  accept ack add address-mask-reply admin-prohibited ah all and arp broadcast burst bytes comment continue count counter ct daddr
  day debug delete destination-unreachable direction dnat dport drop dup dynamic echo-reply echo-request eq err esp established
  exists expires fib fin flags flow frag from ge goto gt hour host-prohibited host-unreachable icmp icmpv6 icmpx id igmp iif
  iifgroup iifname iiftype info invalid ip ip6 ipv4 ipv6 ipv6-icmp jump kbytes l3proto l4proto last le length level limit local
  log lt mark masquerade mbytes meta minute missing mld-listener-query mld-listener-reduction mld-listener-report
  mld2-listener-report multicast nd-neighbor-advert nd-neighbor-solicit nd-redirect nd-router-advert nd-router-solicit ne
  net-unreachable new nexthdr nfproto no-route not notice notrack num oif oifname option or original over packet-too-big packets
  parameter-problem pkttype port-unreachable prefix protocol prohibit psh queue quota random rate redirect reject related reply
  reset return rst saddr sctp second set size skgid skuid snat socket source-quench sport state status syn synproxy tcp th time
  time-exceeded timeout to tproxy transparent ttl type udp unicast untracked update urg used vmap warn week with xor xt
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
