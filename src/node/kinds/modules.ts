/** The modules of a kind of node: what each can do, and which of them a list offers. */
import type { ReleaseFound } from '../facts/release.js';
import type { Setting } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';

export interface Module {
  /** The severity of offering it to any address. */
  readonly severity: Severity;
  /** Whether it can spend, sign, control, rewrite or read private data. */
  readonly privileged: boolean;
  /** Completes "whoever reaches it can …". */
  readonly does: string;
}

/** Modules that a node certainly has, and modules that depend on an indeterminate setting. Both sorted. */
export interface Existing {
  readonly sure: readonly string[];
  readonly maybe: readonly string[];
}

/** The properties of a node that the severity of a module depends on. */
export interface NodeIdentity {
  /** Which release it is, or may be; absent if it is not known. */
  readonly release?: ReleaseFound | null;
  /** It is null if it is unknown. */
  readonly launcher: string | null;
  /** How the launcher is known; `guess`: nothing says which it is. */
  readonly by?: string;
  /** One of the kind's roles; null if none was given. */
  readonly role?: string | null;
}

export interface Modules {
  /** Every namespace that has a service. */
  readonly catalogue: Readonly<Record<string, Module>>;
  /** Names that people list although no service answers to them, each with the reason. */
  readonly inert: Readonly<Record<string, string>>;
  /** Modules offered where no list is given. */
  readonly builtIn: readonly string[];
  /** Whether a list without a name offers every module in some releases; if not, it offers none. */
  readonly emptyMeansAll: boolean;
  /** What a list means as a whole by its first word, such as `all`; null if it means the names in it. It is absent if there is no such word. */
  listWord?(list: readonly string[]): 'all' | 'none' | null;
  /** Public modules: a fix reduces a list to them. */
  readonly usual: readonly string[];
  /** Modules whose methods sign with an unlocked account, and those methods. */
  readonly signing: readonly string[];
  readonly signingMethods: readonly string[];
  /** The name a node of this kind reports for a name in a list. */
  canonical(name: string): string;
  /** The module that a name in a list means at this release; null if there is none. */
  listed(name: string): string | null;
  /** Every name that a client may use for a module. */
  namesOf(name: string): readonly string[];
  /** The module that a misspelt name means; null if none is near. */
  closest(name: string): string | null;
  /** The severity of a module that no node of this kind has. */
  foreign(name: string): Pick<Module, 'severity' | 'does'>;
  /** Whether the module is private; an unknown name counts as private. */
  isPrivileged(name: string): boolean;
  /** The same for known names only. */
  isKnownPrivileged(name: string): boolean;
  /** A module on this node; unknown properties of the node count as the worst case. Returns null if there is no such module. */
  on(node: NodeIdentity, name: string): Module | null;
  /** The flag without which the program does not register the module; null if there is none. */
  switchOf(name: string): string | null;
  /** Modules of this list that the node has if its launcher was guessed wrongly. */
  likely(node: NodeIdentity, names: readonly string[]): readonly string[];
  /** Which modules the program registers under these settings. */
  existing(launcher: string, values: Readonly<Record<string, Setting>>): Existing;
  /**
   * The modules of which a part is served as Public, with what its callers can do; null if there are none. gRPC serves no other
   * part, and nor does a list without a name, as `probes.otherHalf` shows.
   */
  readonly publicParts: Readonly<Record<string, Pick<Module, 'severity' | 'does'>>> | null;
  /** The modules that a list offers; list null: the built-in list. Returns null where a listed module may not exist. */
  offered(existing: Existing, list: readonly string[] | null): readonly string[] | null;
}
