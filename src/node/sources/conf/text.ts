/** What a conf is read from, and what is read of it. */

import type { Conf } from '../../facts/facts.js';
import type { Source } from '../../facts/settings.js';
import type { ConfShell } from '../../facts/shell.js';
import type { Span } from '../../facts/span.js';
import type { Inferred, ScriptedKind } from '../../kinds/kind.js';
import type { FlagFile } from '../argv/layers.js';
import type { Unseen } from '../argv/node.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import type { Steps } from '../text/steps.js';
import type { RawSyntaxIssue } from './decode.js';

/** The text of a conf, wherever it is written, and the launcher, environment and files that it is read with. */
export interface ConfText extends Inferred {
  readonly lineIndex: LineIndex;
  readonly syntaxIssues: readonly RawSyntaxIssue[];
  readonly kind: ScriptedKind;
  readonly env: ReadonlyMap<string, GivenVariable>;
  /** Whether nothing is known of the caller: a condition may find any variable set. */
  readonly isOpen?: boolean;
  /** The text of a file that the conf sources; null if it is not among the files. */
  readonly open?: ((path: string) => Placed | null) | undefined;
  /** Why variables may be set that neither `env` nor the text sets; null if none is. */
  readonly unseen?: Unseen | null;
  /** Variables of the packaged conf that the text is appended to. */
  readonly packaged: Readonly<Record<string, string>>;
  /** The node's own file of flags, if it was read. */
  readonly file: FlagFile | null;
  readonly source: Omit<Source, 'multiline'>;
  /** True to read the text as if it had Unix line ends. */
  readonly isRepaired?: boolean;
  /** Counts the work, together with what else is read of the file. */
  readonly steps: Steps;
}

/** A variable of the environment; value null if it cannot be known. */
export interface GivenVariable {
  readonly value: string | null;
  readonly at: Span | null;
  readonly indeterminate: string | null;
}

/** A conf is a script: beside the settings there is always the shell's side of them. */
export type ReadConf = Conf & { readonly shell: ConfShell };
