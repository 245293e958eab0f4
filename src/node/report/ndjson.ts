/**
 * JSON of one target a line, `kaiactl/report-lines-1`, for fleets of any size: the last line is the report without its
 * targets. Lines are written while the run goes on. They leave out nulls and checks that did not apply; `as` names an
 * earlier line with the same `checks` and `notLookedAt`. `kaiactl report schema ndjson` prints the JSON Schema of a line.
 */

import { groupBy } from '../../util/group-by.js';
import { isRecord } from '../../util/json.js';
import type { Report, TargetReport } from '../facts/report.js';
import type { Kind } from '../kinds/kind.js';
import { jsonLine } from './escape.js';
import type { Render } from './format.js';
import { reportSchema } from './schema.js';

export const ndjson: Render = async function* (report) {
  const lines = new LineWriter();
  for await (const target of report.targets) yield lines.target(target);
  yield lines.summary(report);
};

/** The `schema` of the last line, which holds the report without its targets. */
export const linesSchema = 'kaiactl/report-lines-1';

/** Of a JSON Schema, what tells which members may be left out. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** The members of an object that are null where a line lacks them, and the shapes of its members and items. */
interface Shape {
  readonly nulls: readonly string[];
  readonly members: ReadonlyMap<string, Shape>;
  readonly item: Shape | null;
}

const targetShape = shapeOf(reportSchema([]).properties.targets.items);

/** Lists that later lines may refer to: how many, and how long each may be as JSON. */
const maxRemembered = 1_000;
const maxRememberedLength = 8_192;

type Json = Readonly<Record<string, unknown>>;

/** Writes a report line by line. */
export class LineWriter {
  #lines = 0;
  readonly #remembered = new Map<string, number>();

  /** The next line. It lacks nulls and checks that did not apply; `as` refers to an earlier line with the same checks. */
  target({ checks, notLookedAt, release, undetermined, ...rest }: TargetReport): string {
    this.#lines += 1;
    const applied = checks?.filter(({ verdict }) => verdict !== 'not-applicable');
    const named = [...groupBy(applied ?? [], ({ verdict }) => verdict)].map(
      ([verdict, all]) => [verdict, all.map(({ rule }) => rule)] as const,
    );
    const lists = {
      ...(notLookedAt === undefined ? {} : { notLookedAt }),
      ...(checks === undefined ? {} : { checks: Object.fromEntries(named) }),
    };
    const own = { ...rest, ...shortRelease(release), undetermined: grouped(undetermined) };
    const lean = changed(own, targetShape, withoutNulls);
    return `${jsonLine({ ...lean, ...this.#once(lists) })}\n`;
  }

  /** The last line. */
  summary({ targets: _, ...report }: Omit<Report, 'targets'> & { readonly targets?: unknown }): string {
    return `${jsonLine({ ...report, schema: linesSchema })}\n`;
  }

  #once(lists: Lists): Lists | { readonly as: number } {
    const key = JSON.stringify(lists);
    const line = this.#remembered.get(key);
    if (line !== undefined) return { as: line };
    if (isRemembered(lists, this.#remembered)) this.#remembered.set(key, this.#lines);
    return lists;
  }
}

/** Reads targets of lines back. The caller validates what they hold. */
export class LineReader {
  /** Lines. */
  read = 0;
  readonly #remembered = new Map<unknown, Lists>();

  /** @param length of the line, in characters, which limits that of the target */
  target({ as, checks, notLookedAt, release, undetermined, ...rest }: Json, length: number): Json {
    this.read += 1;
    const own = {
      ...(notLookedAt === undefined ? {} : { notLookedAt }),
      ...(checks === undefined ? {} : { checks }),
    };
    if (as === undefined && isRemembered(own, this.#remembered)) this.#remembered.set(this.read, own);
    const lists = as === undefined ? own : (this.#remembered.get(as) ?? { checks: { as } });
    const all = { ...rest, ...longRelease(release), undetermined: ungrouped(undetermined, length), ...lists };
    return changed(
      'checks' in lists ? { ...all, checks: listed(lists.checks) } : all,
      targetShape,
      withNulls,
    );
  }
}

/** What a line may refer to: members of an earlier line. */
interface Lists {
  readonly notLookedAt?: unknown;
  readonly checks?: unknown;
}

function isRemembered(lists: Lists, { size }: ReadonlyMap<unknown, unknown>): boolean {
  return size < maxRemembered && JSON.stringify(lists).length <= maxRememberedLength;
}

/** `{"pass": ["public-bind"]}` as checks. */
function listed(checks: unknown): unknown {
  if (!isRecord(checks)) return checks;
  return Object.entries(checks).flatMap(([verdict, rules]) =>
    Array.isArray(rules) ? rules.map((rule: unknown) => ({ rule, verdict })) : [rules],
  );
}

/** Rules in a row that are undetermined for the same reason are one entry. */
function grouped(all: TargetReport['undetermined']): Json[] {
  const groups: { readonly key: string; readonly rules: string[]; readonly rest: object }[] = [];
  for (const { rule, ...rest } of all) {
    const key = JSON.stringify(rest);
    const last = groups.at(-1);
    if (last?.key === key) last.rules.push(rule);
    else groups.push({ key, rules: [rule], rest });
  }
  return groups.map(({ rules, rest }) => ({ rules, ...rest }));
}

/** A single release is not written as a range. */
function shortRelease(release: TargetReport['release']): Json {
  if (release === undefined) return {};
  if (release?.value == null || release.since !== release.value || release.until !== release.value)
    return { release };
  const { since: _since, until: _until, ...rest } = release;
  return { release: rest };
}

function longRelease(release: unknown): Json {
  if (release === undefined) return {};
  return {
    release: isRecord(release) ? { since: release.value, until: release.value, ...release } : release,
  };
}

/** Characters that the entries of one line may have. */
const maxUngrouped = 16 << 20;

function ungrouped(all: unknown, length: number): unknown {
  if (!Array.isArray(all)) return all;
  let room = maxUngrouped + length;
  return all.flatMap((one: unknown) => {
    if (!isRecord(one) || !Array.isArray(one.rules)) return [one];
    const { rules, ...rest } = one;
    room -= rules.length * JSON.stringify(rest).length;
    return room < 0 ? [one] : rules.map((rule: unknown) => ({ rule, ...rest }));
  });
}

function shapeOf({ properties = {}, required = [], items, anyOf = [] }: Schema): Shape {
  const branch = anyOf.find((one) => one.properties !== undefined || one.items !== undefined);
  if (branch !== undefined) return shapeOf(branch);
  const members = Object.entries(properties);
  const isRequired = new Set(required);
  return {
    nulls: members.filter(([name, one]) => isRequired.has(name) && admitsNull(one)).map(([name]) => name),
    members: new Map(members.map(([name, one]) => [name, shapeOf(one)])),
    item: items === undefined ? null : shapeOf(items),
  };
}

function admitsNull({ type, anyOf = [] }: Schema): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf.some(admitsNull);
}

type Change = (one: Json, nulls: readonly string[]) => Json;

const withoutNulls: Change = (one, nulls) =>
  Object.fromEntries(Object.entries(one).filter(([name, own]) => own !== null || !nulls.includes(name)));

const withNulls: Change = (one, nulls) => ({
  ...one,
  ...Object.fromEntries(nulls.filter((name) => !Object.hasOwn(one, name)).map((name) => [name, null])),
});

/** Changes every object of a value, inner ones first. */
function changed(value: Json, shape: Shape, change: Change): Json {
  const inner = (one: unknown, own: Shape | null | undefined): unknown => {
    if (own == null) return one;
    if (Array.isArray(one)) return one.map((each) => inner(each, own.item));
    return isRecord(one) ? changed(one, own, change) : one;
  };
  const members = Object.entries(value).map(([name, one]) => [name, inner(one, shape.members.get(name))]);
  return change(Object.fromEntries(members), shape.nulls);
}

/** The JSON Schema of each line, for targets of these kinds (draft 2020-12). */
export function lineSchema(kinds: readonly Kind[]): object {
  const { $schema, properties, required } = reportSchema(kinds);
  const { targets, schema: _, ...head } = properties;
  const target = leaner(targets.items);
  const { rule: _rule, ...entry } = leaner(targets.items.properties.undetermined.items).properties ?? {};
  const rules = { type: 'array', items: { type: 'string' } };
  const own = {
    undetermined: {
      type: 'array',
      items: { type: 'object', properties: { rules, ...entry }, required: ['rules', 'code', 'reason'] },
    },
    checks: { type: 'object', properties: { pass: rules, fail: rules, undetermined: rules } },
    as: { type: 'integer', minimum: 1, description: 'an earlier line with the same checks and notLookedAt' },
  };
  const last = { schema: { const: linesSchema }, ...head };
  return {
    $schema,
    title: 'A line of a kaiactl report, version 1',
    anyOf: [
      {
        ...target,
        title: 'A target, without members that are null',
        properties: { ...target.properties, ...own },
      },
      {
        title: 'The last line',
        type: 'object',
        properties: last,
        required: required.filter((name) => name !== 'targets'),
      },
    ],
  };
}

/** Members that lines may lack besides nulls. */
const ranges: readonly string[] = ['since', 'until'];

/** The schema without the demand for members that lines may lack. */
function leaner(schema: Schema): Schema {
  const { properties = {}, required = [], items, anyOf } = schema;
  const { nulls } = shapeOf(schema);
  const members = Object.entries(properties).map(([name, one]) => [name, leaner(one)] as const);
  return {
    ...schema,
    ...(members.length === 0
      ? {}
      : {
          properties: Object.fromEntries(members),
          required: required.filter((name) => !nulls.includes(name) && !ranges.includes(name)),
        }),
    ...(items === undefined ? {} : { items: leaner(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(leaner) }),
  };
}
