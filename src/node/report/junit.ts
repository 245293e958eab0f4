/**
 * JUnit XML as Jenkins and GitLab read it: a suite for each target, a case for each rule that passed and for each
 * finding. A case fails exactly where --fail-on does; what was not seen is skipped, never passed.
 */
import type { Finding, Report, TargetReport, Undetermined } from '../facts/report.js';
import { xml } from './escape.js';
import type { Render } from './format.js';
import { fails, placeName } from './listing.js';

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

interface Case {
  readonly name: string;
  readonly outcome: Outcome;
  /** XML inside the case. */
  readonly body: string;
}

export const junit: Render = (report) => {
  const seconds = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  const suites = report.targets.map((target) => ({ target, cases: casesOf(target, report) }));
  const totals = counts(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kaiactl" ${totals} time="${Math.max(0, seconds || 0)}">`,
    ...suites.flatMap(({ target, cases }) => suite(target, cases, report.startedAt)),
    '</testsuites>\n',
  ].join('\n');
};

function suite(target: TargetReport, cases: readonly Case[], startedAt: string): string[] {
  const name = xml(target.name);
  return [
    `  <testsuite name="${name}" ${counts(cases)} timestamp="${xml(startedAt.replace(/\.\d+Z$/, ''))}">`,
    ...cases.map((one) => {
      const head = `    <testcase classname="${name}" name="${xml(one.name)}"`;
      return one.body === '' ? `${head}/>` : `${head}>${one.body}</testcase>`;
    }),
    '  </testsuite>',
  ];
}

function counts(cases: readonly Case[]): string {
  const of = (outcome: Outcome): number => cases.filter((one) => one.outcome === outcome).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

function casesOf(target: TargetReport, report: Report): Case[] {
  const passes = (target.checks ?? []).filter(({ verdict }) => verdict === 'pass');
  return [
    ...passes.map(({ rule }): Case => ({ name: rule, outcome: 'passed', body: '' })),
    ...target.findings.map((finding) => findingCase(finding, target.failOn ?? report.failOn)),
    ...target.undetermined.map(openCase),
  ];
}

function findingCase(finding: Finding, failOn: Report['failOn']): Case {
  const name = `${finding.rule}: ${finding.subject} (${placeName(finding.at)})`;
  if (finding.suppressed !== null) {
    return {
      name,
      outcome: 'skipped',
      body: `<skipped message="${xml(`suppressed ${finding.severity}: ${finding.suppressed.reason}`)}"/>`,
    };
  }
  const text = `${xml(finding.message)}\n${xml(placeName(finding.at))}\nfix: ${xml(finding.fix)}`;
  if (!fails(finding, failOn)) {
    return {
      name,
      outcome: 'passed',
      body: `<system-out>${finding.severity}, below --fail-on ${failOn}: ${text}</system-out>`,
    };
  }
  const failure = `<failure type="${finding.severity}" message="${xml(finding.message)}">${text}</failure>`;
  return { name, outcome: 'failure', body: failure };
}

function openCase({ rule, reason, defect }: Undetermined): Case {
  if (defect !== true) {
    return { name: rule, outcome: 'skipped', body: `<skipped message="${xml(`undetermined: ${reason}`)}"/>` };
  }
  return { name: rule, outcome: 'error', body: `<error type="defect" message="${xml(reason)}"/>` };
}
