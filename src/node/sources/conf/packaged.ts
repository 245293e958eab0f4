/** Which values come from the packaged conf that a text is appended to. */
import type { Origin, Settings } from '../../facts/settings.js';
import type { ConfText } from './text.js';

/** A variable that no line assigns comes from the packaged conf where that has it, and else from the environment. */
export function packagedOrigins(
  settings: Settings['values'],
  packaged: ConfText['packaged'],
): Settings['values'] {
  if (Object.keys(packaged).length === 0) return settings;
  const named = (origin: Origin): Origin => {
    const variable = origin.kind === 'environment' && origin.at === null ? origin.variable : null;
    return variable === null || !Object.hasOwn(packaged, variable) ? origin : { kind: 'packaged', variable };
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [
      name,
      {
        ...setting,
        origin: named(setting.origin),
        shadowed: setting.shadowed.map((one) => ({ ...one, origin: named(one.origin) })),
      },
    ]),
  );
}
