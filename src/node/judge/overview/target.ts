/** What is known of a target besides its findings, for the report. */

import { redact } from '../../../util/redact.js';
import type { Facts } from '../../facts/facts.js';
import type { ReleaseFound } from '../../facts/release.js';
import {
  type InterfaceReport,
  interfaceName,
  type TargetReport,
  type TransportName,
  transports,
  type Undetermined,
} from '../../facts/report.js';
import { blindSpot, isLeftOut, seenValue } from '../../facts/seen.js';
import type { Listener, Settings } from '../../facts/settings.js';
import type { Kind, KindListeners } from '../../kinds/kind.js';
import { kindKnown, withKind } from '../../kinds/node.js';
import { interfaceCount } from '../live/blind-spots.js';
import { type Live, liveOf } from '../live/live.js';
import { splitByNode } from '../live/parts.js';
import { declaredInterfaces } from './declared-interfaces.js';
import { liveInterfaces, liveProcess } from './live-interfaces.js';

export function identityOf(
  facts: Facts,
  live: Live | null,
): Pick<TargetReport, 'name' | 'role' | 'kind' | 'kindBy' | 'release'> {
  const { name, role } = facts;
  return { name, role, ...kindFound(facts, live), release: live?.release ?? releaseOfConf(facts) };
}

export function surveyOf(
  facts: Facts,
  live: Live | null,
  kinds: readonly Kind[],
): Pick<TargetReport, 'seenRunning' | 'conf' | 'files' | 'process' | 'interfaces' | 'notLookedAt'> {
  const interfaces = withRelays(interfacesOf(facts, live, kinds), facts.signs);
  const notLookedAt = notInspected(facts, interfaces, kinds);
  const { kind = null } = kindFound(facts, live);
  return {
    ...(kindKnown(kinds, { kind })?.seenRunning === false ? { seenRunning: false } : {}),
    conf: facts.conf?.state === 'seen' ? confReport(facts.conf.value.settings) : null,
    ...filesOf(facts),
    ...(live === null ? {} : liveProcess(live)),
    interfaces,
    ...(notLookedAt.length === 0 ? {} : { notLookedAt }),
  };
}

/** `signs`: the open questions of its files; `open`: those of the rules. */
export function questionsOf(
  facts: Facts,
  signs: readonly Undetermined[],
  open: readonly Undetermined[],
): Undetermined[] {
  return [...defectOf(facts), ...unseenOf(facts), ...signs, ...openQuestionsOf(facts, open)];
}

/** The kind of node, as a live node shows it, else by the settings. */
function kindFound(facts: Facts, live: Live | null): Pick<TargetReport, 'kind' | 'kindBy'> {
  if (live !== null) return { kind: live.kind, kindBy: live.kindBy };
  return facts.conf?.state === 'seen'
    ? { kind: facts.conf.value.settings.kind, kindBy: 'settings' }
    : { kind: null, kindBy: null };
}

function releaseOfConf({ conf }: Facts): ReleaseFound | null {
  return conf?.state === 'seen' ? (conf.value.settings.release ?? null) : null;
}

/** The live interfaces; those of the settings if none was asked. */
function interfacesOf(facts: Facts, live: Live | null, kinds: readonly Kind[]): InterfaceReport[] {
  const rows = live === null ? [] : liveInterfaces(live);
  if (rows.length > 0)
    return facts.simulated === true ? rows.map((row) => ({ ...row, simulated: true })) : rows;
  return facts.conf?.state === 'seen' ? declaredInterfaces(withKind(kinds, facts.conf.value.settings)) : [];
}

/** The reach of a relayed interface is that of its relays, which is not known. */
function withRelays(rows: readonly InterfaceReport[], signs: Facts['signs'] = []): InterfaceReport[] {
  return rows.map((row) => {
    const relays = signs.filter(
      (one) => one.interface === (row.role === 'engine' ? 'authrpc' : (row.role ?? row.transport)),
    );
    if (relays.length === 0) return row;
    const { reach: _, reachBy: __, containerOnly: ___, ...others } = row;
    return { ...others, reachVia: relays.flatMap(({ at }) => (at === null ? [] : `${at.file}:${at.line}`)) };
  });
}

/** A failure of gathering, as an open question. */
function defectOf({ defect }: Facts): Undetermined[] {
  if (defect === undefined) return [];
  const reason = redact(`kaiactl failed here: ${defect}`);
  return [{ rule: 'gather', code: 'defect', about: null, reason, defect: true }];
}

function unseenOf({ unseen }: Facts): Undetermined[] {
  return unseen === undefined ? [] : [{ rule: 'gather', ...blindSpot(null, unseen) }];
}

/**
 * Open questions of the rules. Unreadable settings are one open question instead of one per rule, and a start that is not
 * followed is one of the signs.
 */
function openQuestionsOf({ conf }: Facts, open: readonly Undetermined[]): readonly Undetermined[] {
  if (conf === null) return open;
  if (conf.state === 'seen') return [...missingOf(conf.value.settings, open), ...open];
  const { code, detail } = conf;
  const unread: Undetermined = { rule: 'gather', code, about: null, reason: redact(detail) };
  const others = open.filter(({ about, reason }) => about !== null || reason !== unread.reason);
  return code === 'unfollowed' ? others : [unread, ...others];
}

/** The missing files of a deployment, but those that are the reason of a rule's open question. */
function missingOf({ missing = [] }: Settings, open: readonly Undetermined[]): Undetermined[] {
  return missing
    .filter(
      ({ decides, reason }) => decides !== 'variable' && !open.some((one) => one.reason.includes(reason)),
    )
    .map(({ name, reason }) => ({
      rule: 'gather',
      code: 'missing-file',
      about: name,
      reason: redact(reason),
    }));
}

/** Of a target that is only an open question, the file that it is in. */
function filesOf({ conf, signs = [] }: Facts): Pick<TargetReport, 'files'> {
  const used = conf?.state === 'seen' ? conf.value.settings.files : undefined;
  const named = used?.map(({ path }) => path) ?? signs.flatMap(({ at }) => at?.file ?? []);
  return used === undefined && (conf?.state === 'seen' || named.length === 0)
    ? {}
    : { files: [...new Set(named)] };
}

function confReport(settings: Settings): TargetReport['conf'] {
  const { source, launcher, by, package: packaging, packageBy } = settings;
  const guessed = by === 'guess' ? { guessed: true as const } : {};
  return { path: source.path, launcher, by, package: packaging, packageBy, ...guessed };
}

/** Interfaces that every kind of node may have. */
const common: readonly TransportName[] = ['http', 'ws', 'ipc'];

/** One word or phrase each, in the order of the interfaces; empty without a live node. */
export function notInspected(
  facts: Facts,
  interfaces: readonly InterfaceReport[],
  kinds: readonly Kind[],
): string[] {
  const { conf } = facts;
  const live = liveOf(facts, kinds);
  if (live === null) return [];
  const listeners = conf?.state === 'seen' ? conf.value.settings.listeners : null;
  if (facts.simulated === true) {
    const lacking = (listeners ?? []).filter(
      (one) =>
        one.state !== 'off' &&
        transports.some((kind) => kind === one.kind) &&
        !interfaces.some((row) => interfaceName(row) === one.kind),
    );
    return ['the node itself', ...lacking.map(({ kind }) => `${kind} (not simulated)`)];
  }
  const node = seenValue(live.process);
  const sockets = node !== null && node.sockets.state === 'seen';
  const unchecked = interfaces.filter(({ state }) => state === 'not-checked').map(labelInterface);
  const possible = splitByNode(live).own === null ? common : transports;
  const ownKind = live.nodeKind ?? kinds[0] ?? null;
  const missing = possible.flatMap((kind) => {
    if (interfaces.some((one) => interfaceName(one) === kind) || (sockets && kind !== 'ipc')) return [];
    const listener = listeners?.find((one) => one.kind === kind) ?? null;
    return kind === 'ipc' && listener?.state === 'off' ? [] : [missingName(ownKind, kind, listener)];
  });
  const isAsked = !live.endpoints.some(({ foreignHost, foreignOrigin }) =>
    [foreignHost, foreignOrigin].some(isLeftOut),
  );
  return [
    ...missing,
    ...unchecked,
    ...(isAsked ? [] : ['whom Host, CORS and Origin checks let in (--probe none)']),
    ...(sockets ? [] : [socketsUnread(interfaceCount(live))]),
    ...(facts.live?.assumed === undefined ? ['a firewall or proxy in front'] : []),
  ];
}

/** Where the node's user or root would see more, that is said. */
function socketsUnread(count: ReturnType<typeof interfaceCount>): string {
  return count === null || count.looked === count.all
    ? 'the process’s sockets'
    : `${count.all - count.looked} of ${count.all} interfaces of this process (run as root or as the node’s user)`;
}

function labelInterface(one: InterfaceReport): string {
  const port = /:(\d+)$/.exec(one.endpoint)?.[1];
  return port === undefined ? interfaceName(one) : `${interfaceName(one)} :${port}`;
}

/** The name of an interface without a row, with the reason: no settings name its address, or they keep it closed. */
function missingName(own: KindListeners | null, kind: TransportName, listener: Listener | null): string {
  const port = kind === 'metrics' ? (listener?.port ?? own?.interfaces.defaultPort('metrics')) : null;
  const name = port == null ? kind : `${kind} :${port}`;
  if (listener === null) return port == null ? name : `${name} (no conf says whether it is on)`;
  return listener.state === 'off' ? `${name} (off in the conf)` : name;
}
