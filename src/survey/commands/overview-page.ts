/** `survey admin report --html`: a self-contained page about a survey, safe to hand round: counts by the hour only. */
import { pageHead, pageStyle } from '../../util/page-style.js';
import { groupDigits } from '../../util/words.js';
import { xml } from '../../util/xml.js';
import type { HourJoins, Overview } from '../server/overview.js';
import { policyRows } from './admin-policy.js';
import { everyHour, hourText, paymentRows } from './overview-text.js';

const style = `${pageStyle}
h1 .open{color:var(--pass)}h1 .closed{color:var(--medium)}
h1+.meta{overflow-wrap:anywhere}
.plot{display:block;width:100%;height:auto;max-height:22rem;overflow:visible}
.plot rect{fill:var(--low)}.plot line{stroke:var(--line);stroke-width:1}.plot text{fill:var(--soft);font-size:12px}
.facts th{width:40%;font-weight:600}.facts td,.days td,.days th{font-variant-numeric:tabular-nums}.days td,.days thead th+th{text-align:right}
footer{color:var(--soft);padding-block:.5rem 2.5rem;font-size:.9rem}
@media (max-width:40rem){body>*{padding-inline:.8rem}.totals li{flex:1 1 4.6rem}.facts th,.facts td{overflow-wrap:anywhere}.facts th{width:52%}.plot text{font-size:28px}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--low:#1d5fa8}.card,tr{break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

export function overviewPage(of: Overview): string {
  const state = of.closed ? 'closed' : 'open';
  const title = `${groupDigits(of.members)} ${of.members === 1 ? 'member' : 'members'}`;
  const when = new Date(of.at).toISOString().slice(0, 16).replace('T', ' ');
  return `${pageHead(`survey ${xml(of.survey)}`, style)}
<body><header><p class="brand">kaiactl</p><h1>${title} · <span class="${state}">${state}</span></h1><p class="meta">Survey <code>${xml(of.survey)}</code> · ${when} UTC</p>${totals(of)}</header>
<main><section class="card" aria-labelledby="plot"><h2 id="plot">Joins per hour</h2>${plot(of)}</section>
<section class="card" aria-labelledby="policy"><h2 id="policy">What the survey allows</h2>${table('facts', [...policyRows(of.policy), ...paymentRows(of)])}</section>
<section class="card" aria-labelledby="refusals"><h2 id="refusals">Refused joins</h2>${refusals(of)}</section>
<section class="card" aria-labelledby="days"><h2 id="days">By day</h2>${days(of)}</section></main>
<footer>Counts by the hour (UTC). This page has no names, accounts or commitments.</footer></body></html>
`;
}

function totals({ joinsToday, joinsCounted, refusals, lastJoin }: Overview): string {
  const refused = refusals.reduce((sum, { count }) => sum + count, 0);
  const items: [string, string][] = [
    [groupDigits(joinsToday), 'joins today'],
    [groupDigits(joinsCounted), 'joins counted'],
    [groupDigits(refused), 'refused'],
    lastJoin === null
      ? ['0', 'no last join']
      : [`${lastJoin.slice(11, 13)}h`, `last join, ${lastJoin.slice(5, 10)} UTC`],
  ];
  return `<ul class="totals">${items.map(([value, name]) => `<li${value === '0' ? ' class="zero"' : ''}><b>${xml(value)}</b>${name}</li>`).join('')}</ul>`;
}

/** A table whose rows begin with a name. */
function table(kind: string, rows: readonly (readonly string[])[], head = ''): string {
  const lines = rows.map(([name = '', ...values]) => {
    return `<tr><th scope="row">${xml(name)}</th>${values.map((one) => `<td>${xml(one)}</td>`).join('')}</tr>`;
  });
  return `<table class="${kind}">${head}<tbody>${lines.join('')}</tbody></table>`;
}

function refusals({ refusals }: Overview): string {
  if (refusals.length === 0) return '<p class="meta">None.</p>';
  return table(
    'facts',
    refusals.map(({ reason, count }) => [reason, groupDigits(count)]),
  );
}

/** Days of the table, and hours of the plot: two weeks. */
const maxDays = 14;

function days(of: Overview): string {
  const sums = new Map<string, { joins: number; refused: number }>();
  for (const { hour, joins, refused } of of.hours) {
    const sum = sums.get(hour.slice(0, 10)) ?? { joins: 0, refused: 0 };
    sums.set(hour.slice(0, 10), { joins: sum.joins + joins, refused: sum.refused + refused });
  }
  if (sums.size === 0) return '<p class="meta">No join was counted yet.</p>';
  const newest = [...sums].slice(-maxDays).reverse();
  const rows = newest.map(([day, { joins, refused }]) => [day, groupDigits(joins), groupDigits(refused)]);
  const heads = ['day', 'joins', 'refused'].map((name) => `<th scope="col">${name}</th>`).join('');
  return table('days', rows, `<thead><tr>${heads}</tr></thead>`);
}

/** Size of the plot, and the room for its labels. */
const [width, height, left, bottom] = [960, 240, 60, 32];

function plot(of: Overview): string {
  const hours = everyHour(of, maxDays * 24);
  const max = Math.max(...hours.map(({ joins }) => joins));
  if (max === 0) return `<p class="meta">No join was counted in the last ${maxDays} days.</p>`;
  const step = (width - left) / hours.length;
  const bars = hours.map((one, at) => bar(one, left + at * step, step, max));
  const line = (y: number, label: number) =>
    `<line x1="${left}" y1="${y}" x2="${width}" y2="${y}"/><text x="${left - 8}" y="${y + 4}" text-anchor="end">${groupDigits(label)}</text>`;
  const [first, last] = [hours[0], hours.at(-1)].map((one) => (one === undefined ? '' : hourText(one.hour)));
  const y = height + bottom - 6;
  const end = hours.length < 2 ? '' : `<text x="${width}" y="${y}" text-anchor="end">${last}</text>`;
  const ends = `<text x="${left}" y="${y}">${first}</text>${end}`;
  const label = `Joins per hour, at most ${groupDigits(max)}, from ${first} to ${last}`;
  return `<svg class="plot" viewBox="0 -8 ${width} ${height + bottom + 8}" role="img" aria-label="${xml(label)}">${line(0, max)}${line(height, 0)}${bars.join('')}${ends}</svg>`;
}

/** At least a unit high where there was a join. */
function bar({ hour, joins }: HourJoins, x: number, step: number, max: number): string {
  if (joins === 0) return '';
  const tall = Math.max(1, (joins / max) * height);
  const wide = Math.min(48, Math.max(1, step * 0.85));
  const place = `x="${x.toFixed(1)}" y="${(height - tall).toFixed(1)}" width="${wide.toFixed(1)}" height="${tall.toFixed(1)}"`;
  return `<rect ${place}><title>${hourText(hour)}: ${groupDigits(joins)}</title></rect>`;
}
