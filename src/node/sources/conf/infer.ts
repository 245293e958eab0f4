/** Which launcher of which package a conf belongs to, from its name, its folder and what it says. */

import { type Launcher, launchers, type Package, usualLauncher } from '../../kinds/kaia/names.js';
import { readOnlyBy } from '../../kinds/kaia/variables.js';

export interface Inferred {
  readonly launcher: Launcher;
  readonly package: Package;
  /** True when nothing says which launcher it is. */
  readonly guessed: boolean;
  /** For people: "file name, folder". */
  readonly from: string;
}

/** What is said where nothing speaks for a launcher. */
const nothing = 'default';

/** Infers what was not asked for. Without any sign: kend of the tar package. */
export function infer(
  path: string,
  text: string,
  asked: { readonly launcher?: Launcher | undefined; readonly package?: Package | undefined },
): Inferred {
  const [launcher, how] = asked.launcher ? [asked.launcher, '--launcher'] : inferLauncher(path, text);
  const [from, why] = asked.package ? [asked.package, '--package'] : inferPackage(path, text);
  const guessed = how === nothing;
  return { launcher, package: from, guessed, from: how === why ? how : `${how}, ${why}` };
}

const names = launchers.join('|');
const confName = new RegExp(`(?:^|[/\\\\.-])(${names})(?:_kairos)?(?:\\.conf)?(?:\\.|$)`);
const confFolder = new RegExp(`/(${names})(?:-[^/]*)?/(?:[^/]+/)?[^/]*$`);
const namedInComment = new RegExp(`^#[^\\n]*\\b(${names})\\b`, 'm');
const packagedFolder = new RegExp(
  `^[ \\t]*(?:export[ \\t]+)?(?:DATA_DIR|LOG_DIR)=["']?/var/(?:log/)?(${names})\\b`,
  'm',
);
const etc = new RegExp(`(?:^|/)etc/(?:${names})/conf/`);
const archive = new RegExp(`(?:^|/)(?:${names})-[^/]*/conf/`);

function inferLauncher(path: string, text: string): [Launcher, string] {
  const signs = [
    [confName, path.slice(path.lastIndexOf('/') + 1), 'file name'],
    [confFolder, path, 'folder'],
    [namedInComment, text.slice(0, 2000), 'comment in the file'],
    [packagedFolder, text, 'content'],
  ] as const;
  for (const [sign, where, how] of signs) {
    const launcher = sign.exec(where)?.[1];
    if (launcher !== undefined) return [launcher as Launcher, how];
  }
  const only = launchers.find((launcher) => ownVariables(launcher)?.test(text));
  return only === undefined ? [usualLauncher, nothing] : [only, 'content'];
}

const own = new Map<Launcher, RegExp | null>();

/** Finds an assignment of a variable that only this launcher reads; null: it has none. */
function ownVariables(launcher: Launcher): RegExp | null {
  const known = own.get(launcher);
  if (known !== undefined) return known;
  const variables = readOnlyBy(launcher);
  const sign = variables.length === 0 ? null : new RegExp(`^[ \\t]*(?:${variables.join('|')})=`, 'm');
  own.set(launcher, sign);
  return sign;
}

function inferPackage(path: string, text: string): [Package, string] {
  if (etc.test(path)) return ['rpm', 'folder'];
  if (archive.test(path)) return ['tar', 'folder'];
  if (packagedFolder.test(text)) return ['rpm', 'content'];
  return ['tar', 'default'];
}
