/** Values that override those of the file. */
import { givenIn, type Key, type Setting, type Settings, spanOf } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { NodeSettings } from '../../kinds/node.js';
import { addDashes } from './setting.js';

type Hidden = Setting['shadowed'][number];

/** A value of the command line or the environment that overrides others. */
export interface Shadowing {
  readonly flag: string;
  readonly setting: Setting;
  readonly at: Span;
  readonly hidden: readonly [Hidden, ...Hidden[]];
}

/** Only certain overrides, not possible ones. */
export function shadowing(settings: Settings): Shadowing[] {
  if (settings.called !== undefined) return [];
  const outside = givenIn(settings.values).filter(([, one]) => isOutside(one));
  return outside.flatMap(([flag, setting]) => {
    const at = spanOf(setting.origin);
    const [first, ...more] = setting.shadowed.filter(
      ({ origin: { kind } }) => kind === 'assignment' || kind === 'flag',
    );
    const sure = setting.indeterminate === null && !isRefused(settings, flag);
    if (at === null || first === undefined || !sure) return [];
    return [{ flag, setting, at, hidden: [first, ...more] }];
  });
}

function isOutside({ origin }: Setting): boolean {
  return origin.kind === 'flag' || origin.kind === 'environment';
}

/** Two names of one flag: the node refuses both. */
function isRefused({ problems }: Settings, flag: string): boolean {
  return problems.some(
    ({ kind, flags }) => kind === 'conflicting-flags' && flags.some((one) => addDashes(one) === `--${flag}`),
  );
}

const switched = ['http', 'ws', 'mainbridge', 'metrics'] as const;

/** An interface that is on although its variable is 0. */
export interface SwitchedOn {
  readonly kind: (typeof switched)[number];
  readonly flag: string;
  readonly setting: Setting;
  readonly key: Key & { readonly at: Span };
}

/** The interfaces that the command line or the environment switches on against their variables. */
export function switchedOn(settings: NodeSettings): SwitchedOn[] {
  const { values, keys, called } = settings;
  return switched.flatMap((kind) => {
    const flag = settings.nodeKind.interfaces.flags[kind].enable;
    if (flag === null || called !== undefined) return [];
    const [setting, key] = [values[flag], keys[flag]];
    if (setting?.value !== true || !isOutside(setting)) return [];
    if (key === undefined || key.value !== false || key.at === null) return [];
    return [{ kind, flag, setting, key: { ...key, at: key.at } }];
  });
}
