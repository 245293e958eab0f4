/** Annotations for a GitHub Actions log: ten at most, which is what one step shows, the most severe first. */
import { line } from './escape.js';
import type { Render } from './format.js';
import { acceptedCriticals, count, type Listed, openFindings } from './listing.js';

const most = 10;
const commands = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'notice',
  info: 'notice',
} as const;

export const github: Render = (report) => {
  const findings = openFindings(report);
  const { undetermined } = report.summary;
  const total = `${count(findings.length, 'finding')}, ${count(undetermined, 'open question')}`;
  const hidden = findings.length > most ? `; the ${most} most severe are annotated` : '';
  const open = undetermined === 0 ? [] : [blindness(undetermined)];
  const accepted = report.targets.reduce((sum, one) => sum + acceptedCriticals(one).length, 0);
  const but = accepted === 0 ? '' : `, ${accepted} critical suppressed`;
  const shown = findings.slice(0, most - open.length).map(annotation);
  return [
    ...shown,
    ...open,
    `kaiactl: ${total}${but} in ${count(report.summary.targets, 'target')}${hidden}`,
    '',
  ].join('\n');
};

function annotation({ target, finding }: Listed): string {
  const { at, rule, severity, message, fix } = finding;
  const place: Record<string, string | number> =
    'endpoint' in at
      ? {}
      : { file: at.file, line: at.line, endLine: at.endLine, col: at.column, endColumn: at.endColumn };
  const properties = Object.entries({ ...place, title: `${severity}: ${rule}` })
    .map(([name, value]) => `${name}=${property(String(value))}`)
    .join(',');
  const where = 'endpoint' in at ? ` (${target.name}, ${at.endpoint})` : '';
  return `::${commands[severity]} ${properties}::${data(`${message}${where} Fix: ${fix}`)}`;
}

function blindness(undetermined: number): string {
  return `::warning title=kaiactl::${count(undetermined, 'question')} could not be answered: not seen is not passed`;
}

/** The runner's own escapes (actions/toolkit, command.ts). */
function data(text: string): string {
  return line(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
