/** Signs that a text is a conf, or that it is another kind of file. */
import { jsonOf } from '../../util/json.js';
import type { Kind, ScriptedKind } from '../kinds/kind.js';

const shellish =
  /^[ \t]*(?:(?:export[ \t]+)?[A-Za-z_]\w*[ \t]?\+?=|: |true\b|(?:if|then|else|elif|fi|for|do|done|case|esac|unset|export|source|echo|set)\b|\.[ \t]|\[|\{[{%])/;

/** The share of lines that look like shell, from 0 to 1; comments and blank lines do not count. */
export function shellShare(text: string): number {
  const lines = text
    .slice(0, 65_536)
    .split('\n')
    .filter((line) => !/^[ \t\r]*(?:#|$)/.test(line));
  return lines.length === 0 ? 1 : lines.filter((line) => shellish.test(line)).length / lines.length;
}

/** `. file` or an eval may set the variables. */
export const sourcesMore = /^[ \t]*(?:\.|source|eval)[ \t]/m;

const assignment = /(?<![\w$.-])(?:\$\{)?([A-Z]\w{0,79})[ \t]?(?:\+|:)?=[ \t]*(\S*)/g;
/** The signs in the assignments of a text. */
export interface Signs {
  /** A variable that a launcher reads, or a flag's variable. */
  readonly some: boolean;
  /** A variable or a value that no other program has. */
  readonly own: boolean;
}

/** Searches a text, without its comments, for variables of the launchers and of the node. */
export function signsOf(kind: ScriptedKind, text: string): Signs {
  let some = false;
  for (const line of text.split('\n')) {
    if (/^[ \t]*#/.test(line)) continue;
    for (const [, name = '', value = ''] of line.matchAll(assignment)) {
      if (!kind.launchers.isKnownVariable(name) && !setsFlag(kind, name, value)) continue;
      some = true;
      if (kind.launchers.isOwn(name, value)) return { some, own: true };
    }
  }
  return { some, own: false };
}

/** Whether an environment variable sets a flag of the node to a valid value, such as `true`, and not to a URL. */
export function setsFlag({ flags, programOf, usualLauncher, signs }: Kind, name: string, value: string) {
  if (!signs.variable.test(name)) return false;
  const flag = flags.of(programOf(usualLauncher)).byEnvironment.get(name);
  if (flag === undefined || signs.commonVariables.has(flag.name)) return false;
  const plain = value.replace(/^(["'])(.*)\1$/, '$2');
  return flag.type === 'bool' ? /^(?:1|0|t|f|true|false)$/i.test(plain) : !/^\w+:\/\//.test(plain);
}

const yamlLine = /^[ \t]*(?:- |-$|---$|["']?[A-Za-z_][\w./-]*["']?:(?:[ \t]|$))/;
const shellLine = /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]?\+?=/;

/** The kind of file, if it is not a conf, as a clause. `named`: a launcher sources it whatever its first line says. */
export function otherKind(text: string, named: boolean): string | null {
  if (/^\s*[[{]/.test(text) && (jsonOf(text) !== undefined || /^\s*\{\s*"/.test(text))) return 'it is JSON';
  if (/^\s*<(?:\?xml|!doctype|html|[a-z]+[ >])/i.test(text)) return 'it is markup';
  if (!named && text.startsWith('#!')) return 'it is a script';
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^[ \t]*#/.test(line));
  const shell = lines.filter((line) => shellLine.test(line)).length;
  if (lines.filter((line) => yamlLine.test(line)).length > Math.max(shell, lines.length / 2))
    return 'it is YAML';
  if (/^(?:```|~~~)/m.test(text)) return 'it is Markdown';
  if (!named && yamlLine.test(lines.find((line) => !/^[ \t]*\{[{%#]/.test(line)) ?? '')) return 'it is YAML';
  return null;
}
