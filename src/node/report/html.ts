/** A self-contained page, for phone and paper too: who reaches which module, findings with filters, fixes to copy. */
import { createHash } from 'node:crypto';
import type { ReportStream, TargetReport, Targets } from '../facts/report.js';
import { compareSeverity, severities } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';
import { xml } from './escape.js';
import type { Render } from './format.js';
import { interfaceMatrix, targetMatrix } from './html-matrix.js';
import { script } from './html-script.js';
import { style } from './html-style.js';
import { targetCard } from './html-target.js';
import { type Cause, headline, type RollUp, rollUp, verdictOf } from './roll-up.js';

/** A page with more targets has one matrix row per target and starts with closed cards. */
const few = 12;

/** No network, and only our script and style: markup in untrusted text could not run. */
const policy = [
  "default-src 'none'",
  `style-src '${hash(style)}'`,
  `script-src '${hash(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export const html: Render = async function* (report, { kinds }) {
  const all = await rollUp(report);
  const words = headline(all);
  const many = all.count > few;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>kaiactl: ${words}</title><style>${style}</style></head>
<body${many ? ' class="many"' : ''}><a class="skip" href="#findings">To the findings</a>
<header><p class="brand">kaiactl</p><h1><span class="${verdictOf(all)}">${words}</span></h1><p class="meta">${meta(report)}</p>${totals(report)}</header>
`;
  if (many) yield causes(all);
  yield `<section id="overview" aria-labelledby="reach"><div class="card"><h2 id="reach">What is open to whom</h2>${all.offline ? offline : ''}`;
  yield* many ? targetMatrix(report.targets, kinds) : fewMatrix(report.targets, kinds);
  yield `${legend}</div></section>`;
  if (!many) yield causes(all);
  yield `
<section id="filters" class="bar" aria-label="Filters" hidden>${filters(all)}</section>
<main id="findings">
`;
  let at = 0;
  const options = { open: !many, withMatrix: many, kinds, rules: report.rules };
  for await (const target of report.targets) yield `${targetCard(target, at++, options)}\n`;
  yield `${all.count === 0 ? '\n' : ''}</main>
<footer>${xml(report.tool.name)} ${xml(report.tool.version)} · What was not seen is never counted as passed.</footer>
<script>${script}</script></body></html>
`;
};

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function meta({ startedAt, finishedAt, failOn, exitCode }: ReportStream): string {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  const took = Number.isFinite(seconds) ? ` · took ${Math.max(0, seconds).toFixed(1)} s` : '';
  const when = xml(startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC'));
  return `${when}${took} · fails at ${failOn} · exit code ${exitCode}`;
}

function totals({ summary }: ReportStream): string {
  const names = [...severities, 'suppressed', 'undetermined'] as const;
  const items = names.map(
    (name) =>
      `<li${summary[name] === 0 ? ' class="zero"' : ''}><b>${summary[name]}</b>${labels[name] ?? name}</li>`,
  );
  return `<ul class="totals">${items.join('')}</ul>`;
}

const labels: Readonly<Record<string, string>> = { undetermined: 'not seen' };

const offline = '<p class="meta">From settings only: no node was asked.</p>';

async function* fewMatrix(targets: Targets, kinds: readonly Kind[]): AsyncGenerator<string> {
  const all: TargetReport[] = [];
  for await (const target of targets) all.push(target);
  yield interfaceMatrix(all, all.length > 1, kinds);
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
  ['info', '', 'privileged'],
]
  .map(([worth, shape, word]) => `<li class="k ${worth}"><span class="dot">${shape}</span> ${word}</li>`)
  .join('')}</ul>`;

/** Findings by rule over all targets; names the targets with or without the finding, whichever are fewer. */
function causes(all: RollUp): string {
  if (all.count < 2 || all.causes.length === 0) return '';
  const sorted = [...all.causes].sort((a, b) => compareSeverity(a.severity, b.severity) || a.first - b.first);
  const rows = sorted.map((cause) => {
    const { rule, severity, count } = cause;
    return `<tr><td><span class="chip ${severity}">${severity}</span></td><th scope="row"><a href="#findings" data-rule="${xml(rule)}"><code>${xml(rule)}</code></a></th><td>${count} of ${all.count}</td><td>${exceptions(cause, all.count)}</td></tr>`;
  });
  return `<section aria-labelledby="causes"><div class="card"><h2 id="causes">Causes</h2><div class="scroll"><table class="causes"><tbody>${rows.join('')}</tbody></table></div></div></section>`;
}

function exceptions({ count, having, lacking }: Cause, of: number): string {
  if (count === of) return 'all';
  return of - count < count ? `all but ${named(lacking, of - count)}` : named(having, count);
}

function named(names: readonly string[], count: number): string {
  return `${names.slice(0, 6).map(xml).join(', ')}${count > 6 ? ` and ${count - 6} more` : ''}`;
}

function filters({ rules }: RollUp): string {
  const buttons = severities.map(
    (name) =>
      `<button type="button" data-severity="${name}" aria-pressed="true"><b class="${name}"></b>${name}</button>`,
  );
  const options = [...rules].sort().map((rule) => `<option value="${xml(rule)}">${xml(rule)}</option>`);
  return `${buttons.join('')}<label><span class="vh">Rule</span><select id="rule"><option value="">every rule</option>${options.join('')}</select></label><input id="target" type="search" placeholder="target" aria-label="Target"><label><input id="suppressed" type="checkbox"> suppressed</label><output id="shown" role="status"></output>`;
}
