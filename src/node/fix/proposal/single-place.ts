/** Fixes for a setting that a flag overrides. */
import { joinWords, quoteValue } from '../../../util/words.js';
import type { Setting } from '../../facts/settings.js';
import { newlyPrivileged } from '../../judge/settings/module-lists.js';
import { addDashes, originName } from '../../judge/settings/setting.js';
import type { NodeSettings } from '../../kinds/node.js';
import { advise, combineFixes, type Fix, removeFlag, setKey, withAlternatives } from './fix.js';

/** The flags whose value is a list, and whose values can be merged. */
function listFlags(settings: NodeSettings): readonly string[] {
  const { http, ws } = settings.nodeKind.interfaces.flags;
  return [http.api, ws.api, http.origins, http.vhosts, ws.origins].filter((flag) => flag !== null);
}

/** Offers the choices: keep the effective value, use that of the variable, or merge two lists. */
export function inOnePlace(settings: NodeSettings, flag: string, { origin, value, shadowed }: Setting): Fix {
  const key = settings.keys[flag];
  const name = key?.name ?? addDashes(flag);
  const say = `Set the intended value in ${name}, and remove ${originName(settings, origin)}`;
  const [hidden] = shadowed;
  if (origin.kind !== 'flag' || hidden === undefined) return advise(`${say}.`);
  const moved = (sentence: string, to: string, safety: Fix['safety']): Fix =>
    combineFixes(
      `${say}: ${sentence}`,
      [setKey(settings, flag, to), removeFlag(settings, flag, origin)],
      safety,
    );
  if (hidden.origin.kind === 'flag') {
    return {
      ...removeFlag(settings, flag, hidden.origin),
      say: 'Remove the earlier flag, which is not used.',
      safety: 'safe',
    };
  }
  const variable = {
    ...removeFlag(settings, flag, origin),
    say: `Remove ${originName(settings, origin)}: the node then gets ${quoteSetting(hidden.value)} from ${name}.`,
  };
  const added = newlyPrivileged(settings.nodeKind, flag, hidden.value, value);
  if (added.length > 0)
    return withAlternatives(
      advise(`${say}; ${joinWords(added)} ${added.length === 1 ? 'is' : 'are'} better removed.`),
      variable,
    );
  const kept = moved(`${quoteSetting(value)} keeps what the node gets today.`, String(value), 'safe');
  if (value === hidden.value) return kept;
  const both = [...new Set([hidden.value, value].flatMap((one) => String(one ?? '').split(',')))].join(',');
  const isMore = listFlags(settings).includes(flag) && ![value, hidden.value].includes(both);
  if (!isMore || newlyPrivileged(settings.nodeKind, flag, value, both).length > 0)
    return withAlternatives(kept, variable);
  const merged = moved('', both, 'unsafe');
  return withAlternatives(kept, variable, {
    ...merged,
    say: `Set ${name} to both lists: ${quoteValue(both)}.`,
  });
}

/** A value in a sentence. */
export function quoteSetting(value: Setting['value']): string {
  return value === null ? 'a value that cannot be resolved offline' : quoteValue(String(value));
}
