/** Checkstyle XML for editors and review tools. Suppressed critical findings are listed as notes; other suppressed findings are omitted. */
import { groupBy } from '../../util/group-by.js';
import { xml } from '../../util/xml.js';
import type { Finding, TargetReport } from '../facts/report.js';
import type { Severity } from '../facts/severity.js';
import type { Render } from './format.js';
import { acceptedCriticals, sourceName } from './listing.js';

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'info', info: 'info' } as const;

interface Entry {
  readonly file: string;
  readonly line: number;
  readonly column: number | null;
  readonly severity: (typeof levels)[Severity];
  readonly message: string;
  readonly source: string;
}

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
  return [...groupBy(all, ({ file }) => file)]
    .map(([file, entries]) => `  <file name="${xml(file)}">\n${entries.map(element).join('')}  </file>\n`)
    .join('');
}

function element({ line, column, severity, message, source }: Entry): string {
  const place = column === null ? `line="${line}"` : `line="${line}" column="${column}"`;
  return `    <error ${place} severity="${severity}" message="${xml(message)}" source="${xml(source)}"/>\n`;
}

function entriesOf(target: TargetReport): Entry[] {
  const open = target.findings.filter(({ suppressed }) => suppressed === null);
  const accepted = acceptedCriticals(target).map(acceptedEntry);
  return [...open.map(findingEntry), ...accepted, ...openEntries(target)];
}

function findingEntry({ at, severity, message, fix, rule }: Finding): Entry {
  return {
    ...('endpoint' in at
      ? { file: at.endpoint, line: 1, column: null }
      : { file: at.file, line: at.line, column: at.column }),
    severity: levels[severity],
    message: `${message} Fix: ${fix}`,
    source: `kaiactl.${rule}`,
  };
}

/** A note, so that the file does not look clean. */
function acceptedEntry(finding: Finding): Entry {
  const message = `suppressed critical: ${finding.message} Reason: ${finding.suppressed?.reason}`;
  return { ...findingEntry(finding), severity: 'info', message };
}

/** A warning for each undetermined check, so that an empty report means that everything was seen. */
function openEntries(target: TargetReport): Entry[] {
  return target.undetermined.map(({ rule, reason, code, at }) => ({
    file: at?.file ?? sourceName(target),
    line: at?.line ?? 1,
    column: at?.column ?? null,
    severity: code === 'unreadable' ? 'error' : 'warning',
    message: `undetermined: ${reason}`,
    source: `kaiactl.${rule}`,
  }));
}
