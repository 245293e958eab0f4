/** Settings in any format: variables that open an interface of a node, and keys whose value is a list with a private module. */
import type { Vocabulary } from '../vocabulary.js';
import { matchesIn, type Sign, signAt } from './sign.js';

/** `api` in the section of a Cosmos chain's app.toml. */
const sectionKeys = /(?<=^\[json-rpc\][^[]{0,4000})^[ \t]*(api)[ \t]*=[ \t]*("[^"\n]{0,400}")/gm;
const keys =
  /(?<![\w$.-]|[$#{]\{)["']?((?:[\w.-]*[._-])?(?:rpc|http|ws|wss|json-?rpc|enabled)[._-]?(?:apis?|modules|namespaces))["']?(?:[ \t]*[:=]|,?\s+["']?value["']?:)\s*(\[[^\]]{0,400}\]|["'][^"'\n]{0,400}["']|[\w,]+|(?:-[ \t]*["']?\w+["']?\s+){1,30})/gi;

/** Modules of clients that are no kind, and words for all of them. */
const usual: ReadonlySet<string> = new Set(
  'all trace parity erigon ots reth rpc health proof subscribe perm'.split(' '),
);

export function keySigns(vocabulary: Vocabulary, text: string): Sign[] {
  // Looking behind each line for the section takes long.
  const inSection = text.includes('[json-rpc]') ? matchesIn(text, sectionKeys) : [];
  return [...matchesIn(text, keys), ...inSection].flatMap(
    ({ 0: whole, 1: name = '', 2: value = '', index }) => {
      const within = { start: index, end: index + whole.length };
      return listsPrivate(vocabulary, value) ? [signAt('key', index, name, { within })] : [];
    },
  );
}

/** Whether the names of a list are all modules, at least one of them private. */
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

/** Variables of a node's own; of those that other programs have too, two of one interface, or a list with a private module. */
export function variableSigns(vocabulary: Vocabulary, text: string): Sign[] {
  const { variable, words } = vocabulary;
  const all = [...matchesIn(text, variable())].filter(
    ([, , value = '']) => value.trim() !== '' && !/^["']?\w+:\/\//.test(value),
  );
  const groupOf = (name: string) => name.slice(0, name.indexOf('_'));
  const names = new Set(all.map(([, name = '']) => name));
  const isPair = (one: string) => {
    const group = [...names].filter((name) => groupOf(name) === groupOf(one));
    return group.length > 1 && group.some((name) => /_(?:ENABLE|API)$/.test(name));
  };
  return all.flatMap(({ 0: whole, 1: name = '', 2: value = '', index }): Sign[] => {
    const own = words().find(({ kind }) => kind.signs.variable.test(name));
    if (own === undefined && !isPair(name) && !listsPrivate(vocabulary, value)) return [];
    const known = own ?? words().find(({ kind }) => kind.launchers?.isKnownVariable(name) === true);
    const within = { start: index, end: index + whole.length };
    return [signAt('variable', index, name, { within, kind: known?.kind ?? null })];
  });
}
