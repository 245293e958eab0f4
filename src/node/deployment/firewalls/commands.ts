/** Scripts whose commands set up a firewall, one after the other: those of iptables, and those of ufw. ufw(8) */
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { Iptables, unsure, wordsOf } from './iptables.js';
import { ip4, ip6, portsOf, serviceOf } from './ranges.js';
import { joinRulesets, type Ruleset, Unread } from './ruleset.js';
import { Tables } from './tables.js';

interface Command {
  readonly program: string;
  readonly words: readonly string[];
  readonly at: Span;
}

const programs = /\b(?:ufw|ip6?tables(?:-\w+)*|nft|firewall-cmd)\b/;
/** What may skip a command, repeat it, or take its words from elsewhere. */
const branches =
  /\b(?:if|then|else|elif|fi|for|while|until|case|esac|do|done|select|function|exit|return|exec|source|trap|eval|alias)\b|\(\)|<<|&&|\|\||^\.|[{}]/;
/** Commands that name a firewall and change no rule. */
const inert =
  /^(?:sudo )?(?:apt|apt-get|dnf|yum|echo|systemctl (?:enable|start|restart|reload))(?: [\w".:,-]+)*$/;
const special = /[$`|&;<>(){}*?~[\]\\]/;

/** @throws {Unread} where the commands are not a straight sequence of literal words */
export function readCommands(file: LineIndex): Ruleset {
  const commands = commandsIn(file);
  if (commands.every(({ program }) => program === 'ufw')) return ufwOf(commands);
  if (!commands.every(({ program }) => /^ip6?tables$/.test(program))) throw new Unread();
  const families = { iptables: new Iptables(ip4), ip6tables: new Iptables(ip6) };
  const flushed = new Set<string>();
  for (const { program, words, at } of commands) {
    const table = words[words.indexOf('-t') + 1];
    const key = `${program} ${words.includes('-t') ? table : 'filter'}`;
    // Rules that are there before could accept the packet first.
    if (/^(?:-t \w+ )?(?:-F|--flush)(?: -t \w+)?$/.test(words.join(' '))) flushed.add(key);
    else if (words.some((word) => /^(?:-[AI]|--(?:append|insert))$/.test(word)) && !flushed.has(key))
      throw new Unread();
    families[program === 'iptables' ? 'iptables' : 'ip6tables'].command(words, at);
  }
  return joinRulesets(Object.values(families).map(({ tables }) => tables.ruleset()));
}

function commandsIn(file: LineIndex): Command[] {
  const commands: Command[] = [];
  let start = 0;
  for (const line of file.text.split('\n')) {
    const at = file.span({ start, end: start + line.trimEnd().length });
    start += line.length + 1;
    const text = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .replace(/^(?:echo ["']?y(?:es)?["']?|yes) \| (?=(?:sudo )?ufw )/, '');
    if (text === '') continue;
    const [, program] = /^(?:sudo )?(?:\/usr)?(?:\/s?bin\/)?(ufw|ip6?tables)(?= )/.exec(text) ?? [];
    if (program !== undefined) {
      if (special.test(text)) throw new Unread();
      const words = wordsOf(text);
      commands.push({ program, words: words.slice(words.findIndex((one) => one.endsWith(program)) + 1), at });
    } else if ((programs.test(text) && !inert.test(text)) || branches.test(text)) throw new Unread();
  }
  return commands;
}

/** Commands that end with ufw enabled. @throws {Unread} where they do not, or one is not understood */
function ufwOf(commands: readonly Command[]): Ruleset {
  const tables = new Tables();
  const chain = tables.table('inet ufw').chain('input');
  let isEnabled = false;
  for (const { words, at } of commands) {
    const [verb = '', ...rest] = words.filter((word) => word !== '--force');
    if (verb === 'enable') isEnabled = true;
    else if (verb === 'disable' || verb === 'reset') isEnabled = false;
    else if (verb === 'default') {
      const [verdict = '', direction = 'incoming'] = rest;
      if (direction !== 'incoming' && direction !== 'in') continue;
      chain.base = { hook: 'input', priority: 0, at };
      chain.policy = verdict === 'allow' ? 'accept' : 'drop';
    } else if (/^(?:allow|limit|deny|reject)$/.test(verb)) {
      const tests = ufwTests(rest);
      if (tests !== null)
        chain.rules.push({ text: `${tests} ${/^[al]/.test(verb) ? 'accept' : 'drop'}`, at });
    } else if (!/^(?:logging|reload|status|show|app|version|route)$/.test(verb)) throw new Unread();
    if (verb === 'reset') chain.rules.length = 0;
  }
  if (!isEnabled || chain.base === null) throw new Unread();
  return tables.ruleset();
}

/** What a rule tests, in the words of nft: `from 10.0.0.0/8 to any port 8551 proto tcp`, `8551/tcp`; null: what the machine sends. */
function ufwTests(words: readonly string[]): string | null {
  const tests: string[] = [];
  let side = 'to';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const value = words[at + 1] ?? '';
    if (word === 'in' || word === 'log' || word === 'log-all') continue;
    if (word === 'out') return null;
    if (word === 'comment') break;
    if (/^(?:on|proto|from|to|port|app)$/.test(word)) at += 1;
    if (word === 'on') tests.push(`iifname "${value}"`);
    else if (word === 'proto') tests.push(value === 'any' ? '' : `meta l4proto ${value}`);
    else if (word === 'from' || word === 'to') {
      side = word;
      const isAddress = word === 'from' && /^[\d.:a-f/]+$/i.test(value);
      if (value !== 'any')
        tests.push(isAddress ? `${value.includes(':') ? 'ip6' : 'ip'} saddr ${value}` : unsure);
    } else if (word === 'port' && side === 'from') tests.push(unsure);
    else {
      const [ports = '', protocol = 'any'] = (word === 'port' || word === 'app' ? value : word).split('/');
      const known = ports.replace(/^OpenSSH$/, '22');
      const isKnown = known.split(',').every((one) => portsOf(serviceOf(one)) !== null);
      tests.push(isKnown ? `tcp dport { ${known} }` : unsure);
      if (protocol !== 'any') tests.push(`meta l4proto ${protocol}`);
    }
  }
  return tests.filter((one) => one !== '').join(' ');
}
