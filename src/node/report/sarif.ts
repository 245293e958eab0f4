/** SARIF 2.1.0 for code scanning, with `security-severity`, fingerprints, suppressions and fixes. */
import { posix } from 'node:path';
import {
  type Edit,
  type Finding,
  interfaceName,
  type Place,
  type ReportStream,
  type RuleInfo,
  type TargetReport,
} from '../facts/report.js';
import { forSeverities } from '../facts/severity.js';
import type { Span } from '../facts/span.js';
import { line, markdown } from './escape.js';
import type { Render } from './format.js';
import { itemsOf, jsonPieces } from './json.js';
import { placelessReason } from './listing.js';
import { waysOf } from './patched.js';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

const levels = forSeverities('error', 'error', 'warning', 'note', 'note');

/** Scores in the middle of GitHub's bands critical, high, medium and low. */
const scores = forSeverities('9.5', '8.0', '5.5', '2.5', '0.0');

export const sarif: Render = (report) => jsonPieces(log(report));

function log(report: ReportStream) {
  const index = new Map(report.rules.map(({ id }, at) => [id, at]));
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            semanticVersion: report.tool.version,
            informationUri: report.tool.homepage,
            rules: report.rules.map(descriptor),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [invocation(report, index)],
        results: itemsOf(report.targets, (target) =>
          target.findings.map((finding) => result(target, finding, index)),
        ),
      },
    ],
  };
}

function descriptor({ id, severity, title, why, fix, page }: RuleInfo) {
  return {
    id,
    name: id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: line(title) },
    fullDescription: { text: line(why) },
    help: {
      text: line(`${why} ${fix}`),
      markdown: `${markdown(why)}\n\n**Fix.** ${markdown(fix)}\n\n\`kaiactl node explain ${id}\` shows examples.`,
    },
    helpUri: page,
    defaultConfiguration: { level: levels[severity] },
    properties: { 'security-severity': scores[severity], tags: ['security'] },
  };
}

/** Undetermined checks are notifications, which viewers count neither as findings nor as passes. */
function invocation(report: ReportStream, index: ReadonlyMap<string, number>) {
  return {
    executionSuccessful: report.exitCode === 0 || report.exitCode === 1 || report.exitCode === 3,
    exitCode: report.exitCode,
    startTimeUtc: report.startedAt,
    endTimeUtc: report.finishedAt,
    toolExecutionNotifications: itemsOf(report.targets, (target) =>
      target.undetermined.map(({ rule, reason, defect, code, at }) => ({
        level: defect === true || code === 'unreadable' ? 'error' : 'warning',
        locations: at === undefined ? undefined : [location(at, target)],
        message: { text: line(`${target.name}: ${placelessReason({ at, reason })}`) },
        associatedRule: { id: rule, index: index.get(rule) },
      })),
    ),
  };
}

function result(target: TargetReport, finding: Finding, index: ReadonlyMap<string, number>) {
  const { rule, severity, message, fix, related, suppressed } = finding;
  return {
    ruleId: rule,
    ruleIndex: index.get(rule),
    kind: 'fail',
    level: levels[severity],
    message: { text: line(`${message} Fix: ${fix}`) },
    locations: [location(finding.at, target)],
    relatedLocations: some(
      related.map(({ at, note }) => ({ ...location(at, target), message: { text: line(note) } })),
    ),
    partialFingerprints: {
      'kaiactl/v1': finding.fingerprint,
      // The name by which GitHub follows an alert from one upload to the next.
      primaryLocationLineHash: `${finding.fingerprint}:1`,
    },
    suppressions: [suppressed ?? []].flat().map(({ baseline, reason }) => ({
      kind: baseline === true ? 'external' : 'inSource',
      status: 'accepted',
      justification: line(reason),
    })),
    fixes: some(fixesOf(finding)),
    properties: {
      'security-severity': scores[severity],
      severity,
      subject: line(finding.subject),
      target: line(target.name),
    },
  };
}

/** An empty list is left out. */
function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** The fix and its alternatives, if they have edits. */
function fixesOf(finding: Finding) {
  return waysOf(finding)
    .filter((one) => one.edits.length > 0)
    .map((one) => ({ description: { text: line(one.fix) }, artifactChanges: changes(one.edits) }));
}

/**
 * An endpoint is a logical location. GitHub refuses a file with a location that has no artifact, or one of another scheme
 * than file, so the artifact is then the target's conf, or a name made of the target's.
 */
function location(at: Place, target: TargetReport) {
  if (!('endpoint' in at)) {
    return { physicalLocation: { artifactLocation: artifact(at.file), region: region(at) } };
  }
  const one = target.interfaces.find(({ endpoint }) => endpoint === at.endpoint);
  const name = one?.simulated === true ? `${target.name} ${interfaceName(one)} (simulated)` : at.endpoint;
  const file = target.conf?.path ?? `nodes/${target.name.replace(/[^\w.-]+/g, '-')}`;
  return {
    physicalLocation: { artifactLocation: artifact(file), region: { startLine: 1 } },
    logicalLocations: [{ fullyQualifiedName: line(name), kind: 'resource' }],
  };
}

/** A URI reference, percent-encoded: relative to the working folder, or file:///… */
function artifact(file: string) {
  const path = posix.normalize(file.replaceAll('\\', '/'));
  const encoded = path
    .split('/')
    .map((segment) => encodeURIComponent(Buffer.from(segment).toString()))
    .join('/');
  if (path.startsWith('/')) return { uri: `file://${encoded}` };
  return { uri: encoded.replace(/^\.\//, ''), uriBaseId: '%SRCROOT%' };
}

function region({ line: startLine, column: startColumn, endLine, endColumn }: Span) {
  return { startLine, startColumn, endLine, endColumn };
}

function changes(edits: readonly Edit[]) {
  return [...new Set(edits.map(({ file }) => file))].map((file) => ({
    artifactLocation: artifact(file),
    replacements: edits
      .filter((edit) => edit.file === file)
      .map((edit) => ({ deletedRegion: region(edit), insertedContent: { text: edit.text } })),
  }));
}
