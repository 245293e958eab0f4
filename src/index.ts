/**
 * The library: read settings, gather facts from live nodes, judge, report, render.
 * Only the exports of this file are a stable interface.
 */
import { platform } from 'node:os';
import { text } from 'node:stream/consumers';
import { KaiactlError } from './errors.js';
import type { Conf, Facts } from './node/facts/facts.js';
import type { Report, TargetReport } from './node/facts/report.js';
import { seen } from './node/facts/seen.js';
import type { FailOn } from './node/facts/severity.js';
import { gather as gatherTarget } from './node/gather.js';
import { kinds } from './node/kinds/index.js';
import { withKind } from './node/kinds/node.js';
import { judgeTarget } from './node/pipeline.js';
import { confEndpoints, confMetrics, machineOf, parseEndpoint, type Target } from './node/probe/index.js';
import { formats } from './node/report/index.js';
import type { Editables } from './node/sources/text/editable.js';
import { summarise } from './node/summarise.js';
import { version } from './version.js';

export type * from './node/facts/facts.js';
export type * from './node/facts/live.js';
export type * from './node/facts/report.js';
export type * from './node/facts/seen.js';
export type * from './node/facts/settings.js';
export type * from './node/facts/severity.js';
export type * from './node/facts/shell.js';
export type * from './node/facts/span.js';
export { type ConfOptions, readConf, readConfFile } from './node/read-conf.js';
export type { Editable, Editables, ReadAs, Texts } from './node/sources/text/editable.js';
export type { Target };
export { KaiactlError };

/** The facts of a conf alone, to judge offline. */
export function factsOf(name: string, conf: Conf): Facts {
  return { name, role: null, conf: seen(conf), live: null, gatheredAt: new Date().toISOString() };
}

/**
 * A node to look at: by its endpoints (`http://…`, `ws://…`, `ipc:/path`), by its conf, or both.
 * @throws {KaiactlError} when an endpoint is not one
 */
export function targetOf(
  name: string,
  from: { readonly conf?: Conf; readonly endpoints?: readonly string[] },
): Target {
  const { conf, endpoints = [] } = from;
  const named = endpoints.map((text) => ({ address: parseEndpoint(text), source: 'argument' as const }));
  if (conf === undefined) return { name, role: null, conf: null, endpoints: named, metrics: [] };
  const settings = withKind(kinds, conf.settings);
  const transports = named.map(({ address }) => address.endpoint.kind);
  return {
    name,
    role: null,
    conf: seen(conf),
    endpoints: [...named, ...confEndpoints(settings, transports)],
    metrics: confMetrics(settings),
  };
}

export interface GatherOptions {
  /** For one target, all its requests together. Default: 5000. */
  readonly timeoutMs?: number;
  /** `none`: identity and modules; `safe` (default): also existence probes and access checks. */
  readonly depth?: 'none' | 'safe';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Asks a node with a few small requests that change nothing. Failures of the node or the network become facts. */
export function gather(target: Target, options: GatherOptions = {}): Promise<Facts> {
  return gatherTarget(target, {
    connection: { headers: options.headers ?? {}, insecure: false, env: {} },
    timeoutMs: options.timeoutMs ?? 5000,
    depth: options.depth ?? 'safe',
    machine: machineOf({ proc: '/proc', platform: platform(), kinds }),
    signal: options.signal ?? new AbortController().signal,
    now: Date.now,
  });
}

/** Judges facts by every rule. The same facts give the same report; its fixes have edits where `editables` holds the conf's file. */
export function judge(facts: Facts, failOn: FailOn = 'high', editables?: Editables): TargetReport {
  return judgeTarget(facts, { failOn, kinds, editables });
}

/** Puts judged targets, in their order, into one report. */
export function report(targets: readonly TargetReport[], failOn: FailOn = 'high'): Report {
  const now = Date.now();
  return summarise(targets, { version: version(), startedAt: now, finishedAt: now, failOn });
}

/** A report in one of the formats of `--format`, without colour. */
export async function render(
  report: Report,
  format: string,
  { columns = 80, verbose = false } = {},
): Promise<string> {
  const load = formats[format];
  if (load === undefined) throw new KaiactlError(`${format}: there is no such format`);
  return await text((await load(false))(report, { columns, verbose, kinds }));
}
