/** Checkstyle XML for editors and review tools. Suppressed critical findings are listed as notes; other suppressed findings are omitted. */
import { groupBy } from '../../util/group-by.js';
import { xml } from '../../util/xml.js';
import type { TargetReport } from '../facts/report.js';
import { forSeverities } from '../facts/severity.js';
import type { Render } from './format.js';
import { type Problem, problemsOf, sourceName } from './listing.js';

const levels = {
  ...forSeverities('error', 'error', 'warning', 'info', 'info'),
  accepted: 'info',
  undetermined: 'warning',
};

type Entry = readonly [file: string, element: string];

/** Entries that are grouped by file at a time; a file may appear twice in a longer report. */
const maxHeld = 1_000;

export const checkstyle: Render = async function* ({ targets }) {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n';
  let held: Entry[] = [];
  for await (const target of targets) {
    for (const one of problemsOf(target)) held.push(entryOf(target, one));
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

function entryOf(target: TargetReport, { kind, rule, at, text, code }: Problem): Entry {
  const isFile = at !== undefined && !('endpoint' in at);
  const place = isFile ? `line="${at.line}" column="${at.column}"` : 'line="1"';
  const severity = code === 'unreadable' ? 'error' : levels[kind];
  const attributes = `${place} severity="${severity}" message="${xml(text)}" source="${xml(`kaiactl.${rule}`)}"`;
  return [isFile ? at.file : (at?.endpoint ?? sourceName(target)), `    <error ${attributes}/>\n`];
}
