/** The start of a node in a file: the result of every reader but that of confs. */
import type { ContainerPlace, OwnHop, PortHop } from '../../facts/hops.js';
import type { ReleaseRange } from '../../facts/release.js';
import type { Basis, MissingFile, SecretFile, StartProblem, UsedFile } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { Kind } from '../../kinds/kind.js';
import type { FileLayer } from '../argv/layers.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import type { Steps } from '../text/steps.js';
import type { Files } from './files.js';

/** A variable of the node's environment; value null if it cannot be known. */
export interface LaunchVariable {
  readonly value: Placed | null;
  readonly at: Span | null;
  readonly indeterminate: string | null;
}

/** Variables of the environment, by name. */
export type Environment = ReadonlyMap<string, LaunchVariable>;

/** Who can reach the ports of a container. */
export interface Container extends ContainerPlace {
  readonly published: readonly PortHop[];
}

/** What the lines of a conf are appended to. */
export type ConfBase = 'packaged' | 'unknown' | 'none';

/** How the node is started. */
export type Start =
  /** The program with these words. A placeholder makes a word, or the number of words, unknown. */
  | { readonly kind: 'binary'; readonly words: readonly Placed[] }
  /** The launcher script with a conf: these lines, after those of its base. `unknown`: a conf that is missing. */
  | { readonly kind: 'launcher'; readonly conf: Placed | null; readonly base: ConfBase };

export interface Launch {
  /** The name of the service, container or unit; null if the file starts only one. */
  readonly name: string | null;
  readonly kind: Kind;
  readonly launcher: string;
  /** How the launcher is known. */
  readonly by: Basis;
  readonly start: Start;
  readonly environment: ReadonlyMap<string, LaunchVariable>;
  /** The files it uses, without the file that starts it. */
  readonly files: readonly UsedFile[];
  /** Files that decide some of its settings and are not available. */
  readonly missing: readonly MissingFile[];
  /** A file as the node sees it: mounted, copied or written; null if it is not known. Absent: as its own file names it. */
  readonly open?: (path: string) => Placed | null;
  /** The path of a file or folder with a secret, as the node names it; null if it is not found. */
  readonly secretAt?: (path: string) => string | null;
  /** Whether what is written at a place of its file is about it. Absent: the whole file is. */
  readonly names?: (at: Span) => boolean;
  /** Secrets in objects of a cluster that it mounts. */
  readonly secrets?: readonly SecretFile[];
  /** The values of the node's own file of flags, where that file is the source. */
  readonly file?: FileLayer;
  /** Null if it runs in no container, so the bind address decides who can reach it. */
  readonly container: Container | null;
  /** What its unit puts before a port; absent if there is nothing. */
  readonly admits?: (port: number | null, host: string | null) => OwnHop | null;
  /** The calls to the running node that are among the words: it starts without them. */
  readonly called?: readonly Span[];
  /** The name of the container's image, and paths that may hold the name of a package: they tell the release. */
  readonly image?: string | null;
  readonly paths?: readonly string[];
  /** The image and its place, where its name says another kind of node; absent if it does not. */
  readonly unlike?: string;
  /** The releases whose launcher has the script that starts it. */
  readonly script?: ReleaseRange | null;
  /** The place of the start. */
  readonly at: Span;
  /** Lines of a conf that have no effect, because the program is started without its launcher. */
  readonly unread: readonly Span[];
  /** What has no effect, as the program that reads the file says; absent if there is nothing. */
  readonly warnings?: readonly StartProblem[];
  /** The condition that it depends on, as written; null if there is none. */
  readonly when: Placed | null;
  /** What is unknown and may change this reading, as of an alternative. Absent: nothing. */
  readonly unless?: string;
  /** The same node where other conditions hold. */
  readonly alternatives: readonly Launch[];
}

/** A node without a name, a launcher or a container. */
export function loneLaunch(own: Pick<Launch, 'at' | 'kind'> & Partial<Launch>): Launch {
  return {
    name: null,
    launcher: own.kind.usualLauncher,
    by: 'guess',
    start: { kind: 'binary', words: [] },
    environment: new Map(),
    files: [],
    missing: [],
    container: null,
    unread: [],
    when: null,
    alternatives: [],
    ...own,
  };
}

/** The node that is started with nothing but this file of flags. */
export function launchWithFile(kind: Kind, file: LineIndex): Launches {
  if (kind.configFile === null) return { launches: [], problems: [], notes: [] };
  const words = [`--${kind.configFile.flag}`, file.file].map((word) => Placed.for(word, file, 0, 0));
  const start = { kind: 'binary', words } as const;
  const open = () => Placed.at(file);
  const launch = loneLaunch({ kind, at: file.span({ start: 0, end: 0 }), start, open });
  return { launches: [launch], problems: [], notes: [] };
}

/** What a file is read with. */
export interface Context {
  readonly files: Files;
  /** The file before its placeholders were masked; absent if it has none. */
  readonly written?: LineIndex;
  /** The path of a text that commands write; absent for that of the file. */
  readonly path?: string;
  /** Counts the work on the whole file. */
  readonly steps: Steps;
  /** The kinds of node that the file may start. */
  readonly kinds: readonly Kind[];
}

/** The nodes that a file starts, and the parts of it that could not be read. */
export interface Launches {
  readonly launches: readonly Launch[];
  readonly problems: readonly { readonly message: string; readonly at: Span }[];
  readonly notes: readonly string[];
  /** The text of a template that was rendered, so that its placeholders have values. */
  readonly rendered?: string;
}

/** What may make more settings than are known; null if all are known. */
export function unknownSettings({ missing }: Launch): MissingFile | null {
  return missing.find(({ decides }) => decides === 'settings') ?? null;
}
