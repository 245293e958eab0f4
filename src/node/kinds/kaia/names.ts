/** What the launchers, their packages and their binaries are called. Imports nothing: the facts speak of them too. */

export const launchers = ['kcnd', 'kpnd', 'kend', 'kscnd', 'kspnd', 'ksend', 'kbnd'] as const;
/** The script that sources the conf and starts the node. */
export type Launcher = (typeof launchers)[number];

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
