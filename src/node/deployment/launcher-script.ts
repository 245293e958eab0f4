/** The launcher scripts of packages, known by what they do. */
import { basename } from 'node:path';
import { scripted } from '../kinds/find.js';
import type { Kind, ScriptedKind } from '../kinds/kind.js';
import type { Step } from '../kinds/launchers.js';
import type { LineIndex } from '../sources/text/line-index.js';

/** True for a launcher's script that builds the command line as a package's launcher does. */
export function launcherScript(kinds: readonly Kind[], { file, text }: LineIndex): boolean {
  const name = basename(file);
  const kind = scripted(kinds).find(({ launchers }) => launchers.names.includes(name));
  if (kind === undefined || setsVariables(kind, text) || addsWords(text)) return false;
  const own = flagsOf(
    [...text.matchAll(option)].map(([, words = '']) => words.replace(/\$\{(\w+)\}/g, '$$$1')),
  );
  const { launchers } = kind;
  return launchers.packages.some((from) => {
    const emitted = flagsOf(launchers.steps(name, from).flatMap(wordsOf));
    return emitted.size === own.size && [...own].every((words) => emitted.has(words));
  });
}

/** `OPTIONS="$OPTIONS --rpc"` */
const option = /^[ \t]*OPTIONS="(?:\$OPTIONS)?([^"\n]*)"/gm;
/** What a launcher adds for itself. */
const unasked = /^--(?:autorestart\.daemon\.path|log\.file) /;

/** True for a script that gives a variable of the conf another value than the conf, blanks apart. */
function setsVariables({ launchers }: ScriptedKind, text: string): boolean {
  return [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z]\w*)\+?=(.*)$/gm)].some(
    ([, name = '', value = '']) =>
      launchers.isKnownVariable(name) && !value.includes(`$${name} | tr -d "[:space:]"`),
  );
}

/** True where the program gets more words than $OPTIONS. */
function addsWords(text: string): boolean {
  return [...text.matchAll(/^(?![ \t]*OPTIONS=).*\$OPTIONS\b(.*)$/gm)].some(([, rest = '']) =>
    /(?:^|\s)(?:-|\$)/.test(rest.replace(/^"/, '').replace(/[ \t]*>.*$/, '')),
  );
}

/** Each flag with its value, without those that a launcher adds unasked. */
function flagsOf(added: readonly string[]): Set<string> {
  const flags = added.flatMap((words) => words.trim().split(/ (?=--)/));
  return new Set(flags.filter((words) => words !== '' && !unasked.test(words)));
}

function wordsOf(step: Step): string[] {
  if ('emit' in step) return [step.emit];
  return 'yes' in step ? [...step.yes, ...(step.no ?? [])].flatMap(wordsOf) : [];
}
