/** The launcher scripts of packages, known by what they do, and the releases that have them. */
import { posix } from 'node:path';
import type { ReleaseRange } from '../../facts/release.js';
import { selectScripted } from '../../kinds/find.js';
import type { Kind, KindScripts, ScriptedKind } from '../../kinds/kind.js';
import type { Step } from '../../kinds/launchers.js';
import type { Unread } from '../launch/files.js';
import type { LineIndex } from '../text/line-index.js';

const { basename, dirname, join } = posix;

/** The confs that a launcher reads: of the tar package `bin/kend`, of the RPM `/etc/init.d/kend`. */
export function confsOf(script: string): string[] {
  const above = dirname(dirname(script));
  const name = basename(script);
  return [join(above, 'conf', `${name}.conf`), join(above, name, 'conf', `${name}.conf`)];
}

/** The variables of a launcher's script: as for a conf, they are empty unless the conf or the environment sets them. */
export function unsetIn(script: string, kinds: readonly KindScripts[]): Record<string, ''> {
  const known = kindOf(kinds, basename(script))?.launchers.knownVariables ?? [];
  return Object.fromEntries(known.map((variable) => [variable, '']));
}

/** The kind with a launcher of this name. */
function kindOf<K extends KindScripts>(kinds: readonly K[], launcher: string) {
  return selectScripted(kinds).find(({ launchers }) => launchers.names.includes(launcher));
}

/** The releases whose package has the launcher script that reads this conf; null if there is no such script, or an edited one. */
export function releasesBeside(
  kinds: readonly Kind[],
  conf: string,
  open: (path: string) => LineIndex | Unread,
): ReleaseRange | null {
  const name = basename(conf, '.conf');
  if (kindOf(kinds, name) === undefined) return null;
  for (const path of ['../bin', '../../init.d'].map((folder) => join(dirname(conf), folder, name))) {
    const script = open(path);
    const releases = 'problem' in script ? null : releasesOfScript(kinds, script);
    if (releases !== null) return releases;
  }
  return null;
}

/**
 * The releases whose launcher of that name builds the command line as this script does; null if it is the script of none.
 */
export function releasesOfScript(kinds: readonly Kind[], { file, text }: LineIndex): ReleaseRange | null {
  const name = basename(file);
  const kind = kindOf(kinds, name);
  if (kind === undefined || setsVariables(kind, text) || addsWords(text)) return null;
  const options = [...text.matchAll(option)].map(([, words = '']) => words.replace(/\$\{(\w+)\}/g, '$$$1'));
  const own = flagsOf(kind, options);
  const stripped = [...text.matchAll(strip)].map(([, variable = '']) => variable);
  const tested = new Set([...text.matchAll(test)].map(([, variable = '']) => variable));
  const written = [...own, ...stripped].sort().join('\n');
  const same = kind.releases.filter(({ id }) => {
    const { packages, steps, switches } = kind.at(id).launchers;
    return packages.some((from) => {
      if (!switches(name, from).every((one) => tested.has(one))) return false;
      const all = steps(name, from);
      const built = [...flagsOf(kind, all.flatMap(emittedWords)), ...all.flatMap(strippedBy)];
      return built.sort().join('\n') === written;
    });
  });
  const [since, until] = [same[0]?.id, same.at(-1)?.id];
  if (since === undefined || until === undefined) return null;
  return { value: since === until ? since : null, since, until };
}

/** X=`echo $X | tr -d "[:space:]"` */
const strip = /^[ \t]*(?:export[ \t]+)?([A-Z]\w*)=.*\| tr -d "\[:space:\]"/gm;
/** `[[ $X -eq 1 ]]` */
const test = /\$\{?(\w+)\}? -eq 1/g;
/** `OPTIONS="$OPTIONS --rpc"` */
const option = /^[ \t]*OPTIONS="(?:\$OPTIONS)?([^"\n]*)"/gm;
/** Whether this is a script that gives a variable of the conf another value than the conf, blanks apart. */
function setsVariables({ launchers }: ScriptedKind, text: string): boolean {
  return [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z]\w*)\+?=(.*)$/gm)].some(
    ([, name = '', value = '']) =>
      launchers.isKnownVariable(name) && !value.includes(`$${name} | tr -d "[:space:]"`),
  );
}

/** Whether the program gets more words than $OPTIONS. */
function addsWords(text: string): boolean {
  return [...text.matchAll(/^(?![ \t]*OPTIONS=).*\$OPTIONS\b(.*)$/gm)].some(([, rest = '']) =>
    /(?:^|\s)(?:-|\$)/.test(rest.replace(/^"/, '').replace(/[ \t]*>.*$/, '')),
  );
}

/** Each flag with its value, as often as it is added, without those that a launcher adds for itself. */
function flagsOf({ launchers }: ScriptedKind, added: readonly string[]): string[] {
  const flags = added.flatMap((words) => words.trim().split(/ (?=--)/));
  const isOwn = (words: string) => launchers.ownFlags.some((flag) => words.startsWith(`--${flag} `));
  return flags.filter((words) => words !== '' && !isOwn(words));
}

function emittedWords(step: Step): string[] {
  if ('emit' in step) return [step.emit];
  return 'yes' in step ? [...step.yes, ...(step.no ?? [])].flatMap(emittedWords) : [];
}

function strippedBy(step: Step): string[] {
  if ('strip' in step) return [step.strip];
  return 'yes' in step ? [...step.yes, ...(step.no ?? [])].flatMap(strippedBy) : [];
}
