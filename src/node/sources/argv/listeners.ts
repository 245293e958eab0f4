/** What the settings open: one listener per kind, always all kinds. */
import { posix } from 'node:path';
import type { ListedModule, Listener, ListenerKind, Setting } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { listenerFlags, socketName } from '../../kinds/kaia/interfaces.js';
import { isBootNode, type Launcher } from '../../kinds/kaia/names.js';
import { type Existing, everything, existingModules, offered, publicOnly } from '../../kinds/kaia/offered.js';
import type { ReplayWord } from '../conf/replay.js';
import { unbindable } from './bind.js';

export interface ListenerInput {
  readonly launcher: Launcher;
  readonly settings: Readonly<Record<string, Setting>>;
  readonly words: readonly ReplayWord[];
  /** Where a piece of a setting's value stands. */
  locate(setting: Setting, piece: string, after: Span | null): Span | null;
}

/** All listeners, in the order of `listenerKinds`. */
export function listenersOf(input: ListenerInput): readonly Listener[] {
  const existing = existingModules(input.launcher, input.settings);
  const setting = (name: string) => input.settings[name];
  const http = {
    ...withList(input, 'http', existing),
    origins: items(setting(listenerFlags.http.origins)),
    vhosts: items(setting(listenerFlags.http.vhosts)),
  };
  const ws = {
    ...withList(input, 'ws', existing),
    origins: items(setting(listenerFlags.ws.origins)),
  };
  const grpc = {
    ...listening(input, 'grpc'),
    modules: publicOnly(existing),
  };
  const bridge = {
    ...listening(input, 'mainbridge'),
    modules: ['kaia'],
  };
  const pprof = listening(input, 'pprof');
  return [http, ws, grpc, metrics(input), pprof, bridge, ipc(input, existing)];
}

const unset = {
  host: null,
  port: null,
  path: null,
  listed: null,
  modules: null,
  builtInList: false,
  origins: null,
  vhosts: null,
} as const;

/** A listener that a switch turns on and that binds an address and a port; without a flag for it, every address. */
function listening({ settings }: ListenerInput, kind: Exclude<ListenerKind, 'ipc' | 'metrics'>): Listener {
  const flags = listenerFlags[kind];
  const [enable, port] = [flags.enable, flags.port];
  const address = 'addr' in flags ? flags.addr : null;
  const names = [enable, ...(address === null ? [] : [address]), port];
  const host = address === null ? '0.0.0.0' : settings[address]?.value;
  const { state, reason } = stateOf(
    settings[enable],
    address === null ? undefined : settings[address],
    names,
  );
  // A second spread would be many times as slow.
  return {
    ...unset,
    state,
    reason,
    kind,
    decidedBy: names.filter((name) => settings[name] !== undefined),
    host: typeof host === 'string' ? host : null,
    port: numberOf(settings[port]),
  };
}

function stateOf(
  enable: Setting | undefined,
  address: Setting | undefined,
  names: readonly string[],
): Pick<Listener, 'state' | 'reason'> {
  if (enable === undefined) return { state: 'off', reason: `this binary has no --${names[0]}` };
  if (enable.indeterminate !== null) return { state: 'unknown', reason: enable.indeterminate };
  if (enable.value !== true) return { state: 'off', reason: null };
  if (typeof address?.value === 'string') {
    const why = unbindable(address.value);
    if (why !== null) return { state: 'off', reason: `it cannot be bound: ${why}` };
  }
  if (address?.value === '') return { state: 'off', reason: `--${names[1]} is empty, which turns it off` };
  return { state: 'on', reason: null };
}

function numberOf(setting: Setting | undefined): number | null {
  return typeof setting?.value === 'number' ? setting.value : null;
}

/** The items of a list setting, trimmed as the node does; [] when it is not set; null when it is indeterminate. */
function items(setting: Setting | undefined): readonly string[] | null {
  if (setting === undefined || setting.indeterminate !== null) return null;
  return typeof setting.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}

/** A listener with a list of modules. */
function withList(input: ListenerInput, kind: 'http' | 'ws', existing: Existing): Listener {
  const { enable, addr, port, api } = listenerFlags[kind];
  const setting = input.settings[api];
  const decidedBy = [enable, addr, port, api];
  const list = items(setting);
  const given = setting !== undefined && setting.value !== null;
  const listener = listening(input, kind);
  if (setting === undefined || list === null)
    return { ...listener, listed: null, modules: null, builtInList: false, decidedBy };
  return {
    ...listener,
    listed: given ? listed(input, setting, list) : null,
    modules: offeredBy(input, given ? list : null, existing),
    builtInList: !given,
    decidedBy,
  };
}

/** A boot node's built-in list is `net`, a service it does not have. */
function offeredBy({ launcher }: ListenerInput, list: readonly string[] | null, existing: Existing) {
  return offered(existing, list === null && isBootNode(launcher) ? ['net'] : list);
}

function listed(input: ListenerInput, setting: Setting, list: readonly string[]): readonly ListedModule[] {
  let after: Span | null = null;
  return list.map((name) => {
    const at = name === '' ? null : input.locate(setting, name, after);
    if (at !== null) after = at;
    return { name, at };
  });
}

/** The node looks for the literal words in its argument list: aliases, =true and the environment do nothing. */
function metrics({ settings, words }: ListenerInput): Listener {
  const literal = (name: string) => words.some(({ text }) => text === `--${name}` || text === `-${name}`);
  const unknown = words.find(({ text, maybe }) => {
    return text === null && (maybe === null || maybe.includes('--metrics') || maybe.includes('--prometheus'));
  });
  const on = literal('metrics') && literal('prometheus');
  const decided = on || unknown === undefined;
  const asked = settings.metrics?.value === true && settings.prometheus?.value === true;
  const reason = on || !asked ? null : 'the node looks for --metrics and --prometheus written exactly so';
  return {
    ...unset,
    kind: 'metrics',
    state: decided ? (on ? 'on' : 'off') : 'unknown',
    reason: decided ? reason : (unknown?.indeterminate ?? null),
    decidedBy: ['metrics', 'prometheus', 'prometheusport'],
    host: '0.0.0.0',
    port: numberOf(settings.prometheusport),
  };
}

function ipc({ settings }: ListenerInput, existing: Existing): Listener {
  const { ipcdisable, ipcpath, datadir } = settings;
  const unknown = ipcdisable?.indeterminate ?? null;
  return {
    ...unset,
    kind: 'ipc',
    state: unknown !== null ? 'unknown' : ipcdisable?.value === true ? 'off' : 'on',
    reason: unknown,
    decidedBy: ['ipcdisable', 'ipcpath', 'datadir'],
    path: ipcpath?.indeterminate != null ? null : socketPath(ipcpath?.value, datadir?.value),
    modules: everything(existing),
  };
}

/** The usual name in the data folder, unless --ipcpath names another file; a bare name lies in the data folder too. */
function socketPath(path: unknown, folder: unknown): string | null {
  const name = typeof path === 'string' && path !== '' ? path : socketName;
  if (name.includes('/')) return name;
  return typeof folder === 'string' && folder !== '' ? posix.join(folder, name) : null;
}
