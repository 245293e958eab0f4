/**
 * Annotations for a GitHub Actions log: at most ten errors, ten warnings and ten notices, the limits of one step, the most
 * severe first. The step summary gets the Markdown report.
 */
import { count } from '../../util/words.js';
import type { Targets } from '../facts/report.js';
import { forSeverities } from '../facts/severity.js';
import { line } from './escape.js';
import type { Render } from './format.js';
import { type Listed, mostSevere, placelessReason } from './listing.js';
import { rollUp } from './roll-up.js';

const maxOfType = 10;
/** Open questions that are annotated, of the ten warnings. */
const maxPlaces = 4;
const commands = forSeverities('error', 'error', 'warning', 'notice', 'notice');

export const github: Render = async function* (report) {
  const { undetermined, targets } = report.summary;
  const { accepted, findings } = await rollUp(report);
  const total = `${count(findings, 'finding')}, ${count(undetermined, 'check')} not seen`;
  const blind = `::warning title=kaiactl::${count(undetermined, 'check')} not seen, which is not passed`;
  const open = undetermined === 0 ? [] : [...(await placesOf(report.targets)), blind];
  const but = accepted === 0 ? '' : `, ${accepted} critical suppressed`;
  const shown: Listed[] = [];
  for (const type of ['error', 'warning', 'notice'] as const) {
    const limit = type === 'warning' ? maxOfType - open.length : maxOfType;
    shown.push(...(await mostSevere(report.targets, limit, (severity) => commands[severity] === type)));
  }
  const hidden =
    findings > shown.length ? `; the ${shown.length} most severe of their types are annotated` : '';
  yield [
    ...shown.map(annotation),
    ...open,
    `kaiactl: ${total}${but} in ${count(targets, 'target')}${hidden}`,
    '',
  ].join('\n');
};

function annotation({ target, finding }: Listed): string {
  const { at, rule, severity, message, fix } = finding;
  const place =
    'endpoint' in at
      ? {}
      : { file: at.file, line: at.line, endLine: at.endLine, col: at.column, endColumn: at.endColumn };
  const names = 'endpoint' in at ? [...new Set([target, at.endpoint])] : [];
  const where = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return command(commands[severity], place, `${severity}: ${rule}`, `${message}${where} Fix: ${fix}`);
}

function command(type: string, place: object, title: string, text: string): string {
  const properties = Object.entries({ ...place, title }).map(
    ([name, value]) => `${name}=${property(String(value))}`,
  );
  return `::${type} ${properties.join(',')}::${data(text)}`;
}

/** Open questions with a place, and files that cannot be read to their end. */
async function placesOf(targets: Targets): Promise<string[]> {
  const places: string[] = [];
  for await (const { name, undetermined } of targets)
    for (const { rule, code, reason, at } of undetermined) {
      if (at === undefined && code !== 'unreadable') continue;
      const place = at === undefined ? { file: name } : { file: at.file, line: at.line, col: at.column };
      const type = code === 'unreadable' ? 'error' : 'warning';
      if (places.length < maxPlaces)
        places.push(command(type, place, `undetermined: ${rule}`, placelessReason({ at, reason })));
    }
  return places;
}

/** The runner's own escapes (actions/toolkit, command.ts). */
function data(text: string): string {
  return line(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
