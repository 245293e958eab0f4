/** Fixes: a sentence of advice and, where the right text is certain, edits of the source. */

import { count, joinWords } from '../../../util/words.js';
import type { PortHop } from '../../facts/hops.js';
import { publishedBy } from '../../facts/reach.js';
import type { Origin, Settings } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { RpcListener } from '../../judge/settings/listeners.js';
import { addDashes, originName, originOf, writtenName } from '../../judge/settings/setting.js';
import { addedBy, type NodeSettings, nameInEach } from '../../kinds/node.js';
import {
  addFlagInConf,
  assignInConf,
  type Edits,
  type FlagPlace,
  lineAt,
  quoteBash,
  removeFlagInConf,
  removeLinesInConf,
} from './edit-conf.js';
import { addFlagInWords, assignInWords, removeFlagInWords, replaceAt } from './edit-words.js';

/** `safe` keeps the node's start unchanged; `unsafe` changes how the node starts. */
export interface Fix {
  /** The advice: one sentence in the imperative. */
  readonly say: string;
  /** Exact replacements in the syntax of the source, made when they are shown; null if there are none, absent if they are the same. */
  readonly edits?: () => Edits;
  readonly safety: 'safe' | 'unsafe';
  /** Other fixes of the same finding; the sentence of each names its consequence. */
  readonly alternatives?: readonly Omit<Fix, 'alternatives'>[];
}

/** A fix without edits. */
export function advise(say: string): Fix {
  return { say, safety: 'unsafe' };
}

function withEdits(say: string, edits: () => Edits, safety: Fix['safety'] = 'unsafe'): Fix {
  return { say, edits, safety };
}

/** Sets a setting where the source sets it; one that it does not set is added after the setting `beside`. */
export function setTo(
  settings: NodeSettings,
  flag: string,
  value: string,
  { beside, say, safety }: { beside?: string | null; say?: string; safety?: Fix['safety'] } = {},
): Fix {
  const sentence =
    say ??
    (value === ''
      ? `Leave ${whereOf(settings, flag)} empty.`
      : `Set ${whereOf(settings, flag)} to ${value}.`);
  const isAdded = originOf(settings, flag).kind === 'default' && settings.source.kind !== 'conf';
  const name = isAdded ? nameInEach(settings, flag) : flag;
  if (name === null)
    return advise(`${sentence} Not every release that the node may be has ${addDashes(flag)}.`);
  return withEdits(
    sentence.replaceAll(addDashes(flag), addDashes(name)),
    () => assign(settings, name, value, beside ?? flag),
    safety,
  );
}

/** Sets the variable of a setting, even if a flag overrides it. */
export function setKey(settings: Settings, flag: string, value: string): Fix {
  const at = settings.keys[flag]?.alone === true ? settings.keys[flag].at : null;
  if (at === null) return advise('');
  if (settings.source.kind !== 'conf') return withEdits('', () => replaceAt(settings, at, value), 'safe');
  const text = quoteBash(value);
  return withEdits('', () => (text === null ? null : [{ at, text }]), 'safe');
}

/** Switches an interface off, or limits it with a firewall where the node has no flag for that. */
export function switchOff(settings: NodeSettings, flag: string | null): Fix {
  if (flag === null) return advise('Let a firewall pass only the requests that clients need.');
  const origin = originOf(settings, flag);
  const say = `Switch ${whereOf(settings, flag)} off.`;
  return origin.kind === 'flag'
    ? withEdits(say, () => flagRemoval(settings, origin))
    : withEdits(say, () => assign(settings, flag, origin.kind === 'environment' ? 'false' : '0', flag));
}

/** Removes a flag from the command line. */
export function removeFlag(settings: Settings, flag: string, place: FlagPlace): Fix {
  return withEdits(`Remove ${addDashes(flag)}.`, () => flagRemoval(settings, place));
}

/** Removes a flag with those that do nothing without it; only advice beside a flag that needs it. */
export function removeWhole(settings: NodeSettings, flag: string, place: FlagPlace): Fix {
  const { removed = [], need = [] } = settings.nodeKind.flags.dependents[flag] ?? {};
  const isGiven = (name: string) => (settings.values[name]?.origin.kind ?? 'default') !== 'default';
  const needing = need.filter(isGiven);
  if (needing.length > 0)
    return advise(`Remove ${addDashes(flag)}; ${joinWords(needing.map(addDashes))} cannot work without it.`);
  const others = removed.filter(isGiven);
  return combineFixes(`Remove ${joinWords([flag, ...others].map(addDashes))}.`, [
    removeFlag(settings, flag, place),
    ...others.map((name) => {
      const origin = originOf(settings, name);
      return origin.kind === 'flag' ? removeFlag(settings, name, origin) : advise('');
    }),
  ]);
}

/** Renames a flag where the source contains its name literally. */
export function renameFlag(
  settings: NodeSettings,
  { at }: FlagPlace,
  from: string,
  to: string,
  say: string,
): Fix {
  if (at === null || at.line !== at.endLine || addedBy(settings, to) !== null) return advise(say);
  return withEdits(say, () => {
    const line = lineAt(settings.source, at) ?? '';
    const start = line.indexOf(from, at.column - 1);
    if (!/^--?$/.test(line.slice(at.column - 1, start))) return null;
    return [{ at: { ...at, column: start + 1, endColumn: start + 1 + from.length }, text: to }];
  });
}

/** Deletes whole lines. `safe` if the node gets no value from them. */
export function deleteLines(
  settings: Settings,
  places: readonly Span[],
  say: string,
  safety: Fix['safety'] = 'safe',
): Fix {
  const edits = () => (settings.source.kind === 'conf' ? removeLinesInConf(settings, places) : null);
  return withEdits(say, edits, safety);
}

/** Adds a flag to the command line; only advice where a release that the node may be lacks the flag. */
export function addFlag(settings: NodeSettings, flag: string, say: string): Fix {
  const since = addedBy(settings, flag);
  if (since !== null)
    return advise(`${say} ${addDashes(flag)} came with ${since}: an older node does not start with it.`);
  return withEdits(say, () =>
    settings.source.kind === 'conf' ? addFlagInConf(settings, flag) : addFlagInWords(settings, flag),
  );
}

/** Several fixes as one; without edits if one of them has none. */
export function combineFixes(say: string, fixes: readonly Fix[], safety: Fix['safety'] = 'unsafe'): Fix {
  const edits = () => {
    const all = fixes.map((one) => one.edits?.() ?? null);
    return all.every((one) => one !== null) ? all.flat() : null;
  };
  return withEdits(say, edits, safety);
}

/** A fix with alternatives. */
export function withAlternatives(first: Fix, ...alternatives: readonly Fix[]): Fix {
  return { ...first, alternatives };
}

/** Keeps only the public modules of a list. */
export function listPublic(
  settings: NodeSettings,
  flag: string,
  list: readonly string[],
  more: { beside?: string | null; safety?: Fix['safety'] } = {},
): Fix {
  const kept = publicModules(settings, list);
  return setTo(settings, flag, kept.join(','), {
    ...more,
    say: `List only ${joinWords(kept)} in ${whereOf(settings, flag)}.`,
  });
}

/** The same for the list of an interface. The sentence names a call in the deployment that needs what is dropped. */
export function offerPublic(settings: NodeSettings, listener: RpcListener): Fix {
  const names = (listener.listed ?? []).map(({ name }) => name);
  const { api, enable } = settings.nodeKind.interfaces.flags[listener.kind];
  if (api === null) return switchOff(settings, enable);
  const fix = listPublic(settings, api, names);
  const kept = publicModules(settings, names);
  return { ...fix, say: `${fix.say}${brokenBy(settings, listener, kept)}` };
}

/** A sentence on the calls of the deployment that fail once an interface keeps only these modules; empty if there are none. */
function brokenBy(
  { callers = [], nodeKind }: NodeSettings,
  listener: RpcListener,
  kept: readonly string[],
): string {
  const { kind, port, modules, listed: list } = listener;
  const ports = [port, publishedBy(listener)?.port];
  const offered = modules ?? list?.map(({ name }) => nodeKind.modules.canonical(name)) ?? [];
  const [first, ...others] = callers.filter(({ method, over, port: asked }) => {
    const module = nodeKind.modules.canonical(method.slice(0, method.indexOf('_')));
    if ((over ?? kind) !== kind || !offered.includes(module) || kept.includes(module)) return false;
    return asked === null || port === null || ports.includes(asked);
  });
  if (first === undefined) return '';
  const { method, at } = first;
  const more = others.length === 0 ? '' : `, and ${count(others.length, 'other call')} of such methods`;
  const fails = others.length === 0 ? 'then fails' : 'then fail';
  return ` ${at.file}:${at.line} calls ${method}${more}, which ${fails} over ${kind}: use the IPC socket there.`;
}

/**
 * The public modules of a list, typos corrected. Never empty, because an empty list selects the built-in one: instead the
 * usual modules of every release that the node may be, or of the newest where nothing shows a release.
 */
function publicModules({ nodeKind, release }: NodeSettings, list: readonly string[]): string[] {
  const { modules } = nodeKind;
  const kept = list
    .flatMap((name) => modules.closest(name) ?? [])
    .filter((name) => name !== 'rpc' && !modules.isPrivileged(name));
  if (kept.length > 0) return [...new Set(kept)];
  const oldest = release === undefined || release.by === 'none' ? nodeKind : nodeKind.at(release.since);
  return modules.usual.filter((name) => oldest.modules.usual.includes(name));
}

/** Publishes a container's port on loopback only: inside the container, the node has to bind every address. */
export function publishLocally({ at, instead, remedy }: PortHop): Fix {
  const entry = instead === null || instead === '127.0.0.1' ? '' : `: ${instead}`;
  const say = remedy ?? `Publish the port only on 127.0.0.1${entry}.`;
  return instead === null ? advise(say) : withEdits(say, () => [{ at, text: instead }]);
}

/** A setting with its place: `RPC_API`, `--rpcapi in ADDITIONAL`. */
function whereOf(settings: NodeSettings, flag: string): string {
  const origin = originOf(settings, flag);
  if (origin.kind === 'flag' || origin.kind === 'environment') return originName(settings, origin);
  if (origin.kind === 'yaml' || origin.kind === 'toml') return `${origin.key ?? flag} in ${origin.path}`;
  return settings.keys[flag]?.name ?? writtenName(settings, flag);
}

function assign(settings: Settings, flag: string, value: string, beside: string): Edits {
  const [origin, near] = [originOf(settings, flag), originOf(settings, beside)];
  const { kind } = origin.kind === 'default' ? near : origin;
  if (kind === 'yaml') return assignInYaml(settings, flag, value, beside);
  if (origin.kind === 'toml') return assignInToml(settings, origin, value);
  return settings.source.kind === 'conf'
    ? assignInConf(settings, flag, value, beside)
    : assignInWords(settings, flag, value, beside);
}

function flagRemoval(settings: Settings, place: FlagPlace): Edits {
  return settings.source.kind === 'conf'
    ? removeFlagInConf(settings, place)
    : removeFlagInWords(settings, place);
}

/** Sets a setting where the file sets it. */
function assignInToml(
  { source }: Settings,
  { at }: Extract<Origin, { readonly key: unknown }>,
  value: string,
): Edits {
  if (at === null || at.line !== at.endLine || /\p{Cc}/u.test(value)) return null;
  const written = lineAt(source, at)?.slice(at.column - 1, at.endColumn - 1);
  if (written === undefined || /^(?:"""|''')/.test(written)) return null;
  return [{ at, text: asWritten(written, value) }];
}

function asWritten(written: string, value: string): string {
  if (written.startsWith('[')) {
    const items = value.split(',').filter((item) => item !== '');
    return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;
  }
  if (/^(?:true|false)$/.test(written)) return value === '0' || value === 'false' ? 'false' : 'true';
  return /^["']/.test(written) ? JSON.stringify(value) : value;
}

/** Sets a setting where the file sets it; in a flat file, one that is not set goes below the line of `beside`. */
export function assignInYaml(settings: Settings, flag: string, value: string, beside: string): Edits {
  const { source, values } = settings;
  const [origin, near] = [originOf(settings, flag), originOf(settings, beside)];
  const place = origin.kind === 'default' ? near : origin;
  const at = place.kind === 'yaml' ? place.at : null;
  if (at === null || at.line !== at.endLine || /\p{Cc}/u.test(value)) return null;
  const line = lineAt(source, at);
  if (line === undefined) return null;
  if (origin.kind === 'default') {
    if (!/^[\w.-]+:\s/.test(line)) return null;
    const end = { ...at, column: line.length + 1, endColumn: line.length + 1 };
    return [{ at: end, text: `\n${flag}: ${JSON.stringify(value)}` }];
  }
  const written = line.slice(at.column - 1, at.endColumn - 1);
  // Not an anchor, an alias, a tag, a block or a collection.
  if (/^[&*!|>{[]/.test(written)) return null;
  return [{ at, text: scalar(values[flag]?.value, value) }];
}

function scalar(old: unknown, value: string): string {
  if (typeof old === 'boolean') return value === '0' || value === 'false' ? 'false' : 'true';
  if (typeof old === 'number') return value;
  return JSON.stringify(value);
}
