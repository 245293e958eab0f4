/** A self-contained page, for phone and paper too: who reaches which module, findings with filters, fixes to copy. */
import { pageHead } from '../../util/page-style.js';
import { xml } from '../../util/xml.js';
import type { ReportStream, TargetReport } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import type { Render } from './format.js';
import { byPages, interfaceMatrix, targetMatrix } from './html-matrix.js';
import { worstFact } from './html-offers.js';
import { script, style } from './html-page.js';
import { simulatedMark, targetCard } from './html-target.js';
import { countsOf, firstWorst, headline, type RollUp, rollUp, verdictOf, whichOf } from './roll-up.js';
import { isSilent } from './text-nodes.js';

/** A page with more targets has one matrix row per target and starts with closed cards. */
const few = 12;

/** More targets than these are counted only: a page of them is slow to open. */
const maxShown = 1_000;

export const html: Render = async function* (report, { kinds }) {
  const all = await rollUp(report);
  const many = all.count > few;
  const fact = verdictOf(all) === 'fail' ? await worstFact(report.targets, kinds, all.nameOf) : null;
  const words = xml(fact ?? headline(all));
  // A name is not broken at its hyphens while it fits on a line.
  const heading = words.replace(/[^\s,]*[-/][^\s,]*/g, '<span class="name">$&</span>');
  const verdicts = fact === null ? '' : `${headline(all)} · `;
  const mark = all.simulated ? ` ${simulatedMark}` : '';
  yield `${pageHead(words, style, script)}
<body${many ? ' class="many"' : ''}><a class="skip" href="#findings">To the findings</a>
<header><p class="brand">kaiactl</p><h1><span class="${verdictOf(all)}">${heading}</span>${mark}</h1><p class="meta">${verdicts}${meta(report)}</p>${totals(report, all)}</header>
`;
  if (many) yield causes(all);
  yield `<section id="overview" aria-labelledby="reach"><div class="card"><h2 id="reach">What is open to whom${mark}</h2>${all.offline ? offline : ''}`;
  const shown = await firstWorst(report.targets, all, maxShown);
  yield leftOut(all, shown);
  const silent = many ? shown.filter(isSilent) : [];
  const seen = many ? shown.filter((one) => !isSilent(one)) : shown;
  const unseen =
    silent.length === 0 ? '' : `${silent.length} of ${all.count} ${all.live ? 'nodes' : 'targets'}`;
  const row = unseen === '' ? '' : `<a href="#silent">${unseen}</a><small>did not answer</small>`;
  if (many) yield* targetMatrix(seen, kinds, all.nameOf, row);
  else yield interfaceMatrix(shown, shown.length > 1, kinds);
  yield `${legend}</div></section>`;
  if (!many) yield causes(all);
  yield `
<section id="filters" class="bar" aria-label="Filters" hidden>${filters(all)}</section>
<main id="findings">
`;
  let at = 0;
  const { failOn, rules } = report;
  const options = { few: !many, failOn, only: all.count === 1, kinds, rules };
  for (const target of seen) yield `${targetCard(target, at++, options)}\n`;
  if (unseen !== '') {
    yield `<details class="card" id="silent"><summary><h3>${unseen}</h3> <span class="chip undetermined">did not answer</span></summary><div class="body">`;
    for (const target of silent) yield `${targetCard(target, at++, options)}\n`;
    yield '</div></details>\n';
  }
  yield `${all.count === 0 ? '\n' : ''}</main>
<footer>${xml(report.tool.name)} ${xml(report.tool.version)} · What was not seen is never counted as passed.${many ? explained : ''}</footer>
<script>${script}</script></body></html>
`;
};

const explained = ' · <code>kaiactl node explain RULE</code> says why a rule fires and how to fix it.';

function meta({ startedAt, finishedAt, failOn, exitCode }: ReportStream): string {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  const took = Number.isFinite(seconds) ? ` · took ${Math.max(0, seconds).toFixed(1)} s` : '';
  const when = xml(startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC'));
  return `${when}${took} · fails at ${failOn} · exit code ${exitCode}`;
}

/** Of one target its findings; of several how many targets have one. */
function totals({ summary }: ReportStream, { count, having }: RollUp): string {
  const names = [...severities, 'suppressed', 'undetermined'] as const;
  const several = count > 1;
  const items = names.map((name) => {
    const number = several ? having[name] : summary[name];
    return `<li${number === 0 ? ' class="zero"' : ''}><b>${number}</b>${labels[name] ?? name}</li>`;
  });
  return `${several ? '<p class="meta">Targets with findings, by severity:</p>' : ''}<ul class="totals">${items.join('')}</ul>`;
}

const labels: Readonly<Record<string, string>> = { undetermined: 'not seen' };

const offline = '<p class="meta">From settings only: no node was asked.</p>';

/** `Shown: the worst 1000 of 25000 targets. Left out: 24000 (16000 pass, 8000 undetermined).` */
function leftOut({ count: all, verdicts }: RollUp, shown: readonly TargetReport[]): string {
  if (shown.length === all) return '';
  const rest = Object.entries(verdicts).map(([verdict, number]) => {
    const left = number - shown.filter((one) => one.verdict === verdict).length;
    return left === 0 ? [] : [`${left} ${verdict}`];
  });
  return `<p class="meta">Shown: the worst ${shown.length} of ${all} targets. Left out: ${all - shown.length} (${rest.flat().join(', ')}); totals and causes count them. <code>kaiactl report convert REPORT --format csv</code> lists all.</p>`;
}

const legend = `<ul class="legend">${[
  ['', '●', 'any address'],
  ['', '◐', 'private network'],
  ['', '○', 'this machine'],
  ['', byPages, 'any web page'],
  ['', '?', 'reach not known'],
  ['critical', '', 'critical'],
  ['high', '', 'high'],
  ['medium', '', 'medium'],
  ['low', '', 'low'],
  ['info', '', 'privileged'],
]
  .map(([worth, shape, word]) => `<li class="k ${worth}"><span class="dot">${shape}</span> ${word}</li>`)
  .join('')}</ul>`;

/** Findings by rule over all targets. */
function causes(all: RollUp): string {
  if (all.count < 2 || all.causes.length === 0) return '';
  const rows = all.causes.map((cause) => {
    const counts = countsOf(cause, (one) => `<span class="w ${one}">${one}</span>`);
    return `<tr><th scope="row"><a href="#findings" data-rule="${xml(cause.rule)}"><code>${xml(cause.rule)}</code></a></th><td>${counts} of ${all.count}</td><td>${whichOf(cause, all, 6, xml)}</td></tr>`;
  });
  return `<section aria-labelledby="causes"><div class="card"><h2 id="causes">Causes</h2><div class="scroll"><table class="causes"><tbody>${rows.join('')}</tbody></table></div></div></section>`;
}

function filters({ rules }: RollUp): string {
  const buttons = severities.map(
    (name) =>
      `<button type="button" data-severity="${name}" aria-pressed="true"><b class="${name}"></b>${name}</button>`,
  );
  const options = [...rules].sort().map((rule) => `<option value="${xml(rule)}">${xml(rule)}</option>`);
  return `${buttons.join('')}<label><span class="vh">Rule</span><select id="rule"><option value="">every rule</option>${options.join('')}</select></label><input id="target" type="search" placeholder="target" aria-label="Target"><label><input id="failing" type="checkbox"> failing only</label><label><input id="suppressed" type="checkbox"> suppressed</label><output id="shown" role="status"></output>`;
}
