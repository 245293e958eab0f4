/** GitHub-flavoured Markdown: for a pull request’s comment, a step summary, a wiki. */
import { count } from '../../util/words.js';
import type { DriftRow, Finding, ReportStream, TargetReport } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';
import { code, markdown as words } from './escape.js';
import type { Render } from './format.js';
import { interfaceHeads, interfaceRows } from './interface-rows.js';
import { isLive, isSimulated, placeName, standing } from './listing.js';
import { fixesOf, patchLines } from './patched.js';
import { countsOf, headline, type RollUp, rollUp, whichOf, worstFirst } from './roll-up.js';

/** GitHub limits a step summary to 1 MiB and a comment to 65,536 characters. */
const maxLength = 60_000;

export const markdown: Render = async function* (report, { kinds }) {
  const all = await rollUp(report);
  const head = `# kaiactl: ${headline(all)}\n\n${totals(report, all)}\n${causes(all)}`;
  yield head;
  let room = maxLength - head.length;
  let cut = all.count;
  for await (const one of worstFirst(report.targets, all)) {
    const block = `\n${cut === all.count ? fitted(one, room, kinds) : target(one, kinds)}\n`;
    room -= block.length;
    if (room <= 0) break;
    yield block;
    cut -= 1;
  }
  if (cut > 0) yield `\n… and ${count(cut, 'target')} more, left out to keep this short.\n`;
};

/** Of one target its findings; of several how many targets have one. */
function totals({ summary }: ReportStream, { count: targets, having }: RollUp): string {
  const names = [...severities, 'suppressed', 'undetermined'] as const;
  if (targets < 2) return table([...names], [names.map((name) => String(summary[name]))]);
  return table(['targets with', ...names], [['', ...names.map((name) => String(having[name]))]]);
}

/** Findings by rule over all targets. */
function causes(all: RollUp): string {
  if (all.count < 2 || all.causes.length === 0) return '';
  const rows = all.causes.map((cause) => [
    code(cause.rule),
    `${countsOf(cause)} of ${all.count}`,
    whichOf(cause, all, 3, words),
  ]);
  return `\n${table(['rule', 'targets', 'which'], rows)}\n`;
}

/** The target with as many of its findings as fit. */
function fitted(one: TargetReport, room: number, kinds: readonly Kind[]): string {
  let text = target(one, kinds);
  for (let shown = one.findings.length >> 1; text.length >= room - 100 && shown > 0; shown >>= 1) {
    const left = count(one.findings.length - shown, 'finding');
    text = `${target({ ...one, findings: one.findings.slice(0, shown) }, kinds)}\n\n… and ${left} more, left out to keep this short.`;
  }
  return text;
}

function target(one: TargetReport, kinds: readonly Kind[]): string {
  const { name, findings, undetermined, drift } = one;
  const simulated = isSimulated(one) ? ' · SIMULATED' : '';
  const parts = [`## ${words(name)} · ${words(standing(one))}${simulated}`];
  if (isLive(one)) {
    const rows = interfaceRows(one, kinds).map((row) => row.map(words));
    parts.push(table(interfaceHeads, rows));
  }
  if (findings.length > 0) {
    const rows = findings.map((finding) => [
      finding.suppressed === null ? finding.severity : `~~${finding.severity}~~`,
      code(finding.rule),
      code(placeName(finding.at)),
      words(finding.message),
      fixes(finding),
    ]);
    parts.push(table(['severity', 'rule', 'place', 'what', 'fix'], rows));
  }
  if (drift !== undefined && drift.length > 0) parts.push(driftTable(drift));
  if (undetermined.length > 0) {
    const lines = undetermined.map(({ rule, reason }) => `- ${code(rule)} ${words(reason)}`);
    parts.push(['Not seen:', '', ...lines].join('\n'));
  }
  return parts.join('\n\n');
}

/** The fix and its alternatives, each with the lines to paste. */
function fixes(finding: Finding): string {
  const ways = fixesOf(finding).map((one) =>
    [words(one.fix), ...patchLines(finding, one.edits).map((line) => code(line))].join('<br>'),
  );
  return ways.join('<br>or: ');
}

function driftTable(rows: readonly DriftRow[]): string {
  return table(
    ['drift', 'conf says', 'process says', 'node says', 'note'],
    rows.map(({ setting, conf, process, node, note }) => [
      code(setting),
      code(conf),
      process === null ? '–' : code(process),
      node === null ? '–' : code(node),
      words(note ?? ''),
    ]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
