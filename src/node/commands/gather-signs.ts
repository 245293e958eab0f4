/** The signs in the files of targets: calls, forwards, and starts that no target accounts for. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { mayForward } from '../deployment/forwards.js';
import { callersIn } from '../deployment/ledger/callers.js';
import type { Relayed } from '../deployment/ledger/relays.js';
import { writesScript } from '../deployment/ledger/scripts.js';
import { NoNode } from '../deployment/not-settings.js';
import type { Facts } from '../facts/facts.js';
import type { Settings } from '../facts/settings.js';
import type { Caller } from '../facts/sign.js';
import type { Editables } from '../sources/text/editable.js';
import { LineIndex } from '../sources/text/line-index.js';
import { Ledger } from './unaccounted.js';

/** One file: a target for each node that it starts. */
export interface Gathered {
  readonly targets: readonly Facts[];
  /** Why the file or a part of it could not be read. If nothing could be read, the facts of the target hold it too. */
  readonly problems: readonly KaiactlError[];
  readonly notes: readonly string[];
  /** The files whose edits can be tried. It is absent if there is none. */
  readonly editables?: Editables | undefined;
}

export function withCallers(found: Gathered, callers: readonly Caller[]): Gathered {
  if (callers.length === 0) return found;
  return { ...found, targets: found.targets.map((facts) => ({ ...facts, callers })) };
}

export function withRelays(found: Gathered, relaysOf: (settings: Settings) => Relayed): Gathered {
  const targets = found.targets.map((facts) => {
    if (facts.conf?.state !== 'seen') return facts;
    const { signs, hops } = relaysOf(facts.conf.value.settings);
    return {
      ...facts,
      ...(signs.length === 0 ? {} : { signs: [...(facts.signs ?? []), ...signs] }),
      ...(hops.length === 0 ? {} : { hops }),
    };
  });
  return { ...found, targets };
}

/** A file that was named by itself: with the signs that the targets of the file do not account for. */
export async function withSigns(found: Gathered, host: Host): Promise<Gathered> {
  const { targets, problems } = found;
  const [problem] = problems;
  const file = problem instanceof NoNode ? problem.file : problem === undefined ? indexLines(targets) : null;
  if (file === null) return found;
  const own = withCallers(found, callersIn(file));
  const relayed = mayForward(file.text, file.file) ? await withOwnRelays(own, file) : own;
  const keyOf = (path: string) => resolve(host.cwd, path);
  const isBeside = (tail: string) => existsSync(resolve(dirname(keyOf(file.file)), basename(tail)));
  const holds = (tail: string) => isBeside(tail) || writesScript(file.text, tail);
  const ledger = new Ledger({ keyOf, holds }, host.cwd);
  if (problem === undefined) ledger.add(targets);
  const open = await ledger.open(file, new Date(host.now()).toISOString());
  if (open.targets.length + open.notes.length === 0) return relayed;
  const notes = [...found.notes, ...open.notes];
  return problem === undefined
    ? { ...found, targets: [...relayed.targets, ...open.targets], notes }
    : { targets: open.targets, problems: [], notes };
}

async function withOwnRelays(found: Gathered, file: LineIndex): Promise<Gathered> {
  const { relaysIn, relaysOf } = await import('../deployment/ledger/relays.js');
  const { relays } = relaysIn([file]);
  return withRelays(found, (settings) => relaysOf(settings, relays));
}

function indexLines(targets: readonly Facts[]): LineIndex | null {
  const first = targets.find(({ conf }) => conf?.state === 'seen')?.conf;
  if (first?.state !== 'seen') return null;
  const { path, lines } = first.value.settings.source;
  return new LineIndex(path, lines.join('\n'));
}
