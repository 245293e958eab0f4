/**
 * One self-contained page. Nothing is fetched; its policy lets only the two constants run that are hashed here, so
 * that even text that got through as markup could not act.
 */
import { createHash } from 'node:crypto';
import type { Report, TargetReport } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { xml } from './escape.js';
import type { Render } from './format.js';
import { interfaceMatrix, targetMatrix } from './html-matrix.js';
import { script } from './html-script.js';
import { style } from './html-style.js';
import { targetCard } from './html-target.js';
import { headline, openFindings, verdictOf } from './listing.js';

/** More targets than this get one row each in the matrix, and start closed. */
const few = 12;

const policy = [
  "default-src 'none'",
  `style-src '${hash(style)}'`,
  `script-src '${hash(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export const html: Render = (report) => {
  const verdict = verdictOf(report);
  const words = headline(report);
  const many = report.targets.length > few;
  const cards = report.targets.map((target, at) => targetCard(target, at, !many, many));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>kaiactl: ${words}</title><style>${style}</style></head>
<body${many ? ' class="many"' : ''}><a class="skip" href="#findings">To the findings</a>
<header><p class="brand">kaiactl</p><h1><span class="${verdict}">${words}</span></h1><p class="meta">${meta(report)}</p>${totals(report)}</header>
${many ? causes(report) + overview(report.targets, many) : overview(report.targets, many) + causes(report)}
<section id="filters" class="bar" aria-label="Filters" hidden>${filters(report)}</section>
<main id="findings">
${cards.join('\n')}
</main>
<footer>${xml(report.tool.name)} ${xml(report.tool.version)} · What was not seen is never counted as passed.</footer>
<script>${script}</script></body></html>
`;
};

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function meta({ startedAt, finishedAt, failOn, exitCode }: Report): string {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  const took = Number.isFinite(seconds) ? ` · took ${Math.max(0, seconds).toFixed(1)} s` : '';
  const when = xml(startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC'));
  return `${when}${took} · fails at ${failOn} · exit code ${exitCode}`;
}

function totals({ summary }: Report): string {
  const names = [...severities, 'suppressed', 'undetermined'] as const;
  const items = names.map(
    (name) =>
      `<li${summary[name] === 0 ? ' class="zero"' : ''}><b>${summary[name]}</b>${labels[name] ?? name}</li>`,
  );
  return `<ul class="totals">${items.join('')}</ul>`;
}

const labels: Readonly<Record<string, string>> = { undetermined: 'not seen' };

function overview(targets: readonly TargetReport[], many: boolean): string {
  return `<section id="overview" aria-labelledby="reach"><div class="card"><h2 id="reach">What is open to whom</h2>${offline(targets)}${matrix(targets, many)}${legend}</div></section>`;
}

/** What the matrix rests on, where no node was asked. */
function offline(targets: readonly TargetReport[]): string {
  const all = targets.flatMap(({ interfaces }) => interfaces);
  return all.length > 0 && all.every(({ state }) => state === 'not-checked')
    ? '<p class="meta">As the settings would open it: no node was asked.</p>'
    : '';
}

function matrix(targets: readonly TargetReport[], many: boolean): string {
  if (targets.every(({ interfaces }) => interfaces.length === 0)) {
    return '<p class="meta">No interface was seen.</p>';
  }
  return many ? targetMatrix(targets) : interfaceMatrix(targets, targets.length > 1);
}

const legend = `<ul class="legend">${[
  ['', '●', 'any address'],
  ['', '◐', 'private network'],
  ['', '○', 'this machine'],
  ['', '?', 'reach not known'],
  ['critical', '', 'critical'],
  ['high', '', 'high'],
  ['medium', '', 'medium'],
  ['low', '', 'low'],
  ['info', '', 'privileged, no finding'],
]
  .map(([worth, shape, word]) => `<li class="k ${worth}"><span class="dot">${shape}</span> ${word}</li>`)
  .join('')}</ul>`;

/** Findings by rule over all targets, with the exceptions where they are the few. */
function causes(report: Report): string {
  if (report.targets.length < 2) return '';
  const findings = openFindings(report);
  const rules = [...new Set(findings.map(({ finding }) => finding.rule))];
  if (rules.length === 0) return '';
  const rows = rules.map((rule) => {
    const having = new Set(
      findings.filter(({ finding }) => finding.rule === rule).map(({ target }) => target),
    );
    const severity = findings.find(({ finding }) => finding.rule === rule)?.finding.severity ?? 'info';
    return `<tr><td><span class="chip ${severity}">${severity}</span></td><th scope="row"><a href="#findings" data-rule="${xml(rule)}"><code>${xml(rule)}</code></a></th><td>${having.size} of ${report.targets.length}</td><td>${exceptions(report.targets, having)}</td></tr>`;
  });
  return `<section aria-labelledby="causes"><div class="card"><h2 id="causes">Causes</h2><div class="scroll"><table class="causes"><tbody>${rows.join('')}</tbody></table></div></div></section>`;
}

function exceptions(all: readonly TargetReport[], having: ReadonlySet<TargetReport>): string {
  const lacking = all.filter((target) => !having.has(target));
  if (lacking.length === 0) return 'all';
  return lacking.length < having.size ? `all but ${named(lacking)}` : named([...having]);
}

function named(targets: readonly TargetReport[]): string {
  const shown = targets.slice(0, 6).map(({ name }) => xml(name));
  return `${shown.join(', ')}${targets.length > 6 ? ` and ${targets.length - 6} more` : ''}`;
}

function filters(report: Report): string {
  const buttons = severities.map(
    (name) =>
      `<button type="button" data-severity="${name}" aria-pressed="true"><b class="${name}"></b>${name}</button>`,
  );
  const rules = [
    ...new Set(report.targets.flatMap(({ findings }) => findings.map(({ rule }) => rule))),
  ].sort();
  const options = rules.map((rule) => `<option value="${xml(rule)}">${xml(rule)}</option>`).join('');
  return `${buttons.join('')}<label><span class="vh">Rule</span><select id="rule"><option value="">every rule</option>${options}</select></label><input id="target" type="search" placeholder="target" aria-label="Target"><label><input id="suppressed" type="checkbox"> suppressed</label><output id="shown" role="status"></output>`;
}
