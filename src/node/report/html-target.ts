/** One target of the page: findings, drift from its conf, undetermined checks. */

import { xml } from '../../util/xml.js';
import type { DriftRow, Finding, FixReport, RuleInfo, TargetReport, Undetermined } from '../facts/report.js';
import { type FailOn, fails, severities } from '../facts/severity.js';
import type { Kind, KindListeners, KindReleases, KindWords } from '../kinds/kind.js';
import { foundName } from '../kinds/release.js';
import { interfaceList, key } from './html-matrix.js';
import { isSimulated, placeName, rulePage, saidTogether, standing } from './listing.js';
import { patchLines, waysOf } from './patched.js';

/** Characters of a source line on either side of the marked text. */
const around = 160;

interface CardOptions {
  /**
   * Whether the matrix of the page has a row per interface; else the card lists the interfaces, starts closed, and gives
   * a line to each finding that does not fail the run.
   */
  readonly few: boolean;
  readonly failOn: FailOn;
  /** Whether it is the only target of the page. */
  readonly only: boolean;
  readonly kinds: readonly Kind[];
  /** The rules of the report, with their pages. */
  readonly rules: readonly RuleInfo[];
}

/** A collapsible card. */
export function targetCard(
  target: TargetReport,
  at: number,
  { few, failOn, only, kinds, rules }: CardOptions,
): string {
  const { findings, undetermined, drift = [], interfaces } = target;
  const suppressed = findings.filter((one) => one.suppressed !== null);
  const parts = [
    !few && interfaces.length > 0 ? interfaceList(target, kinds) : '',
    [...saidTogether(findings), ...suppressed.map((finding) => ({ finding, also: [] }))]
      .map(({ finding, also }) =>
        few || fails(finding, target.failOn ?? failOn)
          ? article(finding, also, few ? rulePage(rules, finding.rule) : null)
          : line(finding) + together(also),
      )
      .join(''),
    driftTable(drift),
    unseen(undetermined),
    readFrom(target),
  ].filter((part) => part !== '');
  const body =
    parts.length === 0 && target.shared === undefined ? '<p class="meta">No findings.</p>' : parts.join('');
  const open = only || (few && target.verdict !== 'pass');
  return `<details class="target card" id="t${at}" data-target="${key(target)}" data-verdict="${target.verdict}"${open ? ' open' : ''}><summary><h3>${xml(target.name)}</h3> <span class="chip ${target.verdict}">${xml(standing(target))}</span> ${isSimulated(target) ? `${simulatedMark} ` : ''}<span class="meta">${describe(target, kinds)}</span></summary><div class="body">${body}</div></details>`;
}

export const simulatedMark = '<span class="simulated">SIMULATED</span>';

/** The files of a target, if there are several. */
function readFrom({ files = [] }: TargetReport): string {
  if (files.length < 2) return '';
  return `<p class="meta">Read from ${files.map((file) => `<code>${xml(file)}</code>`).join(', ')}</p>`;
}

function describe(
  { kind, kindBy, role, conf, release, interfaces, findings, undetermined }: TargetReport,
  kinds: readonly (KindListeners & KindReleases & KindWords)[],
): string {
  const nodeKind = kinds.find(({ id }) => id === kind);
  const of = (name: string): number =>
    findings.filter(({ severity, suppressed }) => severity === name && suppressed === null).length;
  const client = interfaces.find((one) => one.client !== null)?.client ?? null;
  const words = [
    kind == null ? null : `${kind}${kindBy == null ? '' : ` (by ${kindBy})`}`,
    role,
    conf === null
      ? null
      : `${nodeKind?.programOf(conf.launcher) ?? conf.launcher}${conf.package === '' ? '' : ` (${conf.package})`}`,
    release == null ? null : foundName(release),
    client,
    ...severities.map((name) => (of(name) === 0 ? null : `${of(name)} ${name}`)),
    undetermined.length === 0 ? null : `${undetermined.length} not seen`,
  ];
  return words
    .filter((word) => word !== null)
    .map(xml)
    .join(' · ');
}

function line({ rule, severity, message, at, suppressed }: Finding): string {
  const dim = suppressed === null ? '' : ' suppressed';
  return `<p class="finding ${severity}${dim}" data-severity="${severity}" data-rule="${xml(rule)}"><span class="w ${severity}">${severity}</span> <code>${xml(rule)}</code> ${xml(message)} <code>${xml(placeName(at))}</code></p>`;
}

/** What adds nothing to a finding, below it and closed. */
function together(also: readonly Finding[]): string {
  if (also.length === 0) return '';
  const names = [...new Set(also.map(({ rule }) => rule))].map((rule) => `<code>${xml(rule)}</code>`);
  return `<details class="also"><summary class="meta">with ${names.join(', ')}, which add little</summary>${also.map(line).join('')}</details>`;
}

/** @param page - of the rule; null if not named, as on a page of many targets */
function article(finding: Finding, also: readonly Finding[], page: string | null): string {
  const { rule, severity, subject, message, suppressed, related, at, source } = finding;
  const parts = [
    `<h4><span class="chip ${severity}">${severity}</span><code>${xml(rule)}</code><small>${xml(subject)}</small></h4>`,
    `<p>${xml(message)}</p>`,
    place(at, source, null),
    ...related.map((one) => place(one.at, one.source, one.note)),
    ...waysOf(finding).map((way, at) => fixBlock(finding, way, at === 0 ? 'Fix' : 'or')),
    together(also),
    page === null ? '' : `<p class="meta">Rule: ${link(page)}</p>`,
    suppressed === null
      ? ''
      : `<p class="meta">Suppressed${suppressed.until === null ? '' : ` until ${xml(suppressed.until)}`}: ${xml(suppressed.reason)}</p>`,
  ];
  return `<article class="finding ${severity}${suppressed === null ? '' : ' suppressed'}" data-severity="${severity}" data-rule="${xml(rule)}">${parts.join('')}</article>`;
}

/** A command is text: it cannot be followed. */
function link(page: string): string {
  const shown = xml(page);
  return page.startsWith('http') ? `<a href="${shown}">${shown}</a>` : `<code>${shown}</code>`;
}

function place(at: Finding['at'], source: string | null, note: string | null): string {
  const name = `<p class="place"><code>${xml(placeName(at))}</code>${note === null ? '' : ` ${xml(note)}`}</p>`;
  if (source === null || 'endpoint' in at) return name;
  const from = at.column - 1;
  const to = at.endLine === at.line ? at.endColumn - 1 : source.length;
  const before = source.slice(Math.max(0, from - around), from);
  const marked = source.slice(from, Math.min(to, from + around));
  const after = source.slice(to, to + around);
  return `${name}<pre><code>${xml(before)}<mark>${xml(marked)}</mark>${xml(after)}</code></pre>`;
}

/** The lines to paste are those that the text format prints; where a secret is masked there, the sentence alone. */
function fixBlock(finding: Finding, { fix, edits: all, safety }: FixReport, name: string): string {
  const kind = safety === null || all.length === 0 ? '' : ` <small>${safety}: ${effects[safety]}</small>`;
  const lines = patchLines(finding, all).map(
    (line) => `<div class="edit"><span>becomes</span><code>${xml(line)}</code></div>`,
  );
  return `<p class="fix"><span>${name}</span> ${xml(fix)}${kind}</p>${lines.join('')}`;
}

const effects = {
  safe: 'keeps the node’s start unchanged',
  unsafe: 'changes how the node starts',
} as const;

function driftTable(rows: readonly DriftRow[]): string {
  if (rows.length === 0) return '';
  const cell = (text: string | null): string => (text === null ? '–' : `<code>${xml(text)}</code>`);
  const lines = rows.map(
    ({ setting, conf, process, node, note }) =>
      `<tr><th scope="row"><code>${xml(setting)}</code></th><td>${cell(conf)}</td><td>${cell(process)}</td><td>${cell(node)}</td><td>${xml(note ?? '')}</td></tr>`,
  );
  const heads = ['drift', 'conf says', 'process says', 'node says', 'note'];
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="Drift"><table class="drift"><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

function unseen(all: readonly Undetermined[]): string {
  if (all.length === 0) return '';
  const lines = all.map(({ rule, reason }) => `<li><code>${xml(rule)}</code> ${xml(reason)}</li>`);
  return `<section><h4>Not seen</h4><ul>${lines.join('')}</ul></section>`;
}
