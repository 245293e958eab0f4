/** Lists of modules, and keys of any format whose value is one with a private module. */
import type { Vocabulary } from '../vocabulary.js';
import { found } from './found.js';
import { type Sign, signAt } from './sign.js';

/** `api` in the section of a Cosmos chain's app.toml. */
const sectionKeys = /(?<=^\[json-rpc\][^[]{0,4000})^[ \t]*(api)[ \t]*=[ \t]*("[^"\n]{0,400}")/gm;
const keys =
  /(?<![\w$.{-])["']?((?:[\w.-]*[._-])?(?:rpc|http|ws|wss|json-?rpc|enabled)[._-]?(?:apis?|modules|namespaces))["']?[ \t]*[:=]\s*(\[[^\]]{0,400}\]|["'][^"'\n]{0,400}["']|[\w,]+|(?:-[ \t]*["']?\w+["']?\s+){1,30})/gi;

/** Modules of clients that are no kind, and words for all of them. */
const usual: ReadonlySet<string> = new Set(
  'all trace parity erigon ots reth rpc health proof subscribe perm'.split(' '),
);

export function keySigns(vocabulary: Vocabulary, text: string): Sign[] {
  // Looking behind each line for the section takes long.
  const inSection = text.includes('[json-rpc]') ? found(text, sectionKeys) : [];
  return [...found(text, keys), ...inSection].flatMap(({ 0: whole, 1: name = '', 2: value = '', index }) => {
    const within = { start: index, end: index + whole.length };
    return listsPrivate(vocabulary, value) ? [signAt('key', index, name, { within })] : [];
  });
}

/** True for a list of names that are all modules, at least one of them private. */
export function listsPrivate({ words }: Vocabulary, value: string): boolean {
  const kinds = words().map(({ kind }) => kind);
  const names = (value.match(/[A-Za-z][\w-]*/g) ?? []).map((name) => name.toLowerCase());
  const isModule = (name: string) =>
    usual.has(name) ||
    kinds.some(
      ({ modules: { catalogue, inert, canonical } }) =>
        Object.hasOwn(catalogue, canonical(name)) || Object.hasOwn(inert, name),
    );
  return (
    names.length > 0 &&
    names.every(isModule) &&
    names.some((name) => kinds.some(({ modules }) => modules.isKnownPrivileged(modules.canonical(name))))
  );
}
