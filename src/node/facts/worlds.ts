/** The possible worlds of a node: the readings of its settings among which nothing known offline decides. */
import { joinFirst } from '../../util/words.js';
import type { Alternative, Conf, ReleaseSpan } from './facts.js';
import type { Settings } from './settings.js';

/** What a world depends on. */
export type Condition = Pick<Alternative, 'when' | 'unless'>;

export interface World extends Condition {
  /** The settings there, without alternatives. */
  readonly conf: Conf;
  /** The releases that the node may be there; one object for all worlds of the same releases as the first. */
  readonly releases: readonly ReleaseSpan[];
  /** `unix`: the file has Unix line ends there, instead of those that are written. */
  readonly ends: 'written' | 'unix';
  /** Whether it is the first world with these line ends: what is certain, as the newest releases take it. */
  readonly isFirst: boolean;
}

/** Something known of worlds, in their order. */
export type Worlds<T> = readonly { readonly world: World; readonly value: T }[];

/** Every world of a node, the first one first, and those with Unix line ends last. */
export function worldsOf({ alternatives = [], releases, ...first }: Conf): readonly World[] {
  const { release } = first.settings;
  const own = releases ?? (release === undefined ? [] : [release]);
  const others = alternatives.map(
    ({ isRepaired, conf: { alternatives: _, ...conf }, ...one }): Omit<World, 'isFirst'> => ({
      releases: own,
      ...one,
      conf,
      ends: isRepaired === true ? 'unix' : 'written',
    }),
  );
  const [unix, ...more] = others.filter(({ ends }) => ends === 'unix');
  const repaired = unix === undefined ? [] : [{ ...unix, conf: asFound(unix.conf, first) }, ...more];
  return [
    { conf: first, releases: own, when: null, ends: 'written', isFirst: true },
    ...others.flatMap((one) => (one.ends === 'unix' ? [] : [{ ...one, isFirst: false }])),
    ...repaired.map((one, at) => ({ ...one, isFirst: at === 0 })),
  ];
}

/** The conf with the release that was found for its node. */
function asFound(conf: Conf, { settings: { release } }: Conf): Conf {
  return release === undefined ? conf : { ...conf, settings: { ...conf.settings, release } };
}

/** The conf with these changes to its settings, and to those of its alternatives. */
export function changeSettings<C extends Conf>(conf: C, change: (settings: Settings) => Settings): C {
  const others = conf.alternatives?.map((one) => ({ ...one, conf: changeSettings(one.conf, change) }));
  return {
    ...conf,
    settings: change(conf.settings),
    ...(others === undefined ? {} : { alternatives: others }),
  };
}

/** Both conditions, as one. */
export function both(one: Condition, other: Condition): Condition {
  return {
    when: [one.when, other.when].filter((when) => when !== null).join(' and ') || null,
    ...unlessOf([one.unless, other.unless].filter((unless) => unless !== undefined)),
  };
}

/** The names of what is unknown and may change a reading; none: nothing may. */
export function unlessOf(names: readonly string[]): Pick<Condition, 'unless'> {
  return names.length === 0 ? {} : { unless: joinFirst([...new Set(names)], 3) };
}
