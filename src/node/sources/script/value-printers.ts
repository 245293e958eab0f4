/** Whether the output of `$(…)` is one value, or may be several words. */

import type { Shell } from '../shell/state.js';
import { readUnit } from '../shell/syntax/command.js';
import { cursorAt, SyntaxFault } from '../shell/syntax/cursor.js';
import type { Command, Word } from '../shell/syntax/tree.js';
import type { Range } from '../text/line-index.js';
import { unfilled } from '../text/placeholders.js';
import { baseName } from './paths.js';

/** Programs that scripts run for one value, which they print: an address, a number, a name, a line of a file. */
const valuePrinters = new Set(
  `awk aws base64 basename bc cast cat curl cut date dig dirname docker echo egrep expr gawk gcloud getent git grep head
  hexdump host hostname id ifconfig ip jq kubectl md5sum mktemp node nproc nslookup od openssl perl printf pwd python
  python3 readlink realpath rev sed seq sha256sum sort stat tail tr uname uniq wc wget whoami xxd yq`.split(
    /\s+/,
  ),
);
/** A line of a script that prints a flag. */
const printsFlag = /\b(?:echo|printf)\b[^\n]*--[a-z]/;

/** Whether the last command of `$(…)` prints one value: a program known for it, or a function that prints no flag. */
export function printsValue(shell: Shell, { start, end }: Range): boolean {
  const cursor = cursorAt(shell.text.slice(0, end - 1), shell.steps);
  cursor.at = start + (shell.text[start] === '`' ? 1 : 2);
  let last: Command | null = null;
  try {
    for (let next = readUnit(cursor); next !== null; next = readUnit(cursor)) last = next;
  } catch (error) {
    if (error instanceof SyntaxFault) return false;
    throw error;
  }
  return last === null || lastOf(last).every((name) => isValuePrinter(shell, name));
}

function isValuePrinter(shell: Shell, name: string): boolean {
  if (shell.memory.isFunction(name)) return !printsFlag.test(shell.text);
  return valuePrinters.has(baseName(name));
}

/** The programs of the commands whose output ends the text. */
function lastOf(command: Command): string[] {
  switch (command.type) {
    case 'simple': {
      const [first, second] = command.words.map(textOfWord);
      // `$(< FILE)` has no word.
      return [(first === 'sudo' || first === 'command' ? second : first) ?? 'cat'];
    }
    case 'and':
    case 'or':
      return [...lastOf(command.left), ...lastOf(command.right)];
    case 'sequence':
    case 'subshell':
      return command.commands.slice(-1).flatMap(lastOf);
    default:
      return [unfilled];
  }
}

function textOfWord({ parts }: Word): string {
  return parts.map((part) => (part.type === 'text' ? part.text : unfilled)).join('');
}
