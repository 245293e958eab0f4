/** A setting that a flag takes away from its variable, said once. */

import { listed, quoted } from '../../../util/words.js';
import type { Setting, Settings } from '../../facts/settings.js';
import { listenerFlags } from '../../kinds/index.js';
import { newlyPrivileged } from '../settings/module-lists.js';
import { dashed, whence } from '../settings/setting.js';
import { advise, either, type Fix, setKey, takeOut, together } from './fix.js';

/** The flags whose value is a list: both lists may be meant. */
function listFlags(settings: Settings): readonly string[] {
  const { http, ws } = listenerFlags(settings);
  return [http.api, ws.api, http.origins, http.vhosts, ws.origins];
}

/** Which of the two is meant only the operator knows: as it is, as the variable says, or both of two lists. */
export function inOnePlace(settings: Settings, flag: string, { origin, value, shadowed }: Setting): Fix {
  const key = settings.keys[flag];
  const name = key?.name ?? dashed(flag);
  const say = `Say in ${name} what is meant, and take ${whence(settings, origin)} out`;
  const [hidden] = shadowed;
  if (origin.kind !== 'flag' || hidden === undefined) return advise(`${say}.`);
  const moved = (sentence: string, to: string, safety: Fix['safety']): Fix =>
    together(`${say}: ${sentence}`, [setKey(settings, flag, to), takeOut(settings, flag, origin)], safety);
  if (hidden.origin.kind === 'flag') {
    return {
      ...takeOut(settings, flag, hidden.origin),
      say: 'Take the earlier one out, which is not used.',
      safety: 'safe',
    };
  }
  const variable = {
    ...takeOut(settings, flag, origin),
    say: `Take ${whence(settings, origin)} out: the node then gets ${shown(hidden.value)}, as ${name} says.`,
  };
  const added = newlyPrivileged(settings, flag, hidden.value, value);
  if (added.length > 0)
    return either(
      advise(`${say}; ${listed(added)} ${added.length === 1 ? 'is' : 'are'} better left out.`),
      variable,
    );
  const kept = moved(`${shown(value)} keeps what the node gets today.`, String(value), 'safe');
  if (value === hidden.value) return kept;
  const both = [...new Set([hidden.value, value].flatMap((one) => String(one ?? '').split(',')))].join(',');
  const isMore = listFlags(settings).includes(flag) && ![value, hidden.value].includes(both);
  if (!isMore || newlyPrivileged(settings, flag, value, both).length > 0) return either(kept, variable);
  const merged = moved('', both, 'unsafe');
  return either(kept, variable, { ...merged, say: `Name both lists in ${name}: ${quoted(both)}.` });
}

/** A value, for a sentence. */
export function shown(value: Setting['value']): string {
  return value === null ? 'a value not known offline' : quoted(String(value));
}
