/** Variables that open an interface of a node. */
import type { Vocabulary } from '../vocabulary.js';
import { found } from './found.js';
import { listsPrivate } from './lists.js';
import { type Sign, signAt } from './sign.js';

/** Variables of a node's own; of those that other programs have too, two of one interface, or a list with a private module. */
export function variableSigns(vocabulary: Vocabulary, text: string): Sign[] {
  const { variable, words } = vocabulary;
  const all = [...found(text, variable())].filter(
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
