/** A node as a file starts it: what every source but a conf reads out of its text. */
import type { Basis } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { Kind } from '../../kinds/kind.js';
import type { YamlLayer } from '../argv/layers.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import type { Steps } from '../text/steps.js';

/** A variable of the node's environment; value null: it cannot be known. */
export interface LaunchVariable {
  readonly value: Placed | null;
  readonly at: Span | null;
  readonly indeterminate: string | null;
}

/** One port of a container that others are let in by. */
export interface Published {
  /** The node's port. null: every port. */
  readonly port: number | null;
  /** The address others dial; '0.0.0.0' is every address. null: it cannot be known. */
  readonly host: string | null;
  /** The port others dial; null: it cannot be known. */
  readonly hostPort: number | null;
  readonly at: Span;
  /** A clause for people: "ports publishes it". */
  readonly because: string;
  /** What takes the place of the text at `at` so that this machine alone is let in; null: nothing simple. */
  readonly instead: string | null;
}

/** What lies between a container's ports and everybody else. */
export interface Container {
  readonly published: readonly Published[];
  /** Who reaches a port that nothing publishes: "other containers of its network". */
  readonly network: string;
}

/** How the node is started. */
export type Start =
  /** The binary itself, with these words. A placeholder makes a word, or their number, unknown. */
  | { readonly kind: 'binary'; readonly words: readonly Placed[] }
  /** The launcher script, which reads a conf: the packaged one, if that is the base, and then these lines. */
  | { readonly kind: 'launcher'; readonly conf: Placed | null; readonly base: 'packaged' | 'none' };

export interface Launch {
  /** Service, container or unit; null: the file starts just one. */
  readonly name: string | null;
  readonly kind: Kind;
  readonly launcher: string;
  /** How the launcher is known. */
  readonly by: Basis;
  readonly start: Start;
  readonly environment: ReadonlyMap<string, LaunchVariable>;
  /** Why more variables may be set than are known: "node.env is not read". */
  readonly unknownEnvironment?: string;
  /** What a --conf file sets, where that file is the source. */
  readonly file?: YamlLayer;
  /** null: no container, so that the bind address alone decides. */
  readonly container: Container | null;
  /** Where the launch stands. */
  readonly at: Span;
  /** Lines of a conf that nobody reads, since the binary is started itself. */
  readonly unread: readonly Span[];
  /** The condition it depends on, as it is written; null: it depends on none. */
  readonly when: Placed | null;
  /** The same node where other conditions hold. */
  readonly alternatives: readonly Launch[];
}

/** The node of a file that names neither it nor its launcher, and starts the binary in no container. */
export function loneLaunch(own: Pick<Launch, 'at' | 'kind'> & Partial<Launch>): Launch {
  return {
    name: null,
    launcher: own.kind.usualLauncher,
    by: 'guess',
    start: { kind: 'binary', words: [] },
    environment: new Map(),
    container: null,
    unread: [],
    when: null,
    alternatives: [],
    ...own,
  };
}

/** What a file is read with. */
export interface Context {
  readonly neighbours: Neighbours;
  /** Counts the work on the whole file. */
  readonly steps: Steps;
  /** The kinds of node that the file may start. */
  readonly kinds: readonly Kind[];
}

/** What a file starts, and what of it could not be read. */
export interface Launches {
  readonly launches: readonly Launch[];
  readonly problems: readonly { readonly message: string; readonly at: Span }[];
  readonly notes: readonly string[];
}

/** Files that a file names: read within limits, and by default only below the folder of the file that was asked for. */
export interface Neighbours {
  /** The text of a file, its path relative to the file that names it; or why it is not read. */
  read(path: string, from: LineIndex): LineIndex | { readonly problem: string };
}
