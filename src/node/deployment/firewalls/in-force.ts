/** The firewall in force in a network namespace, as programs list its rules. */
import type { PortGate, RulesInForce } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
import { closedPorts } from './closed-ports.js';
import { readListing } from './listing.js';
import { type BaseChain, Unread } from './ruleset.js';

/** The ports that the rules surely close to programs of the namespace; empty where any of them is not understood. */
export function closedBy({ isMachine, dumps }: RulesInForce): readonly PortGate[] {
  const surely = (reach: Reach): Reach => (isMachine || reach === 'loopback' ? reach : 'any');
  return closedPorts(chainsOf(dumps))
    .map((one) => ({ ...one, ipv4: surely(one.ipv4), ipv6: surely(one.ipv6) }))
    .filter(({ ipv4, ipv6 }) => ipv4 !== 'any' || ipv6 !== 'any');
}

const strings = /"[^"]*"/g;
/** A test that firewalld has for connections that rules translate; without such a rule, there are none. */
const translated = /\bct status dnat\b/g;
const translating = /\b(?:dnat|redirect|netmap|tproxy)\b/;
/** A test that TCP fails. */
const fails = 'meta l4proto udp';

/** Empty where a rule is not understood, or legacy iptables has rules: these may change what the others see. */
function chainsOf([listed, ...legacy]: RulesInForce['dumps']): readonly BaseChain[] {
  if (listed === undefined || legacy.some(({ text }) => /^-A /m.test(text))) return [];
  const bare = listed.text.replace(strings, '""').replace(translated, '');
  try {
    return readListed(translating.test(bare) ? listed.text : listed.text.replace(translated, fails));
  } catch (error) {
    if (error instanceof Unread) return [];
    throw error;
  }
}

/** Older nft comments out what it cannot name. A program that a queue asks may change a packet. */
const unsure = /#|\bqueue\b/;

/** nft 1.0.6 lists these rules without their `meta nfproto`: in a table of both families, each may be of one. */
const ofOneFamily = /^(?![^"\n]*\b(?:ip6? |nfproto)).*?(?=reject with tcp reset)/gm;

/** What `nft list ruleset` prints. @throws {Unread} where it may not print all of a rule */
export function readListed(text: string): readonly BaseChain[] {
  if (unsure.test(text.replace(strings, '""'))) throw new Unread();
  // A test that is not known keeps the rule from closing anything.
  const tables = text.split(/^(?=table )/m);
  const surely = tables.map((one) =>
    /^table inet /.test(one) ? one.replace(ofOneFamily, '$&meta mark 1 ') : one,
  );
  return readListing(surely.join(''));
}
