/** The releases of a program in the order of its code, and what each of them has. */
import { once } from '../../util/once.js';
import { oncePer, oncePerKey } from '../../util/once-per.js';
import type { Period, ReleaseRange } from '../facts/release.js';
import type { Release, Uses } from './kind.js';

/** A release, and the word that periods have for it: its tag, its id, or the tag of the release that it is based on. */
export interface DatedRelease<Tag extends string = string> extends Release {
  readonly base: Tag;
}

export type Test<Tag extends string> = (release: DatedRelease<Tag>) => boolean;

/** The releases of a program, and the periods between them. */
export interface Releases<Tag extends string = string> {
  /** In the order of the code. */
  readonly all: readonly DatedRelease<Tag>[];
  readonly newest: DatedRelease<Tag>;
  /** The range of all, for a node of which nothing tells its release. */
  readonly whole: ReleaseRange;
  /** @throws {Error} for an id that none has, which is a defect: ids are checked where they come in */
  named(id: string): DatedRelease<Tag>;
  /** A test for the releases of a period, both ends included. */
  within(period: Period<Tag>): Test<Tag>;
  holds(id: string, period: Period<Tag>): boolean;
  /** From the first to the last of the releases that pass, in ids, without an end that is open; null if none does. */
  span(passes: Test<Tag>): Period | null;
  /** A range in parts, oldest first: within a part, a release passes the same tests as the others. */
  partsBy(since: string, until: string, tests: readonly Test<Tag>[]): readonly Required<Period>[];
}

/** @param order every tag that periods name, in the order of the code */
export function releasesIn<Tag extends string>(
  order: readonly Tag[],
  all: readonly DatedRelease<Tag>[],
): Releases<Tag> {
  const places = new Map(order.map((tag, at) => [tag, at]));
  const indexes = new Map(all.map(({ id }, at) => [id, at]));
  const newest = all.at(-1) as DatedRelease<Tag>;
  const placeOf = (tag: Tag) => places.get(tag) as number;
  const indexOf = (id: string) => {
    const index = indexes.get(id);
    if (index === undefined) throw new Error(`${id} is not a release of this node`);
    return index;
  };
  const named = (id: string) => all[indexOf(id)] as DatedRelease<Tag>;
  const within = ({ since, until }: Period<Tag>): Test<Tag> => {
    const first = since === undefined ? 0 : placeOf(since);
    const last = until === undefined ? order.length : placeOf(until);
    return ({ base }) => {
      const place = placeOf(base);
      return place >= first && place <= last;
    };
  };
  /** The places of the releases for which a test is not as for the one before. */
  const changesOf = oncePer((test: Test<Tag>) => {
    const passed = all.map(test);
    return passed.flatMap((passes, at) => (at > 0 && passes !== passed[at - 1] ? [at] : []));
  });
  return {
    all,
    newest,
    whole: { value: null, since: (all[0] as DatedRelease<Tag>).id, until: newest.id },
    named,
    within,
    holds: (id, period) => within(period)(named(id)),
    span(passes) {
      const [first, last] = [all.find(passes), all.findLast(passes)];
      if (first === undefined || last === undefined) return null;
      return {
        ...(first === all[0] ? {} : { since: first.id }),
        ...(last === newest ? {} : { until: last.id }),
      };
    },
    partsBy(since, until, tests) {
      const [first, last] = [indexOf(since), indexOf(until)];
      const changes = tests.flatMap(changesOf).filter((at) => at > first && at <= last);
      const starts = [...new Set([first, ...changes])].sort((a, b) => a - b);
      return starts.map((start, at) => ({
        since: all[start]?.id as string,
        until: all[(starts[at + 1] ?? last + 1) - 1]?.id as string,
      }));
    },
  };
}

/** Releases that are named by their tags. */
export function taggedReleases<Tag extends string>(product: string, tags: readonly Tag[], order = tags) {
  return releasesIn(
    order,
    tags.map((tag) => ({ id: `${product}/${tag}`, product, tag, base: tag })),
  );
}

/** Settings of some names, or with some uses, and the periods in which releases take them otherwise than before and after. */
export type Turn<Tag extends string> = readonly [
  concerns: readonly string[] | ((uses: Uses) => boolean),
  ...periods: readonly Period<Tag>[],
];

/**
 * The tests that tell apart the releases which take settings differently, by what these use. The tests of a name and of a
 * period are made once: each edit that is tried asks for them again.
 */
export function testsBy<Tag extends string>(
  { within }: Releases<Tag>,
  histories: readonly Pick<History<unknown, Tag>, 'testsOf'>[],
  turns: readonly Turn<Tag>[],
): (uses: Uses) => readonly Test<Tag>[] {
  const named = oncePerKey((name: string) => histories.flatMap((one) => one.testsOf(name)), 1_000);
  const dated = once(() => turns.map(([concerns, ...periods]) => [concerns, periods.map(within)] as const));
  return (uses) => {
    const concerned = dated().filter(([concerns]) =>
      typeof concerns === 'function' ? concerns(uses) : concerns.some((name) => uses.has(name)),
    );
    return [...[...uses.keys()].flatMap(named), ...concerned.flatMap(([, tests]) => tests)];
  };
}

/** What the releases of a program have, by rows: one for each form of a fact. */
export interface History<Row, Tag extends string = string> {
  rows(): readonly Row[];
  /** Tests that tell apart the releases which have a row of that name or alias; a row of all releases needs none. */
  testsOf(name: string): readonly Test<Tag>[];
  /** The rows of a release. */
  at(id: string): readonly Row[];
  /** Every row of that name or alias, oldest first. */
  named(name: string): readonly Row[];
  /** The last one of that name or alias; null if there is none. */
  newest(name: string): Row | null;
  /** From the first to the last release with that name, in ids; null if none has it. */
  period(name: string): Period | null;
}

/**
 * @param read the rows, which are read when they are first asked for
 * @param has which releases have a row, where its period alone does not say so
 */
export function historyOf<
  Tag extends string,
  Row extends Period<Tag> & { readonly name: string; readonly aliases?: readonly string[] },
>(
  releases: Releases<Tag>,
  read: () => readonly Row[],
  has: (row: Row) => Test<Tag> = releases.within,
): History<Row, Tag> {
  const rows = once(read);
  const tests = once(() => rows().map((row) => [row, has(row)] as const));
  const byName = once(() => {
    const found = new Map<string, Row[]>();
    for (const row of rows())
      for (const name of [row.name, ...(row.aliases ?? [])])
        found.set(name, [...(found.get(name) ?? []), row]);
    return found;
  });
  const none: readonly Row[] = [];
  const named = (name: string) => byName().get(name) ?? none;
  const turning = oncePer((some: readonly Row[]) =>
    some.map(has).filter((test) => new Set(releases.all.map(test)).size > 1),
  );
  return {
    rows,
    named,
    testsOf: (name) => turning(named(name)),
    at(id) {
      const release = releases.named(id);
      return tests().flatMap(([row, test]) => (test(release) ? [row] : []));
    },
    newest: (name) => named(name).at(-1) ?? null,
    period(name) {
      const some = named(name).map(has);
      return releases.span((release) => some.some((test) => test(release)));
    },
  };
}
