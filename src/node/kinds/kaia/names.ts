/** What the launchers, their packages and their binaries are called. */
import type { NodeIdentity } from '../kind.js';

/** The releases whose launchers, flags and modules are known here. */
export const knownReleases = 'v2.2.1';

export const launchers = ['kcnd', 'kpnd', 'kend', 'kscnd', 'kspnd', 'ksend', 'kbnd'] as const;
/** The script that sources the conf and starts the node. */
export type Launcher = (typeof launchers)[number];

/** What is taken where nothing says which. */
export const usualLauncher: Launcher = 'kend';

export const packages = ['tar', 'rpm'] as const;
/** Which packaging the launcher comes from: the scripts differ. */
export type Package = (typeof packages)[number];

/** What a launcher starts: its name without the d. */
export type Binary = Launcher extends infer L ? (L extends `${infer B}d` ? B : never) : never;

/** @throws {Error} for a name that is not a launcher's, which is a defect: names are checked where they come in */
export function launcherNamed(name: string): Launcher {
  const launcher = launchers.find((one) => one === name);
  if (launcher === undefined) throw new Error(`${name} is not a launcher`);
  return launcher;
}

/** @throws {Error} for a name that is not a package's, likewise */
export function packageNamed(name: string): Package {
  const known = packages.find((one) => one === name);
  if (known === undefined) throw new Error(`${name} is not a package`);
  return known;
}

/** The binary a launcher starts: kend → ken. */
export function binaryOf(launcher: Launcher): Binary {
  return launcher.slice(0, -1) as Binary;
}

/** The discovery node: other modules, other built-in list, other start. */
export function isBootNode(launcher: Launcher): boolean {
  return launcher === 'kbnd';
}

/** Consensus nodes: their votes count, and they alone have the auction. */
export function isConsensusNode(launcher: Launcher): boolean {
  return launcher === 'kcnd' || launcher === 'kscnd';
}

type Purpose = 'consensus' | 'proxy' | 'endpoint' | 'service-chain' | 'boot';

/** What an operator may say a node is for, and what that comes to; the policies' names are among them. */
export const roles: Readonly<Record<string, Purpose>> = {
  consensus: 'consensus',
  proxy: 'proxy',
  endpoint: 'endpoint',
  'service-chain': 'service-chain',
  boot: 'boot',
  cn: 'consensus',
  pn: 'proxy',
  en: 'endpoint',
  scn: 'service-chain',
  spn: 'service-chain',
  sen: 'service-chain',
  bn: 'boot',
  validator: 'consensus',
  'proxy-node': 'proxy',
  'public-en': 'endpoint',
  'internal-en': 'endpoint',
  'archive-en': 'endpoint',
  bootnode: 'boot',
};

/** Whether its votes count: as the operator says, else by its launcher; what is not known may be the worst. */
export function isValidator({ launcher, by, role = null }: NodeIdentity): boolean {
  const sure = by === 'guess' || launcher === null ? null : launcherNamed(launcher);
  const purpose = role !== null && Object.hasOwn(roles, role) ? roles[role] : null;
  if (purpose === 'consensus') return true;
  const open = purpose == null || purpose === 'service-chain';
  return sure === null ? open : isConsensusNode(sure);
}
