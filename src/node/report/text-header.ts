/** What stands above a target's findings, and the drift table below them. */
import { table } from '../../terminal/table.js';
import { wrap } from '../../terminal/wrap.js';
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import { count, joinWords } from '../../util/words.js';
import { callers, reachOfHost } from '../facts/reach.js';
import { type DriftRow, type InterfaceReport, interfaceName, type TargetReport } from '../facts/report.js';
import { wider } from '../facts/severity.js';
import type { Kind, KindReleases, KindScripts, KindWords } from '../kinds/kind.js';
import { foundName } from '../kinds/release.js';
import { interfaceHeads, interfaceRows } from './interface-rows.js';
import { mayBeOff, pagesOf } from './listing.js';

/** `kend.conf · kend (tar) · kaia v2.2.1 · http and ws on 0.0.0.0: any address reaches them`. */
export function headerOf(target: TargetReport, kinds: readonly Kind[]): string {
  const { conf, release } = target;
  const name = visible(target.name);
  if (conf === null) return `${name} · not read`;
  return [
    name,
    visible(startOf(target, conf, kinds)),
    ...(release == null ? [] : [visible(foundName(release))]),
    ...openings(target.interfaces),
  ].join(' · ');
}

/** Where the facts about a kind of node come from, if none was seen running; empty if one was. */
export function sourceOfFacts({ kind: id, seenRunning }: TargetReport, kinds: readonly Kind[]): string {
  const label = kinds.find((one) => one.id === id)?.label ?? id ?? 'node';
  return seenRunning === false ? `${label}: facts read from the source, not seen running` : '';
}

/** `kend (tar, guessed)`; `ken` where no launcher starts the program, which is the same in every package. */
function startOf(
  { kind: id }: TargetReport,
  { launcher, package: from, packageBy, guessed }: NonNullable<TargetReport['conf']>,
  kinds: readonly (KindReleases & KindScripts & KindWords)[],
): string {
  if (packageBy === 'launch') {
    const kind = kinds.find((one) => one.id === id);
    // A saved report of a later version may name another launcher.
    return kind?.launchers?.names.includes(launcher) === true ? kind.programOf(launcher) : launcher;
  }
  const notes = [from, guessed === true ? 'guessed' : ''].filter((note) => note !== '');
  return notes.length === 0 ? launcher : `${launcher} (${notes.join(', ')})`;
}

/** The release that the program's build information tells, or that the name of its image contradicts. */
function releaseBuilt({ release }: TargetReport): string[] {
  const isTold = release?.by === 'build' || release?.unlike !== undefined;
  return release != null && isTold ? [visible(foundName(release))] : [];
}

/** Who reaches a local socket through relays. */
function openedBy({ reach }: InterfaceReport): string {
  if (reach === undefined) return 'relayed, so the reach is not known';
  return reach === 'ipc' ? 'its users reach it' : `${callers[reach]} reaches it`;
}

/** Groups interfaces by address and by who reaches them. */
function openings(interfaces: readonly InterfaceReport[]): string[] {
  const network = interfaces.filter(({ transport }) => transport !== 'ipc' && transport !== 'metrics');
  const hostOf = ({ endpoint }: InterfaceReport) => /^\w+:\/\/(\[[^\]]*\]|[^:/]*)/.exec(endpoint)?.[1] ?? '?';
  const groups = groupBy(network, (one) => {
    const host = hostOf(one);
    const { reach = null, reachBy, containerOnly = false, reachVia = [] } = one;
    return host === '?'
      ? host
      : JSON.stringify([host, reach, reachBy, containerOnly, reachVia, pagesOf(one), mayBeOff(one)]);
  });
  const off = network.every(({ role }) => role !== undefined) ? ['http and ws are off'] : [];
  const on = [...groups.values()].map((all) => {
    const [first] = all;
    const host = first === undefined ? '?' : hostOf(first);
    const what = joinWords(all.map(interfaceName));
    if (host === '?') return `${what}: not known offline`;
    const where = `${what} ${first !== undefined && mayBeOff(first) ? 'may listen ' : ''}on ${visible(host)}`;
    const relays = [...new Set(all.flatMap(({ reachVia = [] }) => reachVia))];
    if (relays.length > 0 && first?.reach === undefined)
      return `${where}: relayed (${visible(relays.join(', '))}), so the reach is not known`;
    const reach = all.map((one) => one.reach ?? reachOfHost(host).reach).reduce(wider);
    const who = all.every(({ containerOnly }) => containerOnly === true)
      ? 'its container alone reaches'
      : `${callers[reach]} reaches`;
    const isAssumed = first?.reachBy === 'assumed';
    const by = isAssumed ? '--assume-reach says so' : `by ${visible(relays.join(', '))}`;
    const through = relays.length === 0 && !isAssumed ? '' : ` (${by})`;
    const pages = first === undefined ? [] : pagesOf(first);
    return [`${where}: ${who} ${all.length > 1 ? 'them' : 'it'}${through}`, ...pages].join(' · ');
  });
  const relayed = interfaces
    .filter(({ transport, reachVia = [] }) => transport === 'ipc' && reachVia.length > 0)
    .map((one) => `${interfaceName(one)}: ${openedBy(one)} (by ${visible((one.reachVia ?? []).join(', '))})`);
  return [...off, ...on, ...relayed];
}

/** `en-1 · Klaytn/v2.2.1 · chain 8217 · 3 interfaces, 11 requests`, the table, and the switch. */
export function auditHeader(target: TargetReport, width: number, kinds: readonly Kind[]): string {
  const asked = target.interfaces.filter(({ state }) => state !== 'closed');
  const client = target.interfaces.find((one) => one.client !== null)?.client ?? null;
  const chain = target.interfaces.find((one) => typeof one.chain === 'string')?.chain ?? null;
  const requests = target.interfaces.reduce((sum, one) => sum + (one.requests ?? 0), 0);
  const parts = [
    visible(target.name),
    ...(target.interfaces.some(({ simulated }) => simulated === true) ? ['SIMULATED'] : []),
    ...(target.role === null ? [] : [visible(target.role)]),
    ...(client === null ? releaseBuilt(target) : [visible(shortClient(client))]),
    ...(chain === null ? [] : [`chain ${visible(chain)}`]),
    `${count(asked.length, 'interface')}, ${count(requests, 'request')}`,
  ];
  const blocks = [
    wrap(parts.join(' · '), width, 0, 2),
    table(interfaceHeads, interfaceRows(target, kinds), width),
  ];
  const verdict = switchLine(target.interfaces);
  if (verdict !== null) blocks.push(wrap(verdict, width, 0, 2));
  return blocks.join('\n\n');
}

/** Klaytn/identity/v2.2.1/linux-amd64/go1.25.3 without the platform. */
function shortClient(client: string): string {
  const cut = client.search(/\/(?:linux|darwin|windows|freebsd)\b/i);
  return cut > 0 ? client.slice(0, cut) : client.slice(0, 60);
}

/** The unsafe-debug switch as the interfaces prove it; null if none offers debug. */
function switchLine(interfaces: readonly InterfaceReport[]): string | null {
  const shown = interfaces.filter((one) => one.unsafeDebug !== undefined && one.unsafeDebug !== null);
  if (shown.length === 0) return null;
  const by = (state: InterfaceReport['unsafeDebug']): string[] =>
    shown.filter((one) => one.unsafeDebug === state).map(({ transport }) => transport);
  if (by('off').length > 0) return `unsafe-debug switch: OFF, proven over ${by('off').join(' and ')}`;
  if (by('on').length > 0) return `unsafe-debug switch: on, proven over ${by('on').join(' and ')}`;
  return 'unsafe-debug switch: not proven';
}

/** The drift table without empty columns; null without drift. */
export function driftTable(rows: readonly DriftRow[] | undefined, width: number): string | null {
  if (rows === undefined || rows.length === 0) return null;
  const withProcess = rows.some(({ process }) => process !== null);
  const cells = rows.map((row) => [
    visible(row.setting, 40),
    visible(row.conf, 200),
    ...(withProcess ? [visible(row.process ?? '–', 200)] : []),
    visible(row.node ?? '–', 200),
    visible(row.note ?? '', 200),
  ]);
  const heads = ['drift', 'conf says', ...(withProcess ? ['process says'] : []), 'node says', ''];
  return table(heads, cells, width);
}
