/**
 * JUnit XML: a case for each rule that passed and each finding. A finding at or above `--fail-on` fails. An undetermined
 * check is skipped, one whose answer or file was unreadable is an error, and neither passes.
 */

import { nameApart } from '../../util/group-by.js';
import { xml } from '../../util/xml.js';
import type { Finding, ReportStream, TargetReport, Undetermined } from '../facts/report.js';
import { type FailOn, fails } from '../facts/severity.js';
import type { Span } from '../facts/span.js';
import type { Render } from './format.js';
import { placeName } from './listing.js';

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

interface Case {
  /** Without line numbers, so that it is the same after an edit. */
  readonly name: string;
  readonly at?: Span;
  readonly outcome: Outcome;
  /** XML inside the case. */
  readonly body: string;
}

export const junit: Render = async function* (report) {
  const seconds = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  const totals = new Totals();
  for await (const target of report.targets) totals.add(casesOf(target, report));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="kaiactl" ${totals} time="${Math.max(0, seconds || 0)}">\n`;
  for await (const target of report.targets) yield suite(target, report);
  yield '</testsuites>\n';
};

function suite(target: TargetReport, report: ReportStream): string {
  const name = xml(target.name);
  const cases = casesOf(target, report);
  const started = xml(report.startedAt.replace(/\.\d+Z$/, ''));
  return [
    `  <testsuite name="${name}" ${new Totals().add(cases)} timestamp="${started}">`,
    ...cases.map((one) => {
      const place = one.at === undefined ? '' : ` file="${xml(one.at.file)}" line="${one.at.line}"`;
      const head = `    <testcase classname="${name}" name="${xml(one.name)}"${place}`;
      return one.body === '' ? `${head}/>` : `${head}>${one.body}</testcase>`;
    }),
    '  </testsuite>\n',
  ].join('\n');
}

/** The attributes of a suite that count cases. */
class Totals {
  readonly #of: Record<Outcome, number> = { passed: 0, failure: 0, error: 0, skipped: 0 };

  add(cases: readonly Case[]): this {
    for (const { outcome } of cases) this.#of[outcome] += 1;
    return this;
  }

  toString(): string {
    const { passed, failure, error, skipped } = this.#of;
    const tests = passed + failure + error + skipped;
    return `tests="${tests}" failures="${failure}" errors="${error}" skipped="${skipped}"`;
  }
}

function casesOf(target: TargetReport, report: ReportStream): Case[] {
  const passes = (target.checks ?? []).filter(({ verdict }) => verdict === 'pass');
  // Readers take cases of one name for one.
  return nameApart([
    ...passes.map(({ rule }): Case => ({ name: rule, outcome: 'passed', body: '' })),
    ...target.findings.map((finding) => findingCase(finding, target.failOn ?? report.failOn)),
    ...target.undetermined.map(openCase),
  ]);
}

function findingCase(finding: Finding, failOn: FailOn): Case {
  const { rule, subject, severity, suppressed, message, at, fix } = finding;
  const named = { name: `${rule}: ${subject}`, ...('endpoint' in at ? {} : { at }) };
  if (suppressed !== null) {
    const why = xml(`suppressed ${severity}: ${suppressed.reason}`);
    return { ...named, outcome: 'skipped', body: `<skipped message="${why}"/>` };
  }
  const text = `${xml(message)}\n${xml(placeName(at))}\nfix: ${xml(fix)}`;
  if (fails(finding, failOn)) {
    const body = `<failure type="${severity}" message="${xml(message)}">${text}</failure>`;
    return { ...named, outcome: 'failure', body };
  }
  const body = `<system-out>${severity}, below --fail-on ${failOn}: ${text}</system-out>`;
  return { ...named, outcome: 'passed', body };
}

/** A file that cannot be read to its end is an error: a build must not take it for a pass. */
function openCase({ rule, reason, defect, code, at }: Undetermined): Case {
  const place = at === undefined ? {} : { at };
  if (defect !== true && code !== 'unreadable') {
    const body = `<skipped message="${xml(`undetermined: ${reason}`)}"/>`;
    return { name: rule, ...place, outcome: 'skipped', body };
  }
  const type = defect === true ? 'defect' : code;
  return { name: rule, ...place, outcome: 'error', body: `<error type="${type}" message="${xml(reason)}"/>` };
}
