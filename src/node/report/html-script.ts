/** The script of the page: filters and copy buttons. It is the same in every report and reads only the page. */
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
