/** Scripts whose commands set up a firewall, one after the other. */
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { Tables, wordsOf } from './iptables.js';
import { ip4, ip6 } from './ranges.js';
import { joined, type Ruleset, Unread } from './ruleset.js';
import { ufwCommands } from './ufw.js';

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
  const isUfw = commands.every(({ program }) => program === 'ufw');
  if (isUfw) return ufwCommands(commands);
  if (!commands.every(({ program }) => /^ip6?tables$/.test(program))) throw new Unread();
  const tables = { iptables: new Tables(ip4), ip6tables: new Tables(ip6) };
  const flushed = new Set<string>();
  for (const { program, words, at } of commands) {
    const table = words[words.indexOf('-t') + 1];
    const key = `${program} ${words.includes('-t') ? table : 'filter'}`;
    // Rules that are there before could accept the packet first.
    if (/^(?:-t \w+ )?(?:-F|--flush)(?: -t \w+)?$/.test(words.join(' '))) flushed.add(key);
    else if (words.some((word) => /^(?:-[AI]|--(?:append|insert))$/.test(word)) && !flushed.has(key))
      throw new Unread();
    tables[program === 'iptables' ? 'iptables' : 'ip6tables'].command(words, at);
  }
  return joined([tables.iptables.ruleset(), tables.ip6tables.ruleset()]);
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
