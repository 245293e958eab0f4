/** Checkstyle XML for editors and review tools. Suppressed critical findings are listed as notes; other suppressed findings are omitted. */
import { groupBy } from '../../util/group-by.js';
import { xml } from '../../util/xml.js';
import type { Place, TargetReport } from '../facts/report.js';
import { forSeverities, type Severity } from '../facts/severity.js';
import type { Render } from './format.js';
import { acceptedCriticals, sourceName } from './listing.js';

const levels = forSeverities('error', 'error', 'warning', 'info', 'info');

type Entry = readonly [file: string, element: string];

/** Entries that are grouped by file at a time; a file may appear twice in a longer report. */
const maxHeld = 1_000;

export const checkstyle: Render = async function* ({ targets }) {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n';
  let held: Entry[] = [];
  for await (const target of targets) {
    for (const entry of entriesOf(target)) held.push(entry);
    if (held.length <= maxHeld) continue;
    yield byFile(held);
    held = [];
  }
  yield `${byFile(held)}</checkstyle>\n`;
};

function byFile(all: readonly Entry[]): string {
  return [...groupBy(all, ([file]) => file)]
    .map(
      ([file, entries]) =>
        `  <file name="${xml(file)}">\n${entries.map(([, one]) => one).join('')}  </file>\n`,
    )
    .join('');
}

function entriesOf(target: TargetReport): Entry[] {
  const open = target.findings.filter(({ suppressed }) => suppressed === null);
  return [
    ...open.map(({ at, severity, message, fix, rule }) =>
      entry(target, at, levels[severity], `${message} Fix: ${fix}`, rule),
    ),
    // A note, so that the file does not look clean.
    ...acceptedCriticals(target).map(({ at, message, suppressed, rule }) =>
      entry(target, at, 'info', `suppressed critical: ${message} Reason: ${suppressed?.reason}`, rule),
    ),
    // A warning for each undetermined check, so that an empty report means that everything was seen.
    ...target.undetermined.map(({ rule, reason, code, at }) =>
      entry(target, at, code === 'unreadable' ? 'error' : 'warning', `undetermined: ${reason}`, rule),
    ),
  ];
}

function entry(
  target: TargetReport,
  at: Place | undefined,
  severity: (typeof levels)[Severity],
  message: string,
  rule: string,
): Entry {
  const isFile = at !== undefined && !('endpoint' in at);
  const place = isFile ? `line="${at.line}" column="${at.column}"` : 'line="1"';
  const attributes = `${place} severity="${severity}" message="${xml(message)}" source="${xml(`kaiactl.${rule}`)}"`;
  return [isFile ? at.file : (at?.endpoint ?? sourceName(target)), `    <error ${attributes}/>\n`];
}
