/** Errors for files that start no node. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { OpenSign } from '../facts/sign.js';
import type { Span } from '../facts/span.js';
import type { Kind } from '../kinds/kind.js';
import type { UnfollowedStart } from '../sources/launch/files.js';
import type { LineIndex } from '../sources/text/line-index.js';
import { recognisable } from './classify.js';
import { questionAt } from './ledger/question.js';

/** The file holds no node's settings: a search skips it, and for a file that the user named it is an error. */
export class NoNode extends KaiactlError {
  readonly file: LineIndex;

  constructor(message: string, details: string, file: LineIndex) {
    super(message, { details });
    this.file = file;
  }
}

/** `why`: what the file is instead, as a clause; `at`: the place that tells it. */
export function noNode(kinds: readonly Kind[], file: LineIndex, why: string, at?: Span): NoNode {
  const place = at === undefined ? '' : `:${at.line}:${at.column}`;
  const name = (file.file === '-' ? 'stdin' : visible(file.file)) + place;
  return new NoNode(`${name}: not a node's settings: ${why}`, recognisable(kinds), file);
}

/** A start that is not followed, or a file that is not read to its end, as an open question. `file`: the file that it is in. */
export function unfollowedStart({ name, at, reason, isCut }: UnfollowedStart, file: LineIndex): OpenSign {
  const why =
    isCut === true
      ? `the file is not read to its end: ${reason}. Correct the line, or pass the node’s command with --command-line`
      : `it seems to start a node, and is not followed: ${reason}. Pass the files it needs too, or the node’s command with --command-line`;
  return questionAt(file, at, 'unfollowed-start', name ?? file.file, why);
}
