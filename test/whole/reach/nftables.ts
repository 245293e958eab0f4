/** Generated rules of nftables on the machine of a node: a port that leads to that of the node. */
import { type Draft, indented } from './draft.js';

export function addTranslation(draft: Draft): void {
  const { random } = draft;
  const [node] = draft.ofNode;
  if (node === undefined || node.host.includes(':')) return;
  const port = draft.port();
  draft.listens(port, false, [':']);
  const isBound = /^(?:10|203)\./.test(node.host);
  const to =
    isBound && random.chance(0.7) ? `dnat to ${node.host}:${node.port}` : `redirect to :${node.port}`;
  const rules = ['type nat hook prerouting priority dstnat; policy accept;', `tcp dport ${port} ${to}`];
  const table = ['table ip nat {', '\tchain prerouting {', ...indented(rules, '\t\t'), '\t}', '}', ''];
  draft.firewall = 'nft';
  const read = random.pick(['nftables.conf', 'etc/nftables.conf', 'firewall.nft']);
  draft.write('/etc/nftables.conf', read, ['#!/usr/sbin/nft -f', 'flush ruleset', ...table].join('\n'));
}
