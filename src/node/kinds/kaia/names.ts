/** The names of the launchers, their packages and their binaries. */
import type { NodeIdentity } from '../kind.js';

export const launchers = ['kcnd', 'kpnd', 'kend', 'kscnd', 'kspnd', 'ksend', 'kbnd'] as const;
/** The script that sources the conf and starts the node. */
export type Launcher = (typeof launchers)[number];

/** The launcher that is assumed where nothing names one. */
export const usualLauncher: Launcher = 'kend';

export const packages = ['tar', 'rpm'] as const;
/** The package that contains the launcher. The scripts of the packages differ. */
export type Package = (typeof packages)[number];

/** What a launcher starts: its name without the d. */
export type Binary = Launcher extends infer L ? (L extends `${infer B}d` ? B : never) : never;

/** @throws {Error} for a name that is not a launcher's, which is a defect: input is checked where it is read */
export const launcherNamed = (name: string): Launcher => oneOf(launchers, name, 'a launcher');

/** @throws {Error} for a name that is not a package's, which is a defect too */
export const packageNamed = (name: string): Package => oneOf(packages, name, 'a package');

function oneOf<T extends string>(known: readonly T[], name: string, what: string): T {
  const found = known.find((one) => one === name);
  if (found === undefined) throw new Error(`${name} is not ${what}`);
  return found;
}

/** The binary a launcher starts: kend → ken. */
export function binaryOf(launcher: Launcher): Binary {
  return launcher.slice(0, -1) as Binary;
}

/** Whether it is the discovery node, which has its own modules, built-in list and start script. */
export function isBootNode(launcher: Launcher): boolean {
  return launcher === 'kbnd';
}

/** Whether they are consensus nodes: only they vote and have the module auction. */
export function isConsensusNode(launcher: Launcher): boolean {
  return launcher === 'kcnd' || launcher === 'kscnd';
}

/** The roles that an operator may give a node, each with its purpose. The names of the policies are roles too. */
// biome-ignore format: a table, its lines filled by hand
export const roles: Readonly<Record<string, string>> = {
  consensus: 'consensus', proxy: 'proxy', endpoint: 'endpoint', 'service-chain': 'service-chain', boot: 'boot',
  cn: 'consensus', pn: 'proxy', en: 'endpoint', scn: 'service-chain', spn: 'service-chain',
  sen: 'service-chain', bn: 'boot', validator: 'consensus', 'proxy-node': 'proxy', 'public-en': 'endpoint',
  'internal-en': 'endpoint', 'archive-en': 'endpoint', bootnode: 'boot',
};

/** The purpose of the node that a launcher starts: kend → endpoint. */
export function roleOf(launcher: Launcher): string | null {
  return roles[binaryOf(launcher).slice(1)] ?? null;
}

/** Whether it is a node that votes: by its role, else by its launcher. An unknown node counts as a validator. */
export function isValidator({ launcher, by, role = null }: NodeIdentity): boolean {
  const sure = by === 'guess' || launcher === null ? null : launcherNamed(launcher);
  const purpose = role !== null && Object.hasOwn(roles, role) ? roles[role] : null;
  if (purpose === 'consensus') return true;
  const open = purpose == null || purpose === 'service-chain';
  return sure === null ? open : isConsensusNode(sure);
}
