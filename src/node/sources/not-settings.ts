/** A file that starts no node, as its user is told. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import { called, type LaunchedKind } from './formats.js';
import { likelyStart } from './likely-start.js';
import { recognisable } from './recognise.js';
import type { LineIndex } from './text/line-index.js';

/** The file holds settings of no node: what a search passes over, and whoever named it has to be told. */
export class NoNode extends KaiactlError {}

/** `why`: what the file is instead. */
export function noNode(path: string, why: string): NoNode {
  const name = path === '-' ? 'stdin' : visible(path);
  return new NoNode(`${name}: not a node's settings: ${why}`, { hint: recognisable });
}

/** Nothing was found: no node is started, or one is by words that were not followed, which must not look like none. */
export function startsNone(kind: LaunchedKind, file: LineIndex): KaiactlError {
  const at = likelyStart(file.text);
  if (at === null) return noNode(file.file, `no node is started by this ${called[kind]}`);
  const { line, column } = file.span(at);
  return new KaiactlError(
    `${visible(file.file)}:${line}:${column}: a node is started, or its conf is held, in a way that is not followed`,
    { hint: "Give the node's own words with --command-line 'ken …', or its conf alone." },
  );
}
