/** What the launchers, their packages and their binaries are called. Imports nothing: the facts speak of them too. */

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

/** What is known of which kind of node it is. */
export interface NodeKind {
  /** As `kindOf` names it; null: not known. Absent: kaia. */
  readonly kind?: string | null;
  /** null: unknown. */
  readonly launcher: Launcher | null;
  /** How the launcher is known; `guess`: nothing says which it is. */
  readonly by?: string;
  /** One of `roles`; null: nobody said. */
  readonly role?: string | null;
}

/** Whether its votes count: as the operator says, else by its launcher; what is not known may be the worst. */
export function isValidator({ launcher, by, role = null }: NodeKind): boolean {
  const sure = by === 'guess' ? null : launcher;
  const purpose = role !== null && Object.hasOwn(roles, role) ? roles[role] : null;
  if (purpose === 'consensus') return true;
  const open = purpose == null || purpose === 'service-chain';
  return sure === null ? open : isConsensusNode(sure);
}
