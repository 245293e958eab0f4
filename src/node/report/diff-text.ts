/** Changes between two reports, as text and as Markdown. */

import { fold, wrap } from '../../terminal/wrap.js';
import { groupBy } from '../../util/group-by.js';
import { unreachable } from '../../util/unreachable.js';
import { count } from '../../util/words.js';
import { callers, type Reach } from '../facts/reach.js';
import type { ProcessReport } from '../facts/report.js';
import type { Change } from './changes.js';
import type { DiffStream, ReportDiff, TargetDiff } from './diff.js';
import { line, logLines, markdown as words } from './escape.js';
import { placeName } from './listing.js';
import type { VantageReport } from './vantage.js';

interface ChangeRow {
  readonly sign: '+' | '-' | '~' | '?' | '!';
  readonly severity: string;
  readonly rule: string;
  readonly what: string;
}

const reasons = { fixed: 'gone', suppressed: 'suppressed now', 'not-seen': 'no longer seen' } as const;

/** `width` in columns; longer names are not wrapped. */
export async function* diffText({ targets, summary }: DiffStream, width: number): AsyncGenerator<string> {
  const totals = new Totals();
  for await (const target of targets) {
    totals.add(target);
    yield logLines(`${blockOf(target, width)}\n\n`);
  }
  yield logLines(`${wrap(totals.of(summary), width, 0, 0)}\n`);
}

/** The changes without their totals. */
export function changesText({ targets }: Pick<ReportDiff, 'targets'>, width: number): string {
  return logLines(`${targets.map((target) => blockOf(target, width)).join('\n\n')}\n`);
}

function blockOf(target: TargetDiff, width: number): string {
  return [
    fold(`${line(target.name)} · ${verdicts(target)}`, width, 2),
    ...rowsOf(target).map(({ sign, severity, rule, what }) =>
      fold(`  ${sign} ${severity.padEnd(9)}${rule.padEnd(22)} ${what}`, width, 13),
    ),
  ].join('\n');
}

export async function* diffMarkdown({ targets, summary }: DiffStream): AsyncGenerator<string> {
  yield '# kaiactl: what changed\n\n';
  const totals = new Totals();
  for await (const target of targets) {
    totals.add(target);
    const rows = rowsOf(target).map(
      ({ sign, severity, rule, what }) =>
        `- ${words(sign)} ${severity === '' ? '' : `${severity} `}\`${rule}\` ${words(what)}\n`,
    );
    yield `## ${words(target.name)} · ${verdicts(target)}\n\n`;
    if (rows.length > 0) yield `${rows.join('')}\n`;
  }
  yield `${totals.of(summary)}\n`;
}

export function vantageText(report: VantageReport, width: number): string {
  const rows = vantageRows(report).map((row) => wrap(`! ${row}`, width, 0, 2));
  return logLines(`${[...rows, wrap(vantageTotals(report), width, 0, 0)].join('\n')}\n`);
}

export function vantageMarkdown(report: VantageReport): string {
  const rows = vantageRows(report).map((row) => `- ${words(row)}`);
  const list = rows.length === 0 ? [] : [rows.join('\n')];
  return `${['# kaiactl: seen from outside', ...list, vantageTotals(report)].join('\n\n')}\n`;
}

function rowsOf(target: TargetDiff): ChangeRow[] {
  const row = (sign: ChangeRow['sign'], finding: TargetDiff['new'][number], note = ''): ChangeRow => ({
    sign,
    severity: finding.severity,
    rule: line(finding.rule),
    what: line(`${finding.subject} (${placeName(finding.at)})${note === '' ? '' : `: ${note}`}`),
  });
  return [
    ...target.changes.map(
      (one): ChangeRow => ({ sign: '!', severity: '', rule: one.change, what: line(changeText(one)) }),
    ),
    ...target.new.map((finding) => row('+', finding)),
    ...target.changed.map(({ from, finding }) => row('~', finding, `was ${from}`)),
    ...[...groupBy(target.unseen, ({ reason }) => reason)].map(([reason, open]) => unseenRow(reason, open)),
    ...target.gone.map(({ why, finding }) => row('-', finding, reasons[why])),
  ];
}

/** One row per reason. */
function unseenRow(reason: string, open: TargetDiff['unseen']): ChangeRow {
  const rules = [...new Set(open.map(({ rule }) => line(rule)))];
  const all = { sign: '?', severity: 'not seen' } as const;
  return rules.length === 1
    ? { ...all, rule: rules.join(), what: line(reason) }
    : { ...all, rule: `${rules.length} rules`, what: `${line(reason)}: ${rules.join(', ')}` };
}

function changeText(one: Change): string {
  switch (one.change) {
    case 'down':
      return `${one.process === null ? '' : `${processName(one.process)}: `}${one.reason}`;
    case 'up':
      return one.process === null ? 'answers again' : processName(one.process);
    case 'started':
    case 'ended':
      return processName(one.process);
    case 'restarted':
      return `${processName(one.process)}, was ${processName(one.before)}`;
    case 'opened':
    case 'closed':
    case 'offered':
    case 'withdrawn':
      return `${one.endpoint}${one.modules.length === 0 ? '' : `: ${one.modules.join(', ')}`}`;
    case 'unlocked':
    case 'locked':
      return `${one.accounts.join(', ')} (${one.endpoint})`;
    case 'kind':
    case 'release':
      return `${one.before} → ${one.after}`;
    default:
      return unreachable(one);
  }
}

function processName({ program, pid, startedAt }: ProcessReport): string {
  return `${program} (pid ${pid}${startedAt === null ? '' : `, since ${startedAt.slice(0, 19)}Z`})`;
}

function verdicts({ before, after, changes }: TargetDiff): string {
  if (changes.some(({ change }) => change === 'down')) return `${before} → down`;
  if (before === null) return `new, ${after}`;
  if (after === null) return `gone (was ${before})`;
  return before === after ? after : `${before} → ${after}`;
}

/** What the last line of a diff counts. */
class Totals {
  #targets = 0;
  #lost = 0;
  #left = 0;

  add({ gone, after }: TargetDiff): void {
    this.#targets += 1;
    if (after === null) this.#left += 1;
    this.#lost += gone.filter(({ why }) => why === 'not-seen').length;
  }

  of({ new: added, changed, unseen, gone }: DiffStream['summary']): string {
    if (this.#targets === 0) return 'Nothing changed.';
    const left = this.#left === 0 ? '' : ` (${this.#left} no longer in the report)`;
    return `${added} new, ${changed} changed, ${unseen + this.#lost} no longer seen, ${gone - this.#lost} gone in ${count(this.#targets, 'target')}${left}.`;
  }
}

function vantageRows({ exposed, unseen }: VantageReport): string[] {
  return [
    ...exposed.map(({ target, endpoint, inside, modules }) => {
      const offers = modules === null ? '' : `; it offers ${modules.join(', ') || 'nothing'}`;
      const says =
        inside === null ? 'inside does not list this interface' : `inside says ${reachWords(inside)}`;
      return line(`${target}: ${endpoint} answers from outside; ${says}${offers}`);
    }),
    ...unseen.map((name) => line(`${name}: was not audited from outside`)),
  ];
}

/** `this machine only`. */
function reachWords(reach: Reach): string {
  return reach === 'any' ? callers.any : `${callers[reach]} only`;
}

function vantageTotals({ exposed, unseen }: VantageReport): string {
  if (exposed.length === 0 && unseen.length === 0) return 'Outside reaches no private interface.';
  return `${count(exposed.length, 'interface')} reached from outside but private inside; ${count(unseen.length, 'target')} not audited from outside.`;
}
