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
  const walked = once(() => [...walk(steps(), null)]);
  return {
    steps,
    /** The variables that it tests with `-eq 1`. */
    switches: once(() =>
      walked().flatMap(([step]) => ('test' in step && step.test === 'is-one' ? step.variables : [])),
    ),
    /** Flag, without dashes → the first variable that it is made from. */
    variablesByFlag: once(() => {
      const found = walked().flatMap(([step, under]) => ('emit' in step ? carried(step.emit, under) : []));
      return new Map(found.filter(([flag], at) => found.findIndex(([one]) => one === flag) === at));
    }),
  };
}

/** Every step, with the variable that switches it on; null if there is none. */
function* walk(steps: readonly Step[], under: string | null): Generator<readonly [Step, string | null]> {
  for (const step of steps) {
    yield [step, under];
    if (!('test' in step)) continue;
    const isSwitch = step.test === 'is-one' || step.test === 'is-any';
    yield* walk(step.yes, isSwitch ? (step.variables[0] ?? null) : null);
    yield* walk(step.no ?? [], null);
  }
}

function carried(emit: string, under: string | null): (readonly [string, CarryingVariable])[] {
  const words = emit.split(' ');
  return words.flatMap((word, at) => {
    const flag = /^--([^=]+)$/.exec(word)?.[1];
    const name = /^\$(\w+)$/.exec(words[at + 1] ?? '')?.[1] ?? under;
    if (flag === undefined || name === null) return [];
    return [[flag, { name, isSwitch: words[at + 1] !== `$${name}` }] as const];
  });
}
