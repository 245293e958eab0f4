/** What the node takes where nothing is set. */
import type { Setting, SettingValue } from '../../facts/settings.js';
import type { Flag, FlagSet } from '../../kinds/kind.js';
import { parseValue } from './values.js';

const fallbacks = new WeakMap<FlagSet, Readonly<Record<string, Setting>>>();

/** The setting of every flag the binary accepts, keyed by the flag's first name. */
export function defaultsOf(flags: FlagSet): Readonly<Record<string, Setting>> {
  const known = fallbacks.get(flags);
  if (known !== undefined) return known;
  // Built in one go, the object is of a form that is copied thirty times as fast.
  const settings: Record<string, Setting> = Object.fromEntries(
    flags.flags.map((flag) => [flag.name, untouched(flag)]),
  );
  fallbacks.set(flags, settings);
  return settings;
}

function untouched(flag: Flag): Setting {
  return { value: defaultOf(flag), origin: { kind: 'default' }, shadowed: [], indeterminate: null };
}

function defaultOf(flag: Flag): SettingValue | null {
  if (flag.type === 'bool') return false;
  if (flag.fallback === null) return null;
  const parsed = parseValue(flag.type, flag.fallback);
  return 'value' in parsed ? parsed.value : null;
}
