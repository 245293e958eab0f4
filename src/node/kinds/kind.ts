/**
 * What kaiactl knows of one kind of node, as one object. Everything outside `kinds/` gets a `Kind` passed in and names
 * none: readers ask it for flags, rules for modules, probes for methods.
 */
import type { Policy } from '../facts/policy.js';
import type { Basis, Listener, ListenerKind, Setting, Settings, StartProblem } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import type { Span } from '../facts/span.js';
import type { ExistenceMethod, ReadMethod } from './request.js';

export interface Kind {
  /** `kaia`: saved facts and reports carry it. */
  readonly id: string;
  /** For people: `Kaia node`. */
  readonly label: string;
  /** The releases whose flags and modules are known, for people: `v2.2.1`. */
  readonly releases: string;
  /** The binaries that start a node, by file name. */
  readonly programs: readonly string[];
  /** True for the words after a program's name that start a node; false for a command such as `version`. */
  startsNode(words: readonly string[]): boolean;
  /**
   * The launcher that is assumed where nothing names one. Settings name a node by its launcher, the script that starts
   * the program; the program itself counts as its launcher where the kind has no scripts.
   */
  readonly usualLauncher: string;
  /** The program that a launcher starts. */
  programOf(launcher: string): string;
  /** The launcher that starts a program; null: it is no program of this kind. */
  launcherOf(program: string): string | null;
  readonly signs: Signs;
  readonly flags: Flags;
  /** The file of flags that the node itself reads; null: this kind reads none. */
  readonly configFile: ConfigFile | null;
  /** Files and folders with keys and passwords. */
  readonly secrets: readonly Secret[];
  readonly interfaces: Interfaces;
  readonly modules: Modules;
  readonly identity: Identity;
  readonly probes: Probes;
  /** What the settings open: one listener of each kind, always all of them, in the order of `listenerKinds`. */
  listeners(start: Start): readonly Listener[];
  /** Why the node does not start with settings that its flags allow, such as an address it cannot bind. */
  startProblems(
    launcher: string,
    values: Settings['values'],
    listeners: readonly Listener[],
  ): readonly StartProblem[];
  /** The ports that peers dial, those included that the settings leave closed. */
  peerPorts(launcher: string, values: Settings['values']): readonly PeerPort[];
  /** Scripts that read a conf file and start the node; null: this kind has none. */
  readonly launchers: Launchers | null;
  /** The built-in policies, by name. */
  readonly policies: Readonly<Record<string, Policy>>;
  /** What an operator may say a node is for; the policies' names are among them. */
  readonly roles: readonly string[];
}

/** What shows that a text is about a node of this kind. */
export interface Signs {
  /** The name of a program, a launcher or an image. */
  readonly name: RegExp;
  /** The name of an image. */
  readonly image: RegExp;
  /** The name of an environment variable that only a node of this kind reads. */
  readonly variable: RegExp;
  /** A flag, with its dashes, that few other programs have. */
  readonly flag: RegExp;
  /** A program of another kind that has such flags too. */
  readonly otherProgram: RegExp;
  /** Flags that other programs have as keys of their YAML files. */
  readonly commonKeys: ReadonlySet<string>;
  /** Flags whose environment variables may belong to an application that uses the node. */
  readonly commonVariables: ReadonlySet<string>;
}

export interface ConfigFile {
  /** The flag that names it. */
  readonly flag: string;
  readonly format: 'yaml';
}

export interface Secret {
  /** The flag that names it, or the flag of the data folder. */
  readonly flag: string;
  /** Its path in the data folder, where the flag names no other; null: it has none. */
  readonly inDataFolder: string | null;
  readonly isFolder: boolean;
  /** `the node’s key` */
  readonly holds: string;
}

export interface PeerPort {
  readonly protocol: 'tcp' | 'udp';
  /** null: it cannot be known offline. */
  readonly port: number | null;
  /** The node's own default. */
  readonly fallback: number;
  /** False where the settings do not open it; no JSON-RPC goes to it either way. */
  readonly isOpen: boolean;
}

/** What a node is started with, once each flag has its value. */
export interface Start {
  readonly launcher: string;
  readonly values: Settings['values'];
  /** The words of the command line; `text` null: unknown, and then the flags it may stand for (null: any). */
  readonly words: readonly {
    readonly text: string | null;
    readonly maybe: readonly string[] | null;
    readonly indeterminate: string | null;
  }[];
  /** Where a piece of a setting's value stands. */
  locate(setting: Setting, piece: string, after: Span | null): Span | null;
}

export type FlagType =
  | 'bool'
  | 'string'
  | 'int'
  | 'int64'
  | 'uint'
  | 'uint64'
  | 'float'
  | 'duration'
  | 'path'
  | 'list'
  | 'text';

export interface Flag {
  /** First name, without dashes. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly type: FlagType;
  /** Environment variables; the first that is set is used. */
  readonly environment: readonly string[];
  /** The node's own default; null: none, or computed. */
  readonly fallback: string | null;
}

/** The flags one program accepts. */
export interface FlagSet {
  readonly flags: readonly Flag[];
  /** By name and by alias. */
  readonly byName: ReadonlyMap<string, Flag>;
  /** By environment variable. */
  readonly byEnvironment: ReadonlyMap<string, Flag>;
  /** What each flag is where nothing sets it, by its first name. */
  readonly defaults: Readonly<Record<string, Setting>>;
}

export interface Flags {
  /** The flags of one of `programs`. */
  of(program: string): FlagSet;
  /** The node's own default of a flag, whichever program has it. */
  fallback(name: string): string | null;
  /** A flag of this name that another program of this kind has; null: none has. */
  ofAnyProgram(name: string): Flag | null;
  /** The state of a switch that opens more: false for one that disables. */
  opensMore(name: string): boolean;
  /** What the value of a flag decides for an interface: an address, a list, or something else. */
  decides(name: string): 'addr' | 'api' | 'origins' | 'vhosts' | null;
  /** Switches that the node looks for among its words as they are written, whatever its flag parser makes of them. */
  readonly literal: ReadonlySet<string>;
  /** A switch and a flag that the node refuses together. */
  readonly exclusive: readonly (readonly [string, string])[];
  /** The flag of a key file, and the variable that a launcher passes for it even when it is empty. */
  readonly keyFile: { readonly flag: string; readonly variable: string | null } | null;
}

/** The flags that shape each listener, by what they decide. */
export interface ListenerFlags {
  readonly http: {
    readonly enable: string;
    readonly addr: string;
    readonly port: string;
    readonly api: string;
    readonly origins: string;
    readonly vhosts: string;
  };
  readonly ws: {
    readonly enable: string;
    readonly addr: string;
    readonly port: string;
    readonly api: string;
    readonly origins: string;
  };
  readonly grpc: { readonly enable: string; readonly addr: string; readonly port: string };
  readonly pprof: { readonly enable: string; readonly addr: string; readonly port: string };
  readonly metrics: { readonly enable: string; readonly port: string };
  readonly mainbridge: { readonly enable: string; readonly port: string };
  readonly ipc: { readonly enable: string };
}

export interface Interfaces {
  readonly flags: ListenerFlags;
  /** The port a listener has where none is set. */
  defaultPort(kind: Exclude<ListenerKind, 'ipc'>): number;
  /** The IPC socket's name in the data folder, where no flag names another. */
  readonly socketName: string;
  /** The network id that the settings choose, as net_version answers it; null: it cannot be known offline. */
  networkId(values: Settings['values']): { readonly flag: string; readonly id: string } | null;
}

/** The methods that a node of this kind is asked for. */
export interface Probes {
  /** Readers that list the node's accounts, each with the module that has it; the first that is offered is used. */
  readonly accounts: readonly { readonly module: string; readonly method: ReadMethod }[];
  /** The switch that keeps a part of debug off http and ws; null: this kind has none. */
  readonly unsafeDebug: UnsafeDebug | null;
  /** One method for each namespace that can do harm: it shows whether an unlisted namespace answers. */
  readonly namespaces: readonly ExistenceMethod[];
  /** Namespace → modules that no node with that namespace has: where one is listed, the request is spared. */
  readonly excludes: Readonly<Record<string, readonly string[]>>;
}

export interface UnsafeDebug {
  readonly flag: string;
  /** Methods of debug that the switch moves to ipc. */
  readonly moved: readonly ExistenceMethod[];
  /** The method of debug that stays whatever the switch says. */
  readonly stays: ExistenceMethod;
}

/** How a node of this kind answers. */
export interface Identity {
  /** True for a web3_clientVersion of this kind. */
  namesItself(client: string): boolean;
  /** True when a list of modules holds one that no other kind has. */
  offersOwn(modules: readonly string[]): boolean;
}

export interface Module {
  /** How bad offering it to any address is. */
  readonly severity: Severity;
  /** True when it can spend, sign, control, rewrite or read private data. */
  readonly privileged: boolean;
  /** Completes "whoever reaches it can …". */
  readonly does: string;
}

/** Modules a node has, and those it has if an indeterminate setting says so. Both sorted. */
export interface Existing {
  readonly sure: readonly string[];
  readonly maybe: readonly string[];
}

/** Which node it is, as far as a module's severity depends on it. */
export interface NodeIdentity {
  /** The id of its kind; null: not known. */
  readonly kind: string | null;
  /** null: unknown. */
  readonly launcher: string | null;
  /** How the launcher is known; `guess`: nothing says which it is. */
  readonly by?: string;
  /** One of the kind's roles; null: none was given. */
  readonly role?: string | null;
}

export interface Modules {
  /** Every namespace that has a service. */
  readonly catalogue: Readonly<Record<string, Module>>;
  /** Names that lists carry though no service answers to them, each with the reason. */
  readonly inert: Readonly<Record<string, string>>;
  /** Modules offered where no list is given. */
  readonly builtIn: readonly string[];
  /** Modules that everyone may call: what a list is reduced to. */
  readonly usual: readonly string[];
  /** Modules whose methods sign with an unlocked account, and those methods. */
  readonly signing: readonly string[];
  readonly signingMethods: readonly string[];
  /** The name a node of this kind reports for a name in a list. */
  canonical(name: string): string;
  /** Every name that a client may use for a module. */
  namesOf(name: string): readonly string[];
  /** The module that a misspelt name means; null: none is near. */
  closest(name: string): string | null;
  /** What is known of a module that no node of this kind has. */
  foreign(name: string): Pick<Module, 'severity' | 'does'>;
  /** True when the module is private; an unknown name counts as private. */
  isPrivileged(name: string): boolean;
  /** The same for known names only. */
  isKnownPrivileged(name: string): boolean;
  /** A module as it is on this node; what is not known of the node counts as the worst. null: no such module. */
  on(node: NodeIdentity, name: string): Module | null;
  /** True for modules that the program registers only under some setting of their own name. */
  needsSwitch(name: string): boolean;
  /** Modules of this list that the node may have although its launcher, which was only guessed, has not. */
  likely(node: NodeIdentity, names: readonly string[]): readonly string[];
  /** Which modules the program registers under these settings. */
  existing(launcher: string, values: Readonly<Record<string, Setting>>): Existing;
  /** What a list offers; null list: the built-in one. null: it names a module that may or may not exist. */
  offered(existing: Existing, list: readonly string[] | null): readonly string[] | null;
}

/** How a launcher decides, in the bash it is written in. */
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

/** One step of a launcher on its way from the conf's variables to the command line. */
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

/** A kind of node that is started by scripts, each of which reads a conf. */
export type ScriptedKind = Kind & { readonly launchers: Launchers };

export interface Launchers {
  readonly names: readonly string[];
  /** Which packagings there are: their scripts differ. */
  readonly packages: readonly string[];
  /** The launcher that reads a conf of this path; null: none does. */
  ofConf(path: string): string | null;
  /** The launcher in a file's name, such as `public.kend.conf.j2`; null: none. */
  inName(path: string): string | null;
  /** Which launcher a conf is for, by its path and its text. */
  infer(path: string, text: string): Inferred;
  /** Where packages install confs. */
  readonly installedConfs: readonly string[];
  /** Where the launcher of a container image looks for its conf. */
  confsInImage(launcher: string): readonly string[];
  /** True for an assignment that no other program's settings have. */
  isOwn(variable: string, value: string): boolean;
  /** Variables that no other program has, for people. */
  readonly ownExamples: readonly string[];
  /** The variable whose words are appended to the command line. */
  readonly extraFlags: string;
  /** Variables that a launcher's script sets before it reads the conf. */
  presets(from: string): Readonly<Record<string, string>>;
  /** The folder without which a launcher ends, by its variable and its flag; null: the launcher does not look. */
  neededFolder(launcher: string, from: string): { readonly variable: string; readonly flag: string } | null;
  /** The variable of the network's name, which a launcher ignores beside that of its id; null: it reads only one. */
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
  /** Every variable that some launcher reads. */
  readonly knownVariables: readonly string[];
  /** True when some launcher reads it, or people write it believing so. */
  isKnownVariable(name: string): boolean;
  /** Names that no launcher reads, each with a clause about what is read instead. */
  readonly deadVariables: Readonly<Record<string, string | null>>;
  /** Every variable that launcher of that package reads, sorted; package null: of any package. */
  readBy(launcher: string, from: string | null): readonly string[];
  /** The launchers that read it, as `kend`, or `kend (tar)` where packages differ. null: an unknown name. */
  readersByName(name: string): readonly string[] | null;
}
