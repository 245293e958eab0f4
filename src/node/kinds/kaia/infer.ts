/** Which launcher of which package a conf belongs to, and how that is known. */
import type { Basis } from '../../facts/settings.js';
import type { Inferred } from '../kind.js';
import { type Launcher, launchers, type Package, usualLauncher } from './names.js';
import { releases } from './releases.js';
import { isKnownVariable, readersAt } from './variables.js';

/** Without any sign: kend of the tar package, as a guess. */
export function infer(path: string, text: string): Inferred {
  const [launcher, by] = launcherOf(path, text);
  const [from, packageBy] = packageOf(path, text);
  return { launcher, by, package: from, packageBy };
}

const { readBy } = readersAt(releases.newest.id);
const names = launchers.join('|');
const ownConf = new RegExp(`(?:^|[/\\\\])(${names})(?:_kairos)?\\.conf$`);

/** The launcher that reads a conf of this path: `kend.conf`, `kend_kairos.conf`; null if none does. */
export function launcherOfConf(path: string): Launcher | null {
  return launcherIn(ownConf, path);
}

const confName = new RegExp(`(?:^|[/\\\\.-])(${names})(?:_kairos)?(?:\\.conf)?(?:\\.|$)`);
const confFolder = new RegExp(`/(${names})(?:-[^/]*)?/(?:[^/]+/)?[^/]*$`);
const namedInComment = new RegExp(`^#[^\\n]*\\b(${names})\\b`, 'm');
const packagedFolder = new RegExp(
  `^[ \\t]*(?:export[ \\t]+)?(?:DATA_DIR|LOG_DIR)=["']?/var/(?:log/)?(${names})\\b`,
  'm',
);
const etc = new RegExp(`(?:^|/)etc/(?:${names})/conf/`);
const archive = new RegExp(`(?:^|/)(?:${names})-[^/]*/conf/`);

/** The launcher that a file's own name names: `kend.conf`, `public.kend.conf`, `kend_kairos.conf.j2`; null if there is none. */
export function launcherInName(path: string): Launcher | null {
  return launcherIn(confName, path.slice(path.lastIndexOf('/') + 1));
}

function launcherIn(sign: RegExp, text: string): Launcher | null {
  return (sign.exec(text)?.[1] ?? null) as Launcher | null;
}

function launcherOf(path: string, text: string): readonly [Launcher, Basis] {
  const named = launcherInName(path);
  if (named !== null) return [named, 'name'];
  const inFolder = launcherIn(confFolder, path);
  if (inFolder !== null) return [inFolder, 'path'];
  const mentioned = launcherIn(namedInComment, text.slice(0, 2000)) ?? launcherIn(packagedFolder, text);
  return [mentioned ?? readsMost(text), 'guess'];
}

/** The launcher that reads most of the variables a text sets; of several the usual one, then the first. */
function readsMost(text: string): Launcher {
  const assigned = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z]\w*)\+?=/gm);
  const set = [...new Set([...assigned].map(([, name = '']) => name))].filter(isKnownVariable);
  const count = (launcher: Launcher) => {
    const own = readBy(launcher, null);
    return set.filter((name) => own.includes(name)).length;
  };
  return launchers.reduce((best, one) => (count(one) > count(best) ? one : best), usualLauncher);
}

function packageOf(path: string, text: string): readonly [Package, Basis] {
  if (etc.test(path)) return ['rpm', 'path'];
  if (archive.test(path)) return ['tar', 'path'];
  return [packagedFolder.test(text) ? 'rpm' : 'tar', 'guess'];
}
