/** The launcher scripts of a release, their confs, and what follows from their steps. */
import { once } from '../../../util/once.js';
import type { CarryingVariable, Launchers, Step } from '../kind.js';
import { infer, launcherInName, launcherOfConf } from './infer.js';
import { launcherSteps } from './launchers.js';
import {
  isBootNode,
  type Launcher,
  launcherNamed,
  launchers,
  type Package,
  packageNamed,
  packages,
} from './names.js';
import { packagedConf } from './packaged.js';
import { isOwn } from './signs.js';
import { deadVariables, isKnownVariable, knownVariables, periodOfVariable, readersAt } from './variables.js';

/** The launchers of a release. */
export function launchersAt(release: string): Launchers {
  const scripts = Object.fromEntries(
    launchers.flatMap((launcher) =>
      packages.map((from) => [`${launcher}/${from}`, scriptAt(release, launcher, from)]),
    ),
  );
  const script = (launcher: string, from: string) =>
    scripts[`${launcherNamed(launcher)}/${packageNamed(from)}`] as ReturnType<typeof scriptAt>;
  return {
    names: launchers,
    packages,
    ofConf: launcherOfConf,
    inName: launcherInName,
    infer,
    installedConfs: launchers.map((launcher) => `/etc/${launcher}/conf/${launcher}.conf`),
    confsInImage: (launcher) =>
      ['/klaytn-docker-pkg/conf', '/kaia-docker-pkg/conf', `/etc/${launcher}/conf`].map(
        (folder) => `${folder}/${launcher}.conf`,
      ),
    isOwn,
    ownExamples: ['ADDITIONAL', 'SC_SUB_BRIDGE'],
    extraFlags: 'ADDITIONAL',
    pathFlag: 'autorestart.daemon.path',
    ownFlags: ['autorestart.daemon.path', 'log.file'],
    presets: (from): Readonly<Record<string, string>> => (from === 'tar' ? { STOP_TIMEOUT: '10' } : {}),
    neededFolder: (launcher, from) =>
      from === 'rpm' || isBootNode(launcherNamed(launcher))
        ? null
        : { variable: 'DATA_DIR', flag: 'datadir' },
    networkVariables: (launcher) =>
      launcher === 'kbnd' || launcher === 'kscnd'
        ? null
        : { name: 'NETWORK', id: 'NETWORK_ID', flag: 'networkid' },
    steps: (launcher, from) => script(launcher, from).steps(),
    switches: (launcher, from) => script(launcher, from).switches(),
    variablesByFlag: (launcher, from) => script(launcher, from).variablesByFlag(),
    packagedConf: (launcher, from) => packagedConf(release, launcherNamed(launcher), packageNamed(from)),
    get knownVariables() {
      return [...knownVariables()];
    },
    isKnownVariable,
    deadVariables,
    period: periodOfVariable,
    ...readersAt(release),
  };
}

/** What is derived from a launcher's steps, each when first asked for. */
function scriptAt(release: string, launcher: Launcher, from: Package) {
  const steps = once(() => launcherSteps(release, launcher, from));
  return {
    steps,
    switches: once(() => switchesOf(steps())),
    variablesByFlag: once(() => variablesByFlag(steps())),
  };
}

/** Flag, without dashes → the first variable that a launcher of these steps makes it from. */
function variablesByFlag(steps: readonly Step[]): ReadonlyMap<string, CarryingVariable> {
  return collect(steps, null, new Map());
}

/** The variables that a launcher of these steps tests with `-eq 1`. */
function switchesOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (!('test' in step)) return [];
    const own = step.test === 'is-one' ? step.variables : [];
    return [...own, ...switchesOf(step.yes), ...switchesOf(step.no ?? [])];
  });
}

function collect(
  steps: readonly Step[],
  under: string | null,
  found: Map<string, CarryingVariable>,
): Map<string, CarryingVariable> {
  for (const step of steps) {
    if ('emit' in step) addWords(step.emit.split(' '), under, found);
    if (!('test' in step)) continue;
    collect(
      step.yes,
      step.test === 'is-one' || step.test === 'is-any' ? (step.variables[0] ?? null) : null,
      found,
    );
    collect(step.no ?? [], null, found);
  }
  return found;
}

function addWords(
  words: readonly string[],
  under: string | null,
  found: Map<string, CarryingVariable>,
): void {
  for (const [at, word] of words.entries()) {
    const flag = /^--([^=]+)$/.exec(word)?.[1];
    if (flag === undefined || found.has(flag)) continue;
    const name = /^\$(\w+)$/.exec(words[at + 1] ?? '')?.[1];
    if (name !== undefined) found.set(flag, { name, isSwitch: false });
    else if (under !== null) found.set(flag, { name: under, isSwitch: true });
  }
}
