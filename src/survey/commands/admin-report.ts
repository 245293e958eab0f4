/** Renders the reports of `survey admin` as text, JSON or CSV. */

import { cellText } from '../../util/csv.js';
import { field } from '../../util/json.js';
import { visible } from '../../util/visible.js';
import { count, groupDigits } from '../../util/words.js';
import { maxJoinsLeft } from '../store/group-store.js';

type ReportRow = Readonly<Record<string, string | number | boolean | null>>;

interface Shape {
  /** The field of the answer that holds the rows; null if the answer as a whole is the document. */
  readonly key: string | null;
  readonly columns: string;
  /** By default those of `key`, as they are. */
  rows?(answer: unknown): readonly ReportRow[];
  line(row: ReportRow): string;
}

const timeOf = (value: unknown) => new Date(Number(value)).toISOString();

const shapes = {
  list: {
    key: 'surveys',
    columns: 'survey members closed onePerUser scheme closesAt maxMembers allowlist',
    rows: (answer) => list(answer, 'surveys').map(withPolicy),
    line({ survey, members, closed, ...policy }) {
      const counted = members === null ? 'members unknown' : count(Number(members), 'member');
      return `${survey}  ${counted}${closed === true ? '  closed' : ''}${policyText(policy)}`;
    },
  },
  payments: {
    key: 'payments',
    columns:
      'id status state verified claimed itemIdentifier price currencyCode pgType testMode problem updatedAt',
    rows: (answer) => list(answer, 'payments').map((row) => ({ ...row, updatedAt: timeOf(row.updatedAt) })),
    line({ id, status, state, claimed, problem, updatedAt, ...order }) {
      const claim = claimed === null ? '' : `  claimed ${claimed}`;
      const why = typeof problem === 'string' ? `  not verified: ${problem}` : '';
      return `${id}  ${status}  ${state}${claim}${why}  ${ordered(order)}  ${updatedAt}`;
    },
  },
  outcomes: {
    key: 'outcomes',
    columns: 'outcome count',
    line: ({ outcome, count }) => `${outcome}  ${count}`,
  },
  status: {
    key: null,
    columns: 'name value',
    rows: statusRows,
    line: ({ name, value }) => `${name}: ${value}`,
  },
  log: {
    key: 'entries',
    columns: 'entry at actor action survey detail',
    rows: (answer) =>
      list(answer, 'entries').map((row) => ({
        ...row,
        at: timeOf(row.at),
        detail: JSON.stringify(row.detail),
      })),
    line({ at, actor, action, survey, detail }) {
      const more = [survey, detail === '{}' ? null : detail].filter((one) => one !== null);
      return [at, actor ?? 'server', action, ...more].join('  ');
    },
  },
} as const satisfies Readonly<Record<string, Shape>>;

/** @param answer the server's, of this version or another */
export function adminReport(report: keyof typeof shapes, answer: unknown) {
  const { key, columns, line, rows }: Shape = shapes[report];
  const found = rows?.(answer) ?? list(answer, key ?? '');
  return {
    document: key === null ? answer : { [key]: list(answer, key) },
    text: found.map((row) => `${visible(line(row), 2000)}\n`).join('') || `no ${key ?? report}\n`,
    csv: csv(columns.split(' '), found),
  };
}

function list(answer: unknown, name: string): readonly ReportRow[] {
  const rows = field(answer, name);
  return Array.isArray(rows) ? (rows as ReportRow[]) : [];
}

/** The backlog is null, and joins left are absent, where the server sends no transactions. */
function statusRows(answer: unknown): readonly ReportRow[] {
  const of = (name: string) => field(answer, name);
  const [queued, sent, oldest, unmined] = ['queued', 'sent', 'oldestSeconds', 'unminedSeconds'].map((name) =>
    field(of('backlog'), name),
  );
  const age = (seconds: unknown) =>
    seconds === null ? 'none' : seconds === undefined ? seconds : `${seconds} s`;
  const joinsLeft = of('joinsLeft');
  const figures: [name: string, value: unknown][] = [
    ['problem', of('problem') ?? 'none'],
    ['joins per minute', of('joinsPerMinute')],
    ['transactions queued', queued],
    ['transactions sent, not final', sent],
    ['oldest queued', age(oldest)],
    ['oldest not mined', age(unmined)],
    ['joins left', joinsLeft === maxJoinsLeft ? `${groupDigits(maxJoinsLeft)} or more` : joinsLeft],
  ];
  return [
    ...figures
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ name, value: String(value ?? 'unknown') })),
    ...list(answer, 'nodes').map(({ node, state, block }) => {
      return { name: `node ${node}`, value: `${state}, block ${block ?? 'unknown'}` };
    }),
    ...list(answer, 'faults').map((one) => ({ name: `${one.event} ${one.code}`, value: String(one.count) })),
  ];
}

function withPolicy(row: ReportRow): ReportRow {
  const { policy, ...rest } = row as ReportRow & { policy?: ReportRow };
  const closesAt = policy?.closesAt ?? null;
  return { ...rest, ...policy, closesAt: closesAt === null ? null : timeOf(closesAt) };
}

/** `  one per user, eip712, at most 50000 members, closes 2026-…, allowlist`; nothing of a server that names no policy. */
function policyText({ onePerUser, scheme, closesAt, maxMembers, allowlist }: ReportRow): string {
  if (onePerUser === undefined) return '';
  const parts = [
    onePerUser === true ? 'one per user' : 'any number per user',
    scheme === 'eip712' ? 'eip712' : 'any scheme',
    maxMembers === null ? null : `at most ${maxMembers} members`,
    closesAt === null ? null : `closes ${closesAt}`,
    allowlist === true ? 'allowlist' : null,
  ];
  return `  ${parts.filter((part) => part !== null).join(', ')}`;
}

/** `1.5 KAIA (CRYPTO) for sticker, test`. */
function ordered({ itemIdentifier, price, currencyCode, pgType, testMode }: ReportRow): string {
  return `${price} ${currencyCode} (${pgType}) for ${itemIdentifier}, ${testMode === true ? 'test' : 'real'}`;
}

/** RFC 4180 with a header. */
export function csv(names: readonly string[], rows: readonly ReportRow[]): string {
  const cell = (value: ReportRow[string] | undefined) => {
    const text = cellText(value, 400);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))];
  return lines.map((text) => `${text}\n`).join('');
}
