/** Calls of JSON-RPC methods in the files of a deployment: its scripts, health checks and programs. */
import type { Caller } from '../../facts/sign.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { statementAt } from './blocks.js';
import { familyOf } from './family.js';
import { matchesIn } from './search/sign.js';

const method = '([a-z][a-z0-9]*_[a-zA-Z]\\w*)';
/** In a request, in the words of cast, and as the first argument of a function of a library. */
const requests = new RegExp(
  `\\bmethod\\\\*["']?\\s*:\\s*\\\\*["']${method}\\\\*["']|\\bcast\\s+rpc\\s+(?:\\S+\\s+){0,6}?${method}\\b|\\(\\s*["']${method}["']\\s*,\\s*\\[`,
  'g',
);
/** In a script for the console: `geth attach http://127.0.0.1:8545 --exec "personal.listAccounts"`. */
const scripts = /--exec[= ]+(["'])(.{1,2000}?)\1/g;
const inScript = /(?<![\w.])([a-z][a-z0-9]*)\.([a-z]\w*)/g;
const hint = /\bmethod\\*["']?\s*:|--exec\b|\bcast\s+rpc\b|["'][a-z]+_[a-z]+[A-Z]/;

/** Whether the text may call a method. */
export function mayCallMethod(path: string, text: string): boolean {
  return familyOf(path) !== 'document' && hint.test(text);
}

/** The calls over http and ws, in the order of their places. Those over an IPC socket are left out. */
export function callersIn(file: LineIndex): Caller[] {
  const { text } = file;
  const direct = [...matchesIn(text, requests)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    return { name, start: match.index + match[0].indexOf(name) };
  });
  const attached = [...matchesIn(text, scripts)].flatMap(({ 0: all, 2: script = '', index }) =>
    [...script.matchAll(inScript)].map(({ 1: module, 2: name, index: at }) => ({
      name: `${module}_${name}`,
      start: index + all.length - 1 - script.length + at,
    })),
  );
  return [
    ...direct.flatMap((one) => callerAt(file, one, addressOf(text, one.start) ?? anywhere)),
    ...attached.flatMap((one) => callerAt(file, one, addressOf(text, one.start))),
  ].sort((a, b) => a.at.line - b.at.line);
}

type Address = Pick<Caller, 'over' | 'port'>;
const anywhere: Address = { over: null, port: null };
const addresses = /\b(http|ws)s?:\/\/[^\s/"':]*(?::(\d+))?|\.ipc\b/g;

/** Returns null for an IPC socket, or without one. */
function callerAt(
  file: LineIndex,
  { name, start }: { readonly name: string; readonly start: number },
  address: Address | 'ipc' | null,
): Caller[] {
  if (address === null || address === 'ipc') return [];
  return [{ method: name, at: file.span({ start, end: start + name.length }), ...address }];
}

/** The address nearest to a call in its statement; null if there is none. */
function addressOf(text: string, at: number): Address | 'ipc' | null {
  const { start, end } = statementAt(text, at);
  const distance = ({ index }: { readonly index: number }) => Math.abs(start + index - at);
  const [nearest] = [...text.slice(start, end).matchAll(addresses)].sort((a, b) => distance(a) - distance(b));
  if (nearest === undefined) return null;
  const [, scheme, port] = nearest;
  if (scheme !== 'http' && scheme !== 'ws') return 'ipc';
  return { over: scheme, port: port === undefined ? null : Number(port) };
}
