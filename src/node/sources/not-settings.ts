/** A file that starts no node, as its user is told. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { Kind } from '../kinds/kind.js';
import { called, type LaunchedKind } from './formats.js';
import { likelyStart } from './likely-start.js';
import { recognisable } from './recognise.js';
import type { LineIndex } from './text/line-index.js';

/** The file holds settings of no node: what a search passes over, and whoever named it has to be told. */
export class NoNode extends KaiactlError {}

/** `why`: what the file is instead. */
export function noNode(kinds: readonly Kind[], path: string, why: string): NoNode {
  const name = path === '-' ? 'stdin' : visible(path);
  return new NoNode(`${name}: not a node's settings: ${why}`, { hint: recognisable(kinds) });
}

/** Nothing was found: no node is started, or one is by words that were not followed, which must not look like none. */
export function startsNone(kinds: readonly Kind[], kind: LaunchedKind, file: LineIndex): KaiactlError {
  const at = likelyStart(kinds, file.text);
  if (at === null) return noNode(kinds, file.file, `no node is started by this ${called[kind]}`);
  const { line, column } = file.span(at);
  const program = kinds[0]?.programOf(kinds[0].usualLauncher);
  return new KaiactlError(
    `${visible(file.file)}:${line}:${column}: a node is started, or its conf is held, in a way that is not followed`,
    { hint: `Give the node's own words with --command-line '${program} …', or its conf alone.` },
  );
}
