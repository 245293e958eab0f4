/** The firewall in force in a network namespace, as programs list its rules. */
import type { PortGate, RulesInForce } from '../../facts/firewall.js';
import type { Reach } from '../../facts/severity.js';
import { LineIndex } from '../../sources/text/line-index.js';
import { closedPorts } from './closed-ports.js';
import { readSaved } from './iptables.js';
import { readNft } from './nft.js';
import { ip4, ip6 } from './ranges.js';
import { joinRulesets, type Ruleset, Unread } from './ruleset.js';

/** From this priority on, an input chain may see translated sources. */
const sourceTranslation = 100;

/** The ports that the rules surely close to programs of the namespace; empty where any of them is not understood. */
export function closedBy({ isMachine, dumps }: RulesInForce): readonly PortGate[] {
  const all = rulesetsOf(dumps);
  if (all === null) return [];
  const { bases, translates } = joinRulesets(all);
  const early = bases.filter(({ priority }) => priority < sourceTranslation);
  const surely = (reach: Reach): Reach => (isMachine || reach === 'loopback' ? reach : 'any');
  return closedPorts([{ bases: early, translates }])
    .filter(({ of }) => of === 'machine')
    .map((one) => ({
      ...one,
      ipv4: surely(one.ipv4),
      ipv6: surely(one.ipv6),
      // The listing is not kept, so its line numbers lead nowhere.
      by: [...new Set(one.by.map((place) => place.replace(/:\d+$/, '')))],
    }))
    .filter(({ ipv4, ipv6 }) => ipv4 !== 'any' || ipv6 !== 'any');
}

const strings = /"[^"]*"/g;
/** A test that firewalld has for connections that rules translate; without such a rule, there are none. */
const translated = /\bct status dnat\b/g;
const translating = /\b(?:dnat|redirect|netmap|tproxy)\b/i;

function rulesetsOf(dumps: RulesInForce['dumps']): Ruleset[] | null {
  const rules = dumps.map(({ text }) => text.replace(strings, '""').replace(translated, ''));
  const isTranslating = rules.some((one) => translating.test(one));
  try {
    return dumps.map(({ program, text }) => {
      const name = `${program} (rules in force)`;
      if (program === 'nft') return readListed(name, isTranslating ? text : text.replace(translated, fails));
      return readSaved(new LineIndex(name, text), program.startsWith('ip6') ? ip6 : ip4);
    });
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

/** A test that TCP fails. */
const fails = 'meta l4proto udp';

/** Older nft comments out what it cannot name. A program that a queue asks may change a packet. */
const unsure = /#|\bqueue\b/;

/** nft 1.0.6 lists these rules without their `meta nfproto`: in a table of both families, each may be of one. */
const bare = /^(?![^"\n]*\b(?:ip6? |nfproto)).*?(?=reject with tcp reset)/gm;

/** What `nft list ruleset` prints. @throws {Unread} where it may not print all of a rule */
export function readListed(name: string, text: string): Ruleset {
  if (unsure.test(text.replace(strings, '""'))) throw new Unread();
  // A test that is not known keeps the rule from closing anything.
  const tables = text.split(/^(?=table )/m);
  const surely = tables.map((one) => (/^table inet /.test(one) ? one.replace(bare, '$&meta mark 1 ') : one));
  return readNft(new LineIndex(name, surely.join('')));
}
