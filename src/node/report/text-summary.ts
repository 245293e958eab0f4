/** The end of a report for people: totals, the threshold, and what to run next. */
import { columns as columnsOf, wrap } from '../../terminal/wrap.js';
import { count } from '../../util/words.js';
import type { Changes, ReportStream } from '../facts/report.js';
import { compareSeverity, severities } from '../facts/severity.js';
import { type RollUp, verdictOf } from './roll-up.js';

/** Empty for one target, whose name is above. */
function placesOf({ count: nodes, files, live }: RollUp): string {
  if (nodes === 0) return ': no node was judged';
  if (nodes === 1) return '';
  if (live) return ` on ${nodes} nodes`;
  if (files === nodes) return ` in ${files} files`;
  return ` on ${nodes} nodes in ${count(files, 'file')}`;
}

/** The end of the report: totals, the threshold, and what to run next; `isShort`: some findings are not whole. */
export function summaryLine(
  report: ReportStream,
  all: RollUp,
  { width, isShort }: { readonly width: number; readonly isShort: boolean },
): string {
  const counts = severities
    .filter((one) => report.summary[one] > 0)
    .map((one) => `${report.summary[one]} ${one}`);
  const total = severities.reduce((sum, one) => sum + report.summary[one], 0);
  const where = placesOf(all);
  const parts = [
    total === 0 ? `No findings${where}.` : `${count(total, 'finding')}${where}: ${counts.join(', ')}.`,
  ];
  if (report.summary.suppressed > 0) parts.push(`${report.summary.suppressed} suppressed.`);
  if (report.summary.undetermined > 0) parts.push(`${count(report.summary.undetermined, 'check')} not seen.`);
  if (report.summary.changed !== undefined) parts.push(saidOf(report.summary.changed));
  if (total > 0) parts.push(threshold(all));
  const line = parts.join(' ');
  const [worst] = [...all.causes].sort(
    (a, b) => compareSeverity(a.severity, b.severity) || a.first - b.first,
  );
  const hints = [
    ...(worst === undefined ? [] : [`kaiactl node explain ${worst.rule}`]),
    ...(!isShort || total === 0 ? [] : ['--verbose shows each finding whole']),
  ];
  const hint = wrap(hints.join(' · '), width, 0, 0);
  return columnsOf(line) + hint.length + 3 > width
    ? [wrap(line, width, 0, 0), hint].filter(Boolean).join('\n')
    : `${line}   ${hint}`.trimEnd();
}

/** What options, settings and comments changed in the result. */
function saidOf({ hidden, severities, suppressed, acknowledged }: Changes): string {
  const parts = [
    [hidden, 'hidden'],
    [severities, 'with another severity'],
    [suppressed, 'suppressed by comments'],
    [acknowledged, 'acknowledged'],
  ] as const;
  const said = parts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  return `Changed by options, settings and comments: ${said.join(', ')}.`;
}

function threshold(all: RollUp): string {
  const own = [...all.thresholds];
  if (own.every((one) => one === 'none')) return 'Nothing fails (--fail-on none).';
  const at = own.join(' or ');
  return verdictOf(all) === 'fail' ? `Fails at ${at} (--fail-on).` : `None at ${at} or above (--fail-on).`;
}
