/** The offers of each interface, for the matrix: a module, its severity, who reaches it. */

import { visible } from '../../util/visible.js';
import { bySeverityAndReach, type Reach, reaches, reachOfHost } from '../facts/reach.js';
import { type InterfaceReport, interfaceName, type TargetReport, type Targets } from '../facts/report.js';
import { compareSeverity, type Held, type Severity } from '../facts/severity.js';
import { moduleImpact, profiler, worstImpact } from '../kinds/impact.js';
import { uncheckedList } from '../kinds/interfaces.js';
import type { Kind, Module } from '../kinds/kind.js';
import { kindKnown } from '../kinds/node.js';
import { pagesOf } from './listing.js';

/** A module at one interface, or at all interfaces of a target. */
export interface Offer {
  readonly module: string;
  readonly privileged: boolean;
  readonly severity: Severity;
  /** Who calls it, web pages in a browser included; null if unknown. */
  readonly reach: Reach | null;
  /** Whether web pages reach more than addresses do. */
  readonly isByPages: boolean;
}

export type Column = Pick<Offer, 'module' | 'privileged'>;

/** The columns for these modules: privileged modules first, most severe first. */
export function columnsOf(names: ReadonlySet<string>, kinds: readonly Kind[]): Column[] {
  const [first = null] = kinds;
  const rank = (name: string): Severity =>
    isPrivileged(name, kinds)
      ? worstImpact(first, { launcher: null }, name, { kind: 'http' }).severity
      : 'info';
  return [...names]
    .sort((a, b) => compareSeverity(rank(a), rank(b)) || (a < b ? -1 : 1))
    .map((module) => ({ module, privileged: isPrivileged(module, kinds) }));
}

/** The judged reach of an interface, or else the reach of the addresses it listens on. */
export function reachOf(one: InterfaceReport): Reach | null {
  if (one.reach !== undefined) return one.reach;
  // An address may have a port: `0.0.0.0:8551`, `[::]:8551`.
  const hosts = (one.bind ?? []).map((address) => address.replace(/^(\[.*\]|[^:]*):\d+$/, '$1'));
  const bound = hosts.map((host) => reachOfHost(host).reach);
  return bound.sort((a, b) => reaches.indexOf(b) - reaches.indexOf(a))[0] ?? null;
}

/** The modules of an interface except rpc, and the profiler if it serves one. */
export function modulesOf(one: InterfaceReport): string[] {
  const names = one.declared?.modules ?? Object.keys(one.modules ?? {});
  const { access } = one.declared ?? one;
  const listed = names.filter((name) => name !== 'rpc');
  return access?.profiler === true ? [...listed, profiler.name] : listed;
}

/** The modules of an interface with severity and reach. */
export function offersOf(target: TargetReport, one: InterfaceReport, kinds: readonly Kind[]): Offer[] {
  const isByPages = pagesOf(one).length > 0;
  const reach = isByPages ? 'any' : reachOf(one);
  const held = heldBy(target, one, kinds);
  return modulesOf(one).map((module) => {
    const { severity, privileged } = impactAt(target, one, module, kinds);
    const shown = bySeverityAndReach(severity, reach ?? 'any', held);
    return { module, privileged, reach, isByPages, severity: shown };
  });
}

/** What callers of an interface of a target can do by a module. */
export function impactAt(
  { kind: id = null, role, conf, release = null }: TargetReport,
  one: InterfaceReport,
  module: string,
  kinds: readonly Kind[],
): Module {
  const kind = kindKnown(kinds, { kind: id });
  const on = one.role === 'engine' ? 'authrpc' : (one.role ?? one.transport);
  const { unsafeDebug = null } = one.declared ?? one;
  return worstImpact(kind, { launcher: null, ...conf, role, release }, module, { kind: on, unsafeDebug });
}

/** Where only a check that the kind does not have would stop browsers: the reach without them. */
function heldBy({ kind = null }: TargetReport, one: InterfaceReport, kinds: readonly Kind[]): Held {
  const { foreignOrigin, foreignHost } = (one.declared ?? one).access ?? {};
  const checks = kindKnown(kinds, { kind })?.interfaces.checks;
  if (checks === undefined || (one.transport !== 'http' && one.transport !== 'ws')) return {};
  const lacked = uncheckedList(one.transport, checks);
  const isOnly =
    lacked === 'vhosts' ? foreignHost === true && foreignOrigin !== true : foreignOrigin === true;
  return lacked !== null && isOnly ? { unchecked: reachOf(one) ?? 'any' } : {};
}

/** The most severe offer; among equals, the one with the widest reach. */
export function worst<T extends Offer>(offers: readonly T[]): T | undefined {
  return [...offers].sort(
    (a, b) =>
      compareSeverity(a.severity, b.severity) ||
      reaches.indexOf(b.reach ?? 'any') - reaches.indexOf(a.reach ?? 'any'),
  )[0];
}

const callers: Readonly<Partial<Record<Reach, string>>> = {
  any: 'Any address reaches',
  private: 'The private network reaches',
};

const callersOf = ({ reach, isByPages }: Offer) =>
  isByPages ? 'Any web page reaches' : callers[reach ?? 'any'];

/**
 * The worst offer of the targets that fail: `Any address reaches debug on http of en-012 and 3 more`. Returns null if none of them
 * offers others a privileged module.
 */
export async function worstFact(
  targets: Targets,
  kinds: readonly Kind[],
  nameOf: (name: string) => string,
): Promise<string | null> {
  let [found, others]: [(Offer & { readonly where: string }) | null, number] = [null, 0];
  for await (const target of targets) {
    if (target.verdict !== 'fail') continue;
    const offers = target.interfaces.flatMap((one) =>
      offersOf(target, one, kinds)
        .filter(({ privileged, reach }) => privileged && reach !== null && callers[reach] !== undefined)
        .map((offer) => ({
          ...offer,
          where: `${interfaceName(one)} of ${visible(nameOf(target.name), 60)}`,
        })),
    );
    const own = worst(offers);
    if (own === undefined) continue;
    const isAlike = found !== null && own.module === found.module && callersOf(own) === callersOf(found);
    if (found === null || worst([found, own]) !== found) [found, others] = [own, 0];
    else if (isAlike && own.severity === found.severity) others += 1;
  }
  if (found === null) return null;
  const rest = others === 0 ? '' : ` and ${others} more`;
  return `${callersOf(found)} ${found.module} on ${found.where}${rest}`;
}

/** Whether a module can spend, control or read private data on a node of some kind. */
function isPrivileged(module: string, kinds: readonly Kind[]): boolean {
  const anyKind = [null, ...kinds].map((nodeKind) => ({ nodeKind, launcher: null }));
  return anyKind.some((node) => moduleImpact(node, module, { kind: 'http' }).privileged);
}
