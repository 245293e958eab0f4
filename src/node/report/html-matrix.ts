/** The matrix of interfaces and modules: which addresses reach each module, and how that is known. */

import { xml } from '../../util/xml.js';
import type { Reach } from '../facts/reach.js';
import { type InterfaceReport, interfaceName, type TargetReport } from '../facts/report.js';
import type { Kind } from '../kinds/kind.js';
import { type Column, columnsOf, modulesOf, type Offer, offersOf, reachOf, worst } from './html-offers.js';
import { admittedBy, pagesOf, portOf, reachName } from './listing.js';

/** The mark of a module that web pages reach, where addresses do not. */
export const byPages = '◉';
const shapes: Readonly<Record<Reach, string>> = { any: '●', private: '◐', loopback: '○', ipc: '○' };

/** A row for each interface, grouped by target. */
export function interfaceMatrix(
  targets: readonly TargetReport[],
  named: boolean,
  kinds: readonly Kind[],
): string {
  if (targets.every(({ interfaces }) => interfaces.length === 0)) return nothing;
  const columns = columnsOf(
    new Set(targets.flatMap(({ interfaces }) => interfaces.flatMap(modulesOf))),
    kinds,
  );
  const groups = targets.map((target, at) => {
    const rows = target.interfaces.map((one) => {
      const offers = offersOf(target, one, kinds);
      const cells = columns.map(({ module }) => cell(offers.find((offer) => offer.module === module)));
      return interfaceRow(one, offers, cells.join(''), columns.length + 1);
    });
    const name = named ? groupRow(target, at, columns.length + 3) : '';
    return `<tbody data-target="${key(target)}" data-verdict="${target.verdict}">${name}${rows.join('')}</tbody>`;
  });
  const after = [columns.length === 0 ? 'state' : 'access'];
  return tableHead(columns, ['interface', 'reach, known by'], after) + groups.join('') + tableEnd;
}

/** The interfaces of one target of many: a row each, with its modules as words. */
export function interfaceList(target: TargetReport, kinds: readonly Kind[]): string {
  const rows = target.interfaces.map((one) => {
    const offers = offersOf(target, one, kinds);
    const words = offers.map(({ module, severity, privileged }) =>
      privileged ? `<span class="w ${severity}">${xml(module)}</span>` : xml(module),
    );
    return interfaceRow(one, offers, `<td>${words.join(' ')}</td>`, 2);
  });
  return `<div class="scroll"><table class="list"><tbody>${rows.join('')}</tbody></table></div>`;
}

/** A row for each target, with the most severe offer of each module, then a row of text unless it is empty. */
export function* targetMatrix(
  targets: readonly TargetReport[],
  kinds: readonly Kind[],
  nameOf: (name: string) => string,
  last: string,
): Generator<string> {
  const interfaces = targets.flatMap((target) => target.interfaces);
  if (interfaces.length === 0 && last === '') return yield nothing;
  const columns = columnsOf(new Set(interfaces.flatMap(modulesOf)), kinds);
  yield `${tableHead(columns, ['target'], [])}<tbody>`;
  for (const [at, target] of targets.entries()) {
    const offers = target.interfaces.flatMap((one) => offersOf(target, one, kinds));
    yield targetRow(target, nameOf(target.name), at, offers, columns);
  }
  const row = last === '' ? '' : `<tr><th scope="row" colspan="${columns.length + 1}">${last}</th></tr>`;
  yield `${row}</tbody>${tableEnd}`;
}

const nothing = '<p class="meta">No interface was seen.</p>';

function targetRow(
  target: TargetReport,
  name: string,
  at: number,
  offers: readonly Offer[],
  columns: readonly Column[],
): string {
  const cells = columns.map(({ module }) => cell(worst(offers.filter((one) => one.module === module))));
  const blind = offers.length === 0 ? `<small>${offerless(target)}</small>` : '';
  return `<tr data-target="${key(target)}" data-verdict="${target.verdict}"><th scope="row"><a href="#t${at}">${xml(name)}</a>${blind}</th>${cells.join('')}</tr>`;
}

/** The text that a search in the page matches. */
export function key(target: TargetReport): string {
  return xml(target.name.toLowerCase());
}

function tableHead(columns: readonly Column[], before: readonly string[], after: readonly string[]): string {
  const heads = columns.map(
    ({ module, privileged }) =>
      `<th scope="col" class="c"><span class="m${privileged ? ' p' : ''}">${xml(module)}</span></th>`,
  );
  const words = (all: readonly string[]): string =>
    all
      .map((one, at) => `<th scope="col"${all === before && at > 0 ? ' class="who"' : ''}>${one}</th>`)
      .join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="Interfaces and modules"><table class="matrix"><thead><tr>${words(before)}${heads.join('')}${words(after)}</tr></thead>`;
}

const tableEnd = '</table></div>';

function groupRow(target: TargetReport, at: number, span: number): string {
  return `<tr class="group"><th scope="rowgroup" colspan="${span}"><a href="#t${at}">${xml(target.name)}</a>${target.interfaces.length === 0 ? `<small>${offerless(target)}</small>` : ''}</th></tr>`;
}

function offerless(target: TargetReport): string {
  const reason =
    target.interfaces.find((one) => one.reason !== null)?.reason ?? target.undetermined[0]?.reason;
  return reason === undefined ? 'offers nothing that was seen' : `not seen: ${xml(reason)}`;
}

function interfaceRow(one: InterfaceReport, offers: readonly Offer[], cells: string, span: number): string {
  const reach = reachOf(one);
  const who = reach === null ? (one.state === 'open' ? 'not known' : '–') : reachName(reach);
  const port = portOf(one.endpoint);
  const name = `<th scope="row">${interfaceName(one)}${port === null ? '' : ` :${port}`}<small class="phone">${who}</small></th>`;
  const by = [...(one.reachBy === undefined ? [] : [one.reachBy]), ...(one.bind ?? [])].join(', ');
  const below = [...(by === '' ? [] : [by]), ...pagesOf(one)].map((line) => `<small>${xml(line)}</small>`);
  const reached = `<td class="r who">${who}${below.join('')}</td>`;
  if (offers.length === 0) {
    const login = (one.declared ?? one).access?.login === true ? 'asks for a token' : null;
    const unread = one.declared === undefined ? null : 'modules not known offline';
    const why = login ?? unread ?? one.reason ?? (one.state === 'open' ? 'nothing that was seen' : one.state);
    return `<tr>${name}${reached}<td class="unseen" colspan="${span}">${xml(why)}</td></tr>`;
  }
  return `<tr>${name}${reached}${cells}<td class="r">${admittedBy(one.transport, (one.declared ?? one).access, xml)}</td></tr>`;
}

function cell(offer: Offer | undefined): string {
  if (offer === undefined) return '<td class="c"></td>';
  const { module, reach, severity, privileged, isByPages } = offer;
  const who = isByPages ? 'any web page' : reach === null ? 'reach not known' : reachName(reach);
  const shape = isByPages ? byPages : reach === null ? '?' : shapes[reach];
  const rank = privileged ? severity : '';
  return `<td class="c ${rank}${reach === 'ipc' ? ' ipc' : ''}" data-module="${xml(module)}" aria-label="${who}${rank === '' ? '' : `, ${rank}`}"><b class="dot">${shape}</b></td>`;
}
