/** ufw: its folder, and its commands. ufw(8) */

import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { addSaved, Tables } from './iptables.js';
import { addressesOf, everywhere, ip4, ip6, portsOf, type Ranges, serviceOf, union } from './ranges.js';
import { joined, type Rule, type Ruleset, Tests, Unread } from './ruleset.js';

/** The files of a machine that decide what ufw does, by the ends of their paths. */
const files = ['default/ufw', 'ufw/ufw.conf'];
const rules = ['before', 'user', 'after'].flatMap((name) => [`ufw/${name}.rules`, `ufw/${name}6.rules`]);

/** Which file of ufw a path is; null: none. */
export function ufwFile(path: string): string | null {
  return [...files, ...rules].find((end) => `/${path}`.endsWith(`/${end}`)) ?? null;
}

/** @throws {Unread} without all of its files, or where it is not enabled */
export function readUfw(found: ReadonlyMap<string, LineIndex>): Ruleset {
  const [settings, state] = files.map((name) => found.get(name));
  if (settings === undefined || !/^ENABLED="?yes\b/m.test(state?.text ?? '')) throw new Unread();
  const [match] = [...settings.text.matchAll(/^DEFAULT_INPUT_POLICY="?(ACCEPT|DROP|REJECT)"?[ \t]*$/gm)];
  if (match === undefined) throw new Unread();
  const at = settings.span({ start: match.index, end: match.index + match[0].length });
  const policy = match[1] === 'ACCEPT' ? 'ACCEPT' : 'DROP';
  // Without IPv6, ufw drops all of it.
  const isWithoutIp6 = /^IPV6="?no\b/m.test(settings.text);
  const families = [
    { family: ip4, number: '' },
    { family: ip6, number: '6' },
  ].map(({ family, number }) => {
    const tables = new Tables(family);
    tables.declare('filter', 'INPUT', policy, at);
    if (number === '6' && isWithoutIp6) tables.declare('filter', 'INPUT', 'DROP', at);
    else
      for (const name of ['before', 'user', 'after']) {
        const file = found.get(`ufw/${name}${number}.rules`);
        if (file === undefined && name !== 'after') throw new Unread();
        if (file === undefined) continue;
        addSaved(file, tables);
        tables.command(['-A', 'INPUT', '-j', `ufw${number}-${name}-input`], at);
      }
    return tables.ruleset();
  });
  return joined(families);
}

interface Command {
  readonly words: readonly string[];
  readonly at: Span;
}

/** Commands that end with ufw enabled. @throws {Unread} where they do not, or one is not understood */
export function ufwCommands(commands: readonly Command[]): Ruleset {
  let isEnabled = false;
  let policy: { readonly verdict: 'accept' | 'drop'; readonly at: Span } | null = null;
  const rules: Rule[] = [];
  for (const { words, at } of commands) {
    const [verb = '', ...rest] = words.filter((word) => word !== '--force');
    if (verb === 'enable') isEnabled = true;
    else if (verb === 'disable' || verb === 'reset') isEnabled = false;
    else if (verb === 'default') {
      const [verdict = '', direction = 'incoming'] = rest;
      if (direction === 'incoming' || direction === 'in')
        policy = { verdict: verdict === 'allow' ? 'accept' : 'drop', at };
    } else if (/^(?:allow|limit|deny|reject)$/.test(verb)) {
      const rule = testsOf(rest)?.rule(/^[al]/.test(verb) ? 'accept' : 'drop', at);
      if (rule !== undefined) rules.push(rule);
    } else if (!/^(?:logging|reload|status|show|app|version|route)$/.test(verb)) throw new Unread();
    if (verb === 'reset') rules.length = 0;
  }
  if (!isEnabled || policy === null) throw new Unread();
  const base = { hook: 'input', priority: 0, sources: everywhere, chains: new Map() } as const;
  return { bases: [{ ...base, rules, policy: policy.verdict, at: policy.at }], translates: false };
}

/** The ports of the profiles that the package of OpenSSH has. */
const profiles: Readonly<Record<string, string>> = { OpenSSH: '22' };

/** What a rule tests: `from 10.0.0.0/8 to any port 8551 proto tcp`, `8551/tcp`; null: what the machine sends. */
function testsOf(words: readonly string[]): Tests | null {
  const tests = new Tests();
  let side = 'to';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const value = words[at + 1] ?? '';
    if (word === 'in' || word === 'log' || word === 'log-all') continue;
    if (word === 'out') return null;
    if (word === 'comment') break;
    if (/^(?:on|proto|from|to|port|app)$/.test(word)) at += 1;
    if (word === 'on') tests.holds(value === 'lo' ? false : null);
    else if (word === 'proto') tests.holds(value === 'any' || value === 'tcp');
    else if (word === 'from' || word === 'to') {
      side = word;
      const known = value === 'any' ? everywhere : addressesOf(value);
      if (known === null || (word === 'to' && value !== 'any')) tests.holds(null);
      else tests.from(known);
    } else if (word === 'port' && side === 'from') tests.holds(null);
    else {
      const [ports = '', protocol = 'tcp'] = (word === 'port' || word === 'app' ? value : word).split('/');
      to(tests, profiles[ports] ?? ports);
      tests.holds(protocol === 'tcp' || protocol === 'any');
    }
  }
  return tests;
}

function to(tests: Tests, text: string): void {
  const all = text.split(',').map((one): Ranges | null => portsOf(serviceOf(one)));
  if (all.includes(null)) tests.holds(null);
  else tests.to(union(...all.map((one) => one ?? [])));
}
