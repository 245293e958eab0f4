/**
 * What kaiactl knows of one kind of node, as one object. Code outside `kinds/` gets a `Kind` passed in and never
 * names one: readers ask it for flags, rules for modules, probes for methods.
 */
import type { Dialect } from '../dialect/dialect.js';
import type { BuildFacts } from '../facts/live.js';
import type { Policy } from '../facts/policy.js';
import type { Period, ReleaseRange } from '../facts/release.js';
import type { Listener, Settings, StartProblem } from '../facts/settings.js';
import type { Answers } from './answers.js';
import type { Flags } from './flags.js';
import type { Interfaces, Start } from './interfaces.js';
import type { Launchers } from './launchers.js';
import type { Modules } from './modules.js';
import type { ExistenceMethod, ParameterMethod, ReadMethod } from './request.js';

export type * from './flags.js';
export type * from './interfaces.js';
export type * from './launchers.js';
export type * from './modules.js';
export type { Period };

export interface Release {
  /** `kaia/v1.0.3`: tags repeat between products. */
  readonly id: string;
  readonly product: string;
  /** `v1.0.3` */
  readonly tag: string;
}

/**
 * The flags, variables, modules and packages in some settings. Variables have their text; null if it cannot be known. Names
 * that mean nothing to any node may be among them.
 */
export type Uses = ReadonlyMap<string, string | null>;

/** The releases of a kind, and how the release of a node is known. */
export interface KindReleases {
  /** The value of `kind` in saved facts and reports: `kaia`. */
  readonly id: string;
  /** The release whose flags, variables, modules and defaults these are. */
  readonly release: Release;
  /** Every release known, in the order of the code. */
  readonly releases: readonly Release[];
  /**
   * The same kind at another release; `fork`: read as that fork, or as none for ''; absent: as now.
   * @throws {Error} for an id that none has, which is a defect
   */
  at(release: string, fork?: string): this;
  /** A range of releases in parts, oldest first: within a part nothing changes for settings with these uses. */
  parts(since: string, until: string, uses: Uses): readonly Required<Period>[];
  readonly evidence: ReleaseEvidence;
  /** False where its facts are read from its source, and no program of it was seen running. */
  readonly seenRunning: boolean;
  /** Whether forks that are not known here have a program of the same name. */
  readonly isForked: boolean;
}

/** Which words start a node, and what they and a file of flags mean. */
export interface KindWords {
  /** The binaries that start a node, by file name. */
  readonly programs: readonly string[];
  /**
   * Whether the words after a program's name start a node, which a command such as `version` does not. `oldest`: the id of
   * the oldest release that the program may be; default: of all.
   */
  startsNode(words: readonly string[], oldest?: string): boolean;
  /** Commands that start a node: with a console, `console`, or at all where the program needs one, `node`. */
  readonly consoles: readonly string[];
  /**
   * The launcher that is assumed where nothing names one. Settings name a node by its launcher, the script that starts
   * the program; the program itself counts as its launcher where the kind has no scripts.
   */
  readonly usualLauncher: string;
  /** The program that a launcher starts. */
  programOf(launcher: string): string;
  /** The launcher that starts a program; null if it is no program of this kind. */
  launcherOf(program: string): string | null;
  /** The program that build information names, whatever its file is called; null if it is no program of this kind. */
  programOfBuild(build: BuildFacts): string | null;
  /** How its programs read their words. */
  readonly dialect: Dialect;
  readonly flags: Flags;
  /** The file of flags that the node itself reads; null if this kind reads none. */
  readonly configFile: ConfigFile | null;
}

/** The interfaces that settings open, and what else they have the node do. */
export interface KindListeners {
  readonly interfaces: Interfaces;
  /** The flag that names a file with the only methods that the interfaces answer: `{"allow": ["eth_call"]}`. */
  readonly methodFilter?: string;
  /** The listeners that the kind has, in the order of `listenerKinds`; those that the settings leave closed are off. */
  listeners(start: Start): readonly Listener[];
  /** Why the node does not start with settings that its flags allow, such as an address it cannot bind. */
  startProblems(
    launcher: string,
    values: Settings['values'],
    listeners: readonly Listener[],
  ): readonly StartProblem[];
  /** The ports for peers, including those that the settings leave closed. */
  peerPorts(launcher: string, values: Settings['values']): readonly PeerPort[];
  /** Files and folders with keys and passwords. */
  readonly secrets: readonly Secret[];
}

/** What callers can do. */
export interface KindModules {
  readonly modules: Modules;
}

/** What a node is asked, and how it answers. */
export interface KindProbes {
  readonly identity: Identity;
  readonly probes: Probes;
  /** What the simulator answers as a node with these settings. */
  answers(settings: Settings): Promise<Answers>;
}

/** The scripts that start a node, and the roles that they give it. */
export interface KindScripts {
  /** Scripts that read a conf file and start the node; null if this kind has none. */
  readonly launchers: Launchers | null;
  /** The built-in policies, by name. */
  readonly policies: Readonly<Record<string, Policy>>;
  /** Roles that an operator may give a node; they include the names of the policies. */
  readonly roles: readonly string[];
  /** The role of the node that a launcher starts; null if the launcher tells none. */
  roleOf(launcher: string): string | null;
}

/** A kind of node at one of its releases. Whoever reads it takes the part that answers its question. */
export interface Kind extends KindReleases, KindWords, KindListeners, KindModules, KindProbes, KindScripts {
  /** For people: `Kaia node`. */
  readonly label: string;
  readonly signs: Signs;
}

/** What a kind can do, of which a rule may need some: it never asks who the kind is. */
export type Capabilities = KindListeners &
  KindModules &
  KindProbes &
  Pick<KindWords, 'flags' | 'configFile'> &
  Pick<KindScripts, 'launchers'>;

/** A kind of node that is started by scripts, each of which reads a conf. */
export type ScriptedKind = Kind & { readonly launchers: Launchers };

/** A program that writes a deployment of nodes. */
export interface Generator {
  readonly program: string;
  /** Its command in a text. */
  readonly command: RegExp;
  /** The name of the file that starts the nodes. */
  readonly file: string;
  /** This file, by the words after the program; null if they write another deployment, whose files are not known. */
  output(words: readonly string[]): { readonly path: string; readonly text: string } | null;
}

/** What shows that a text is about a node of this kind. */
export interface Signs {
  /** The name of a program, a launcher or an image. */
  readonly name: RegExp;
  /** The name of an image. */
  readonly image: RegExp;
  /** The published image, if it starts the node by itself, and what its entrypoint puts before the words of a command. */
  readonly entrypoint: { readonly image: RegExp; readonly words: readonly string[] } | null;
  /** Programs of its images that are no node and open no RPC interface; absent if there is none. */
  readonly tools?: readonly string[];
  /** The name of an environment variable that only a node of this kind reads. */
  readonly variable: RegExp;
  /** The program that writes a deployment of nodes when it runs; null if there is none. */
  readonly generator: Generator | null;
  /** A flag, with its dashes, that few other programs have. */
  readonly flag: RegExp;
  /** A word that shows, beside such a flag, that no other program is meant; null if the flag is enough. */
  readonly besideFlag: RegExp | null;
  /** A program of another kind that has such flags too. */
  readonly otherProgram: RegExp;
  /** Flags that other programs have as keys of their YAML files. */
  readonly commonKeys: ReadonlySet<string>;
  /** Flags whose environment variables may belong to an application that uses the node. */
  readonly commonVariables: ReadonlySet<string>;
}

export type ConfigFile = YamlFile | TomlFile | FlagFile;

interface NamedFile {
  /** The flag that names it. */
  readonly flag: string;
  /** What of it counts for a program at this release. */
  reads(program: string): ConfigFileReading;
}

/** Its keys are the names of the flags. */
export interface YamlFile extends NamedFile {
  readonly format: 'yaml';
}

/**
 * Its keys are the names of the flags, flat or nested at dots, and its values are read as those of the command line. It is
 * YAML, or TOML where its name ends so.
 */
export interface FlagFile extends NamedFile {
  readonly format: 'flags';
}

/** Its keys are the names of the program's own fields. */
export interface TomlFile extends NamedFile {
  readonly format: 'toml';
  /** `Node.HTTPHost` → `http.addr`. */
  readonly keys: ReadonlyMap<string, string>;
  /** Every key that the program has. */
  readonly names: ReadonlySet<string>;
  /** Whether it is a key or a section that the program does not have: the node does not start, with its header alone too. */
  isRefused(key: string): boolean;
  /**
   * The flag of an address → the switch that the address turns on in this file. Over the file, neither flag counts unless
   * the switch is given and on.
   */
  readonly switches: ReadonlyMap<string, string>;
  /** Whether an address in this file counts over a flag, although the switch is given and on. */
  readonly keepsAddress: boolean;
}

export type ConfigFileReading = 'all' | 'switches' | 'nothing';

export interface Secret {
  /** The flag that names it, or the flag of the data folder. */
  readonly flag: string;
  /** Its path in the data folder, where the flag names no other; null if it has none. */
  readonly inDataFolder: string | null;
  readonly isFolder: boolean;
  /** `the node’s key` */
  readonly holds: string;
  /** The interface that lets in whoever has it. */
  readonly opens?: 'authrpc';
  /** Whether it is a content that public repositories print; absent if the content is never read. */
  isPublic?(text: string): boolean;
}

/** Evidence of a release; null if it shows no release of this kind. */
export interface ReleaseEvidence {
  /** A version as people write it, with or without the product: `v1.12.1`, `kaia/v1.0.0`. */
  ofVersion(text: string): ReleaseRange | null;
  /** The name of an image, with registry, tag and digest. */
  ofImage(reference: string): ReleaseRange | null;
  /** A path with the name of a package or of its folder in it. */
  ofPackage(path: string): ReleaseRange | null;
  /** An answer to web3_clientVersion. */
  ofClient(client: string): ReleaseRange | null;
  /** The build information of the program. */
  ofBuild(build: BuildFacts): ReleaseRange | null;
  /** The name of a variable of the environment, or of a module in a list. */
  ofName(name: string): ReleaseRange | null;
  /** A flag that only a fork has. */
  ofFlag(name: string): ReleaseRange | null;
  /** The values of variables: a launcher of another release refuses them. */
  ofUses(uses: Uses): ReleaseRange | null;
}

export interface PeerPort {
  readonly protocol: 'tcp' | 'udp';
  /** It is null if it cannot be known offline. */
  readonly port: number | null;
  /** The node's own default. */
  readonly fallback: number;
  /** False where the settings do not open it. JSON-RPC is never sent to it. */
  readonly isOpen: boolean;
}

/** The methods that probes call on a node of this kind. */
export interface Probes {
  /**
   * Methods that list the node's accounts, each with its module, and the error code of a release that has none to list. The
   * first whose module is offered is called.
   */
  readonly accounts: readonly {
    readonly module: string;
    readonly method: ReadMethod;
    readonly none?: number;
  }[];
  /** The method that tells which accounts are unlocked, asked over ipc only; null if this kind has none. */
  readonly wallets: { readonly module: string; readonly method: ReadMethod } | null;
  /** The switch that keeps a part of debug off http and ws; null if this kind has none. */
  readonly unsafeDebug: UnsafeDebug | null;
  /** One method for each dangerous namespace: it shows whether an unlisted namespace answers. */
  readonly namespaces: readonly ExistenceMethod[];
  /** Whether the node refuses {} before a method runs. If not, it is sent none, and `parameterMethods` take their place. */
  readonly refusesNamedParameters: boolean;
  /** Read-only methods, one for each namespace, that the node refuses without their parameters before they run. */
  readonly parameterMethods: readonly ParameterMethod[];
  /** A method that only reads, and is not in the half of its module that a list without a name offers; null if there is none. */
  readonly otherHalf: ExistenceMethod | null;
  /** Namespace → modules that exclude it: where one of them is listed, the namespace is not asked for. */
  readonly excludes: Readonly<Record<string, readonly string[]>>;
  /** Whether the node writes a warning to its log for each existence probe. */
  readonly logged: boolean;
}

export interface UnsafeDebug {
  readonly flag: string;
  /** False where the switch removes the methods from ipc too. */
  readonly keepsIpc: boolean;
  /** Methods of debug that the switch takes off http and ws. */
  readonly moved: readonly ExistenceMethod[];
  /** The method of debug that stays whatever the switch says. */
  readonly stays: ExistenceMethod;
}

/** How a node of this kind answers. */
export interface Identity {
  /** What web3_clientVersion answers. */
  readonly client: RegExp;
  /** Modules that no other kind has. */
  readonly ownModules: readonly string[];
  /** The ids of chains whose nodes are of this kind, where their answers name a kind with the same program. */
  readonly chains: readonly string[];
}
