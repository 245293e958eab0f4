/** Renders the reports of `survey admin` as text, JSON or CSV. */
import { visible } from '../../util/visible.js';
import { count, grouped } from '../../util/words.js';
import { field } from '../protocol/upstream.js';
import { maxJoinsLeft } from '../store/group-store.js';

export type Report = 'list' | 'payments' | 'outcomes' | 'status' | 'log';
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** @param answer the server's, of this version or another */
export function adminReport(
  report: Report,
  answer: unknown,
): { readonly document: unknown; readonly text: string; readonly csv: string } {
  const rows = rowsOf[report](answer);
  return {
    document: report === 'status' ? answer : { [keys[report]]: list(answer, keys[report]) },
    text:
      rows.map((row) => `${line(report, row)}\n`).join('') ||
      `no ${report === 'status' ? 'status' : keys[report]}\n`,
    csv: csv(columns[report], rows),
  };
}

/** The field of the answer that holds the rows. */
const keys = { list: 'surveys', payments: 'payments', outcomes: 'outcomes', log: 'entries' } as const;

const columns: Readonly<Record<Report, readonly string[]>> = {
  list: ['survey', 'members', 'closed'],
  payments: [
    ...[
      'id',
      'status',
      'verified',
      'claimed',
      'itemIdentifier',
      'price',
      'currencyCode',
      'pgType',
      'testMode',
    ],
    ...['problem', 'updatedAt'],
  ],
  outcomes: ['outcome', 'count'],
  status: ['name', 'value'],
  log: ['entry', 'at', 'actor', 'action', 'survey', 'detail'],
};

const rowsOf: Readonly<Record<Report, (answer: unknown) => readonly Row[]>> = {
  list: (answer) => list(answer, 'surveys'),
  payments: (answer) =>
    list(answer, 'payments').map((row) => ({
      ...row,
      updatedAt: new Date(Number(row.updatedAt)).toISOString(),
    })),
  outcomes: (answer) => list(answer, 'outcomes'),
  status: statusRows,
  log: (answer) =>
    list(answer, 'entries').map((row) => ({
      ...row,
      at: new Date(Number(row.at)).toISOString(),
      detail: JSON.stringify(row.detail),
    })),
};

function list(answer: unknown, name: string): readonly Row[] {
  const rows = field(answer, name);
  return Array.isArray(rows) ? (rows as Row[]) : [];
}

/** The backlog is null, and joins left are absent, where the server sends no transactions. */
function statusRows(answer: unknown): readonly Row[] {
  const [problem, perMinute, backlog, joinsLeft] = ['problem', 'joinsPerMinute', 'backlog', 'joinsLeft'].map(
    (name) => field(answer, name),
  );
  const row = (name: string, value: unknown) => ({ name, value: value === null ? 'unknown' : String(value) });
  const waiting = (name: string) => field(backlog, name);
  return [
    row('problem', problem ?? 'none'),
    row('joins per minute', perMinute),
    ...(backlog === null || backlog === undefined
      ? []
      : [
          row('transactions queued', waiting('queued')),
          row('transactions sent, not final', waiting('sent')),
          row('oldest queued', waiting('oldestSeconds') === null ? 'none' : `${waiting('oldestSeconds')} s`),
        ]),
    ...(joinsLeft === undefined
      ? []
      : [row('joins left', joinsLeft === maxJoinsLeft ? `${grouped(maxJoinsLeft)} or more` : joinsLeft)]),
    ...list(answer, 'nodes').map(({ node, state, block }) =>
      row(`node ${node}`, `${state}, block ${block ?? 'unknown'}`),
    ),
    ...list(answer, 'faults').map(({ event, code, count }) => row(`${event} ${code}`, count)),
  ];
}

function line(report: Report, row: Row): string {
  if (report === 'list') {
    const members = row.members === null ? 'members unknown' : count(Number(row.members), 'member');
    return visible(`${row.survey}  ${members}${row.closed === true ? '  closed' : ''}`, 400);
  }
  if (report === 'payments') {
    const claim = row.claimed === null ? '' : `  claimed ${row.claimed}`;
    const problem = typeof row.problem === 'string' ? `  not verified: ${row.problem}` : '';
    return visible(`${row.id}  ${row.status}${claim}${problem}  ${ordered(row)}  ${row.updatedAt}`, 800);
  }
  if (report === 'log') {
    const detail = row.detail === '{}' ? '' : `  ${row.detail}`;
    return visible(
      `${row.at}  ${row.actor ?? 'server'}  ${row.action}${row.survey === null ? '' : `  ${row.survey}`}${detail}`,
      2000,
    );
  }
  return visible(report === 'status' ? `${row.name}: ${row.value}` : `${row.outcome}  ${row.count}`, 400);
}

/** `1.5 KAIA (CRYPTO) for sticker, test`. */
function ordered({ itemIdentifier, price, currencyCode, pgType, testMode }: Row): string {
  if (typeof itemIdentifier !== 'string') return 'order not recorded';
  return `${price} ${currencyCode} (${pgType}) for ${itemIdentifier}, ${testMode === true ? 'test' : 'real'}`;
}

/** RFC 4180 with a header. An apostrophe precedes a cell that a spreadsheet would evaluate. */
export function csv(names: readonly string[], rows: readonly Row[]): string {
  const cell = (value: string | number | boolean | null | undefined) => {
    const text = visible(String(value ?? ''), 400);
    const plain = /^\s*[=+\-@|%]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
    return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  const lines = [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))];
  return lines.map((text) => `${text}\n`).join('');
}
