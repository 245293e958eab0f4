/** The style and the script of the page. */
import { pageStyle } from '../../util/page-style.js';

/** Light and dark, phone and print. Severity never depends on colour alone. */
export const style = `${pageStyle}
h1 .name{display:inline-block;max-width:100%;overflow-wrap:anywhere}
.matrix{width:auto;min-width:min(100%,34rem)}
.matrix th[scope=row]{position:sticky;left:0;background:var(--card);white-space:nowrap;font-weight:600;z-index:1;max-width:15rem;overflow:hidden;text-overflow:ellipsis}
.matrix .group th{padding-top:1rem;border-top:0}
.matrix .group:first-of-type th{padding-top:.4rem}
.matrix tbody+tbody .group th{border-top:1px solid var(--line)}
.matrix .m{display:block;margin:auto;writing-mode:vertical-rl;transform:rotate(180deg);max-height:11rem;overflow:hidden;padding:.3rem 0;font-weight:400;white-space:nowrap}
.matrix thead .c{vertical-align:bottom}
.matrix .p{font-weight:700;color:var(--ink)}
.matrix .c{position:relative;width:2.7rem;min-width:2.7rem;padding:.22rem .12rem;text-align:center;vertical-align:middle}
.dot{display:block;font-weight:400;width:2.1rem;height:1.8rem;margin:auto;border-radius:.4rem;line-height:1.8rem;text-align:center;font-size:1rem;color:var(--plain)}
.c.critical .dot,.k.critical .dot{background:var(--critical);color:var(--on)}.c.high .dot,.k.high .dot{background:var(--high);color:var(--on)}
.c.medium .dot,.k.medium .dot{background:var(--medium);color:var(--on)}
.c.low .dot{box-shadow:inset 0 0 0 2px var(--low);color:var(--low)}.c.info .dot{box-shadow:inset 0 0 0 1px var(--plain)}
.list td,.list th{text-align:left;vertical-align:baseline;padding:.15rem .9rem .15rem 0}.list .phone{display:none}.list small{margin-left:.4rem;color:var(--soft)}
.matrix .r{white-space:nowrap;padding-right:1rem}
.matrix td.r:last-child,.matrix thead th:last-child{padding-left:.9rem}
.matrix thead .c{vertical-align:bottom}
.matrix .phone{display:none}.matrix .group a{position:sticky;left:0;display:inline-block;max-width:calc(100vw - 3.6rem);overflow-wrap:anywhere}
.matrix .unseen{color:var(--soft);font-style:italic}
.legend{display:flex;flex-wrap:wrap;gap:.2rem .9rem;margin:.7rem 0 0;padding:0;list-style:none;color:var(--soft);font-size:.87rem}
.legend li{display:flex;align-items:center;gap:.35rem}.legend .dot{display:inline-block;margin:0;width:1.15rem;height:1.15rem;line-height:1.15rem;font-size:.9rem;border-radius:.25rem}
.legend .k.low .dot{box-shadow:inset 0 0 0 2px var(--low)}.legend .k.info .dot{box-shadow:inset 0 0 0 1px var(--plain)}
.chip{display:inline-block;border-radius:.35rem;padding:0 .5rem;font-size:.8rem;font-weight:700;line-height:1.6;background:var(--info);color:var(--on)}
.chip.critical{background:var(--critical)}.chip.high{background:var(--high)}.chip.medium{background:var(--medium)}.chip.low{background:var(--low)}
.chip.pass{background:var(--pass)}.chip.fail{background:var(--critical)}.chip.undetermined,.chip.suppressed{background:var(--medium)}
.w.critical{color:var(--critical);font-weight:700}.w.high{color:var(--high);font-weight:700}.w.medium{color:var(--medium);font-weight:700}.w.low{color:var(--low);font-weight:700}.w.info{color:var(--info);font-weight:700}.matrix .ipc .dot{opacity:.45}
.simulated{border:2px dashed var(--medium);border-radius:.35rem;padding:0 .4rem;font-size:.8rem;font-weight:700}
.bar{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;position:sticky;top:0;z-index:5;background:var(--bg);padding-block:.6rem;border-bottom:1px solid var(--line);margin-bottom:1rem}
.bar button,.bar select,.bar input,.copy{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.25rem .65rem;min-height:2.1rem}
.bar input[type=search]{flex:1 1 9rem;min-width:7rem}.bar input[type=checkbox]{min-height:0;width:1.05rem;height:1.05rem;margin:0;vertical-align:-.12rem}.bar select{max-width:13rem}
.bar button{cursor:pointer}.bar button[aria-pressed=false]{opacity:.5;text-decoration:line-through}
.bar button b{display:inline-block;width:.7rem;height:.7rem;border-radius:50%;margin-right:.4rem;background:var(--info)}
.bar b.critical{background:var(--critical)}.bar b.high{background:var(--high)}.bar b.medium{background:var(--medium)}.bar b.low{background:var(--low)}
.bar output{color:var(--soft);font-size:.9rem}
.target{padding:0}.many .target{content-visibility:auto;contain-intrinsic-size:auto 3.4rem}
.many #overview .scroll{max-height:34rem;overflow:auto}.many #overview thead th{position:sticky;top:0;background:var(--card);z-index:2}
.many #overview tbody th{padding-block:.15rem}.many #overview .dot{height:1.35rem;line-height:1.35rem}
.target>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.3rem .7rem;padding:.8rem 1.1rem;cursor:pointer;list-style:none}
.target>summary::-webkit-details-marker{display:none}
.target>summary::before{content:"▸";color:var(--soft)}.target[open]>summary::before{content:"▾"}
.target>summary h3{overflow-wrap:anywhere;max-width:calc(100% - 1.6rem)}.target>summary .meta{font-size:.9rem}
.body{padding:0 1.1rem 1rem}
.body>*+*{margin-top:1.1rem}
.finding{border-left:4px solid var(--info);padding:.1rem 0 .1rem 1rem;margin-block:1.1rem}
.finding.critical{border-color:var(--critical)}.finding.high{border-color:var(--high)}.finding.medium{border-color:var(--medium)}.finding.low{border-color:var(--low)}
.finding.suppressed{opacity:.7}
.finding h4{margin:0;font-size:.95rem;display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap}
.finding h4 small{color:var(--soft);font-weight:400}
.finding p{margin:.3rem 0;overflow-wrap:anywhere}
.place{color:var(--soft)}
pre{margin:.4rem 0;background:var(--code);border:1px solid var(--line);border-radius:.5rem;padding:.45rem .7rem;overflow-x:auto}
mark{background:var(--mark);color:inherit;border-radius:.2rem}
.causes td,.causes th{white-space:nowrap}.causes td:last-child{white-space:normal;overflow-wrap:anywhere;width:100%}
.edit{display:grid;grid-template-columns:auto 1fr auto;gap:.6rem;align-items:center;margin:.4rem 0}
.fix small{color:var(--soft)}.fix>span,.edit>span{color:var(--pass);font-weight:700;font-size:.85rem}
.edit code,.fix code{background:var(--code);border:1px solid var(--line);border-radius:.5rem;padding:.35rem .6rem;overflow-wrap:anywhere;white-space:pre-wrap}
.copy{cursor:pointer;font-size:.85rem;padding:.1rem .6rem;min-height:1.9rem}
.drift td{overflow-wrap:anywhere}
footer{color:var(--soft);padding-block:.5rem 2.5rem;font-size:.9rem}
@media (max-width:40rem){body>*{padding-inline:.8rem}.card{padding:.8rem .85rem}.target{padding:0}.scroll{margin-inline:-.85rem;padding-inline:.85rem}
.totals li{flex:1 1 4.6rem;min-width:4.6rem;padding:.35rem .6rem}.bar{position:static}.edit{grid-template-columns:1fr auto}.edit>span{grid-column:1/-1}.causes,.causes tbody{display:block}.causes tr{display:flex;flex-wrap:wrap;gap:.2rem .8rem;padding:.45rem 0;border-top:1px solid var(--line)}.causes th,.causes td{border:0;padding:0}.causes td:last-child{flex:1 0 100%}
.matrix .who,.matrix thead{display:none}.matrix .phone{display:block}.matrix,.matrix tbody{display:block;width:auto;min-width:0}.many .matrix tbody th{padding-block:0}
.matrix tr{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .8rem;padding:.45rem 0;border-top:1px solid var(--line)}.matrix th,.matrix td{border:0;padding:0}.matrix th[scope=row],.matrix .group th{position:static;flex:1 0 100%;max-width:none;white-space:normal;overflow-wrap:anywhere}
.matrix .c{display:none}.matrix .c[data-module]{display:flex;align-items:center;gap:.3rem;width:auto;min-width:0;max-width:100%;overflow-wrap:anywhere;font-size:.9rem}.matrix .c[data-module]::after{content:attr(data-module)}.matrix .dot{width:1.4rem;height:1.4rem;line-height:1.4rem}.matrix .r{font-size:.9rem}
.body,.target>summary{padding-inline:.85rem}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--code:#f6f6f6;--critical:#b00020;--high:#c2410c;--medium:#8a6100;--low:#1d5fa8;--info:#5b6472;--pass:#1a7f4b;--on:#fff;--plain:#555;--mark:#ffe08a}
@page{margin:10mm}html{font-size:11px}body{font-size:1rem;line-height:1.3}body>*{max-width:none;padding-inline:0}header{padding-block:0 .4rem}h1{font-size:1.5rem}.bar,.copy,.skip,.brand,footer{display:none!important}.card{padding:.3rem .6rem;margin-bottom:.5rem}.finding,tr{break-inside:avoid}.finding{margin-block:.5rem}.finding p,pre,.edit{margin:.15rem 0}pre{padding:.15rem .4rem;white-space:pre-wrap}.target{content-visibility:visible}.target>summary,.body{padding:.3rem .6rem}.body>*+*{margin-top:.5rem}h2,.target>summary{break-after:avoid}
.totals{margin-top:.4rem}.totals li{min-width:0;padding:.05rem .5rem}.totals b{display:inline;font-size:1rem;margin-right:.3rem}
.many #overview .scroll,.scroll{overflow:visible;max-height:none;margin-inline:0;padding-inline:0}.matrix .c{width:1.5rem;min-width:1.5rem;padding-inline:0}.matrix .dot{width:1.4rem;height:1.2rem;line-height:1.2rem;border-radius:.3rem}.many #overview .dot{height:1rem;line-height:1rem}.matrix .r{white-space:normal;font-size:.9em}th,td{padding-block:.15rem}.target::details-content{display:block;content-visibility:visible}
.many .body>.scroll,.many pre,.many .edit,.many .place~.place,.many .finding .meta,.many .target[data-verdict=pass] .body{display:none}.many .finding{margin-block:.25rem}.many .finding h4,.many .finding p{display:inline;margin-right:.4rem}
.target>summary::before{content:""}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

/** Filters and copy buttons. The script is the same in every report and reads only the page. */
export const script = `
'use strict';
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const bar = document.getElementById('filters');
const [rule, target, failing, suppressed, shown] = ['rule', 'target', 'failing', 'suppressed', 'shown'].map((id) => document.getElementById(id));
const levels = all('button[data-severity]', bar);
const findings = all('.finding');
const targets = all('.target');
const rows = all('#overview [data-target]');
const initially = new Map(targets.map((one) => [one, one.open]));

function filter() {
  const wanted = new Set(levels.filter((one) => one.getAttribute('aria-pressed') === 'true').map((one) => one.dataset.severity));
  const word = target.value.trim().toLowerCase();
  const narrowed = rule.value !== '' || wanted.size < levels.length;
  const isWanted = (one) => one.dataset.target.includes(word) && (!failing.checked || one.dataset.verdict === 'fail');
  let count = 0;
  const holding = new Set();
  for (const one of findings) {
    const { severity, rule: id } = one.dataset;
    const fits = wanted.has(severity) && (rule.value === '' || rule.value === id) && (suppressed.checked || !one.classList.contains('suppressed'));
    one.hidden = !fits;
    const card = one.closest('.target');
    if (!fits || !isWanted(card)) continue;
    holding.add(card);
    count += 1;
  }
  for (const card of targets) {
    card.hidden = !isWanted(card) || (narrowed && !holding.has(card));
    if (narrowed || word !== '') card.open = initially.get(card) || (holding.has(card) && holding.size <= 20);
    else card.open = initially.get(card);
  }
  for (const row of rows) row.hidden = !isWanted(row);
  shown.textContent = count + (count === 1 ? ' finding' : ' findings') + ' shown';
}

for (const one of levels) one.addEventListener('click', () => {
  one.setAttribute('aria-pressed', String(one.getAttribute('aria-pressed') !== 'true'));
  filter();
});
for (const one of [rule, failing, suppressed]) one.addEventListener('change', filter);
target.addEventListener('input', filter);

for (const link of all('a[data-rule]')) link.addEventListener('click', () => { rule.value = link.dataset.rule; filter(); });
for (const link of all('a[href^="#t"], a[href="#silent"]')) link.addEventListener('click', () => {
  const card = document.getElementById(link.hash.slice(1));
  if (card) card.hidden = false;
  for (let up = card; up; up = up.parentElement.closest('details')) up.open = true;
});

for (const edit of all('.edit')) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' });
  edit.append(button);
}
for (const button of all('.copy')) button.addEventListener('click', async () => {
  const code = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = 'Selected';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
});

bar.hidden = false;
filter();
`;
