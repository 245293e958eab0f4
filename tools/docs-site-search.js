/** The search page of the documentation site. Its script holds every section of every page; nothing is fetched. */

/** Sections of a page: text from a heading to the next one. */
export function sectionsOf(address, title, body) {
  const parts = body.split(/(?=<h[123] id=")/);
  return parts.flatMap((part) => {
    const [, anchor = '', heading = title] = /^<h[123] id="([^"]*)">([\s\S]*?)<\/h/.exec(part) ?? [];
    const text = plain(part.replace(/^<h[123][\s\S]*?<\/h[123]>/, ''));
    const name = plain(heading);
    const to = `${address}${anchor === '' ? '' : `#${anchor}`}`;
    return text === '' && anchor === '' ? [] : [[to, title === name ? title : `${title}: ${name}`, text]];
  });
}

function plain(markup) {
  const marks = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d+)|(\w+));/g, (all, code, name) =>
      code === undefined ? (marks[name] ?? all) : String.fromCharCode(Number(code)),
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** As JSON that may stand in a script. */
function data(sections) {
  return JSON.stringify(sections)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Every word must occur in a section; a word of a heading counts ten times. At most 40 sections. */
export function searchScript(sections) {
  return `'use strict';
const sections = ${data(sections)};
const asked = new URLSearchParams(location.search).get('q') || '';
const words = asked.toLowerCase().split(/\\s+/).filter(Boolean);
const list = document.getElementById('found');
const box = document.querySelector('main input');
box.value = asked;
const rated = words.length === 0 ? [] : sections.map(([to, title, text]) => {
  const [head, body] = [title.toLowerCase(), text.toLowerCase()];
  let rate = 0;
  for (const word of words) {
    const own = (head.includes(word) ? 10 : 0) + Math.min(5, body.split(word).length - 1);
    if (own === 0) return null;
    rate += own;
  }
  return { to, title, text, rate, at: Math.max(0, body.indexOf(words[0]) - 60) };
}).filter(Boolean).sort((a, b) => b.rate - a.rate);
for (const { to, title, text, at } of rated.slice(0, 40)) {
  const item = list.appendChild(document.createElement('li'));
  const link = item.appendChild(document.createElement('a'));
  link.href = to;
  link.textContent = title;
  item.appendChild(document.createElement('p')).textContent = (at > 0 ? '… ' : '') + text.slice(at, at + 200) + (text.length > at + 200 ? ' …' : '');
}
document.getElementById('count').textContent = words.length === 0 ? '' : rated.length === 0 ? 'Nothing found.' : rated.length === 1 ? '1 section' : rated.length + ' sections' + (rated.length > 40 ? ', the best 40' : '');
`;
}
