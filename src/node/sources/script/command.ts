/** A command of a container, a unit or a script, and what it sees. */
import type { Kind } from '../../kinds/kind.js';
import type { ReadRole, Scope, Unread } from '../launch/files.js';
import type { Container, LaunchVariable } from '../launch/launch.js';
import type { Placed } from '../text/placed.js';
import type { Steps } from '../text/steps.js';
import type { Action } from './followed-files.js';

export interface Command {
  /** The kinds of node that it may start. */
  readonly kinds: readonly Kind[];
  readonly name: string | null;
  /** The words of the command. If it is a shell, its script is followed. */
  readonly words: readonly Placed[];
  readonly environment: ReadonlyMap<string, LaunchVariable>;
  readonly container: Container | null;
  /** The name of the container image, whose entrypoint may start a node. */
  readonly image?: Placed | null;
  /** Ports that the container says it has. */
  readonly ports?: readonly (number | null)[];
  /** Scripts that ran before, such as RUN in a Dockerfile. */
  readonly before?: readonly Placed[];
  /** Where the files of the image come from: scripts of other stages, images and addresses. */
  readonly origins?: readonly string[];
  /** The path of the scripts that ran before, where it is known. */
  readonly self?: { readonly path: string; readonly args?: readonly Placed[] };
  /** What a tool does on the machine before it. */
  readonly actions?: readonly Action[];
  /** Commands that run before it. */
  readonly first?: readonly (readonly Placed[])[];
  /** Commands that run once the command does. */
  readonly after?: readonly (readonly Placed[])[];
  /** Health checks and probes, which run again and again. */
  readonly checks?: readonly (readonly Placed[])[];
  /** The text of a file, by the path at which the command sees it; null if nothing is mounted or copied there. */
  file?(path: string, role: ReadRole): Placed | Unread | null;
  /** The folder that relative paths start at. Default: that of the image, which is not known. */
  readonly folder?: string;
  /** The files of the deployment as this command's nodes use them. */
  readonly files: Scope;
  /** Counts the work, together with what else is read of the file. */
  readonly steps: Steps;
}
