/** The scripts that read a conf and start a node, as data. */
import type { Period } from '../facts/release.js';
import type { Basis } from '../facts/settings.js';

/** A test in a launcher script, which is written in bash. */
export type LauncherTest =
  /** `[[ ! -z $X ]] && [[ $X -eq 1 ]]`: bash arithmetic, for any of the variables. */
  | 'is-one'
  /** `[ ! -z $X ]`, unquoted: the words of the value become words of the test. */
  | 'is-word'
  /** `[[ ! -z $X ]]` */
  | 'is-text'
  /** `[[ -z $X ]]` */
  | 'is-empty'
  /** `[[ $X == a || $X == b ]]` */
  | 'is-any';

/** One step of a launcher from the conf's variables to the command line. */
export type Step =
  | { readonly emit: string }
  /** X=`echo $X | tr -d "[:space:]"` */
  | { readonly strip: string }
  | { readonly refuse: string; readonly variable: string }
  | Branch;

export interface Branch {
  readonly test: LauncherTest;
  readonly variables: readonly string[];
  readonly values?: readonly string[];
  readonly yes: readonly Step[];
  readonly no?: readonly Step[];
}

/** A conf variable that carries a flag, as a switch (`RPC_ENABLE=1`) or with its value. */
export interface CarryingVariable {
  readonly name: string;
  readonly isSwitch: boolean;
}

/** A launcher and its package, and how each is known. */
export interface Inferred {
  readonly launcher: string;
  readonly by: Basis;
  readonly package: string;
  readonly packageBy: Basis;
}

export interface Launchers {
  readonly names: readonly string[];
  /** The packages that contain the launchers. Their scripts differ. */
  readonly packages: readonly string[];
  /** The launcher that reads a conf of this path; null if none does. */
  ofConf(path: string): string | null;
  /** The launcher in a file's name, such as `public.kend.conf.j2`; null if there is none. */
  inName(path: string): string | null;
  /** Which launcher a conf is for, by its path and its text. */
  infer(path: string, text: string): Inferred;
  /** Where packages install confs. */
  readonly installedConfs: readonly string[];
  /** Where the launcher of a container image looks for its conf. */
  confsInImage(launcher: string): readonly string[];
  /** Whether it is an assignment that no other program's settings have. */
  isOwn(variable: string, value: string): boolean;
  /** Variables that no other program has, for people. */
  readonly ownExamples: readonly string[];
  /** The variable whose words are appended to the command line. */
  readonly extraFlags: string;
  /** The flag in which a launcher passes its own path. */
  readonly pathFlag: string;
  /** The flags that a launcher adds for itself: no conf contains them. */
  readonly ownFlags: readonly string[];
  /** Variables that a launcher's script sets before it reads the conf. */
  presets(from: string): Readonly<Record<string, string>>;
  /** The folder without which a launcher exits, by its variable and its flag; null if the launcher does not check. */
  neededFolder(launcher: string, from: string): { readonly variable: string; readonly flag: string } | null;
  /** The variables of the network's name and id; the launcher ignores the name where the id is set. Returns null if it reads one. */
  networkVariables(
    launcher: string,
  ): { readonly name: string; readonly id: string; readonly flag: string } | null;
  /** The steps of one launcher, in the order its script takes them. */
  steps(launcher: string, from: string): readonly Step[];
  /** The variables that a launcher tests with `-eq 1`. */
  switches(launcher: string, from: string): readonly string[];
  /** Flag, without dashes → the first variable this launcher makes it from. */
  variablesByFlag(launcher: string, from: string): ReadonlyMap<string, CarryingVariable>;
  /** The variables of the conf that a package installs for a launcher. */
  packagedConf(launcher: string, from: string): Readonly<Record<string, string>>;
  /** Every variable that some launcher of some release reads. */
  readonly knownVariables: readonly string[];
  /** Whether it is a variable that a launcher reads, or that people write because they expect a launcher to read it. */
  isKnownVariable(name: string): boolean;
  /** Names that no launcher reads, each with a clause about the name that is read instead; null if there is none. */
  readonly deadVariables: Readonly<Record<string, string | null>>;
  /** Every variable that launcher of that package reads, sorted; package null: of any package. */
  readBy(launcher: string, from: string | null): readonly string[];
  /** The launchers that read it, as `kend`, or `kend (tar)` where packages differ. Returns null for an unknown name. */
  readersByName(name: string): readonly string[] | null;
  /** From the first to the last release in which some launcher reads the variable; null if none does. */
  period(name: string): Period | null;
}
