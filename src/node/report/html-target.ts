/** One target of the page: findings, drift from its conf, undetermined checks. */
import type {
  DriftRow,
  Edit,
  Finding,
  FixReport,
  RuleInfo,
  TargetReport,
  Undetermined,
} from '../facts/report.js';
import { severities } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';
import { foundName } from '../kinds/release.js';
import { xml } from './escape.js';
import { interfaceMatrix, key } from './html-matrix.js';
import { placeName, rulePage, standing } from './listing.js';

/** Characters of a source line on either side of the marked text. */
const around = 160;

interface CardOptions {
  readonly open: boolean;
  /** The matrix of the page has only one row per target. */
  readonly withMatrix: boolean;
  readonly kinds: readonly Kind[];
  /** The rules of the report, with their pages. */
  readonly rules: readonly RuleInfo[];
}

/** A collapsible card. */
export function targetCard(
  target: TargetReport,
  at: number,
  { open, withMatrix, kinds, rules }: CardOptions,
): string {
  const { findings, undetermined, drift = [], interfaces } = target;
  const parts = [
    withMatrix && interfaces.length > 0 ? interfaceMatrix([target], false, kinds) : '',
    findings.map((finding) => article(finding, rulePage(rules, finding.rule))).join(''),
    driftTable(drift),
    unseen(undetermined),
  ].filter((part) => part !== '');
  const body =
    parts.length === 0 && target.shared === undefined ? '<p class="meta">No findings.</p>' : parts.join('');
  return `<details class="target card" id="t${at}" data-target="${key(target)}"${open ? ' open' : ''}><summary><h3>${xml(target.name)}</h3><span class="chip ${target.verdict}">${xml(standing(target))}</span>${simulated(target)}<span class="meta">${describe(target, kinds)}</span></summary><div class="body">${body}</div></details>`;
}

function simulated({ interfaces }: TargetReport): string {
  return interfaces.some((one) => one.simulated === true) ? '<span class="simulated">SIMULATED</span>' : '';
}

function describe(
  { kind, role, conf, release, interfaces, findings, undetermined }: TargetReport,
  kinds: readonly Kind[],
): string {
  const nodeKind = kinds.find(({ id }) => id === kind);
  const of = (name: string): number =>
    findings.filter(({ severity, suppressed }) => severity === name && suppressed === null).length;
  const client = interfaces.find((one) => one.client !== null)?.client ?? null;
  const words = [
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

function article(finding: Finding, page: string): string {
  const { rule, severity, subject, message, suppressed, related, at, source } = finding;
  const parts = [
    `<h4><span class="chip ${severity}">${severity}</span><code>${xml(rule)}</code><small>${xml(subject)}</small></h4>`,
    `<p>${xml(message)}</p>`,
    place(at, source, null),
    ...related.map((one) => place(one.at, one.source, one.note)),
    edits(finding),
    `<p class="meta">Rule: ${link(page)}</p>`,
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

function copyable(name: string, text: string): string {
  return `<div class="edit"><span>${name}</span><code>${xml(text)}</code><button type="button" class="copy">Copy</button></div>`;
}

/** The fix and its alternatives. */
function edits(finding: Finding): string {
  const { edits: first = [], safety = null, fix, alternatives = [] } = finding;
  const ways = [{ fix, edits: first, safety }, ...alternatives];
  return ways.map((way, at) => fixBlock(finding, way, at === 0 ? 'Fix' : 'or')).join('');
}

function fixBlock(finding: Finding, { fix, edits: all, safety }: FixReport, name: string): string {
  if (all.length === 0) return `<p class="fix"><span>${name}</span> ${xml(fix)}</p>`;
  const kind = safety === null ? '' : ` <small>${safety}: ${effects[safety]}</small>`;
  const instruction = `<p class="fix"><span>${name}</span> ${xml(fix)}${kind}</p>`;
  const line = editedLine(finding, all);
  return instruction + (line === null ? all.map(editBlock).join('') : copyable('becomes', line));
}

/** The source line after the edits; null if an edit is on another line or the line holds a masked secret. */
function editedLine({ at, source }: Finding, all: readonly Edit[]): string | null {
  if (source === null || 'endpoint' in at) return null;
  const here = all.every(
    ({ file, line, endLine }) => file === at.file && line === at.line && endLine === line,
  );
  if (!here) return null;
  const kept: string[] = [];
  let text = '';
  let from = 0;
  for (const edit of [...all].sort((a, b) => a.column - b.column)) {
    kept.push(source.slice(from, edit.column - 1));
    text += kept.at(-1) + edit.text;
    from = edit.endColumn - 1;
  }
  kept.push(source.slice(from));
  return kept.some((part) => masked.test(part)) ? null : text + kept.at(-1);
}

function editBlock(edit: Edit): string {
  const where = `${edit.file}:${edit.line}:${edit.column} to ${edit.endLine}:${edit.endColumn}`;
  const place = `<p class="place"><code>${xml(where)}</code> ${edit.text === '' ? 'is deleted' : ''}</p>`;
  return edit.text === '' ? place : place + copyable('becomes', edit.text);
}

/** A secret that was masked must not be pasted over the real one. */
const masked = /\*{3}/;

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
