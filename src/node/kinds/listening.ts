/** The interfaces that the settings of a node open: rows of flags, and the quirks of a program and its releases. */
import { posix } from 'node:path';
import type { Period } from '../facts/release.js';
import {
  isLocal,
  isOpaque,
  type ListedModule,
  type Listener,
  type ListenerKind,
  type LocalKind,
  type PortKind,
  type Setting,
} from '../facts/settings.js';
import type { Span } from '../facts/span.js';
import type { Existing, InterfaceRow, InterfaceRows, ListenerFlags, Modules, Start } from './kind.js';

/** What no row says: how a program opens an interface in some of its releases. */
export interface Quirk<Tag extends string = string> extends Period<Tag> {
  readonly of: ListenerKind;
  apply(listener: Listener, at: Opened, row: InterfaceRow): Listener;
}

/** What a quirk may ask. */
export interface Opened extends Start {
  readonly existing: Existing;
  /** An interface as its row and the quirks before this one open it; undefined if the kind has none. */
  listener(kind: ListenerKind): Listener | undefined;
}

/** What decides the interfaces of a kind at a release. */
export interface Opening<Tag extends string> {
  readonly rows: InterfaceRows;
  readonly quirks: readonly Quirk<Tag>[];
  readonly holds: (period: Period<Tag>) => boolean;
  readonly modules: Pick<Modules, 'existing' | 'offered'>;
  /** The name of its socket in the data folder. */
  readonly socketName: string;
  /** The host that an empty address means; absent if an empty address closes the interface. */
  readonly anyHost?: string;
  /** Reads a list of origins or of Host names; default: `entries`. */
  readonly listIn?: (setting: Setting | undefined) => readonly string[] | null;
}

/** The listeners of a node: one for each row, in the order of the rows, which is that of `listenerKinds`. */
export function listenersOf<Tag extends string>(opening: Opening<Tag>, start: Start): readonly Listener[] {
  const { rows, quirks, holds, modules } = opening;
  const existing = modules.existing(start.launcher, start.values);
  let all = Object.entries(rows).map(([name, row]): Listener => {
    const kind = name as ListenerKind;
    return isLocal(kind)
      ? socket(opening, start, kind, row, existing)
      : port(opening, start, kind, row, existing);
  });
  const listener = (kind: ListenerKind) => all.find((one) => one.kind === kind);
  const at: Opened = { ...start, existing, listener };
  for (const { of, apply, ...period } of quirks)
    if (holds(period as Period<Tag>))
      all = all.map((one) => (one.kind === of ? apply(one, at, rows[of] ?? {}) : one));
  return all;
}

function port(
  { modules, listIn = entries, anyHost }: Pick<Opening<string>, 'modules' | 'listIn' | 'anyHost'>,
  start: Start,
  kind: PortKind,
  row: InterfaceRow,
  existing: Existing,
): Listener {
  const listOf = (flag: string | null | undefined) => (flag == null ? null : listIn(start.values[flag]));
  const list = listedModules(start, row.api ?? null, (names) => modules.offered(existing, names));
  const lists = { origins: listOf(row.origins), vhosts: listOf(row.vhosts) };
  return switchedListener(start, kind, row, { ...list, ...lists }, anyHost);
}

/** A local socket offers every module. */
function socket(
  { socketName }: Pick<Opening<string>, 'socketName'>,
  { values }: Start,
  kind: LocalKind,
  { enable, disable, path, folder, mode }: InterfaceRow,
  existing: Existing,
): Listener {
  const given = values[path ?? ''];
  return {
    kind,
    ...(enable == null ? stateWithout(values[disable ?? '']) : stateOf(values[enable], [enable])),
    decidedBy: [enable, disable, path, folder].filter((name) => name != null),
    host: null,
    port: null,
    path: folder == null ? textIn(given) : socketPath(socketName, given, values[folder]),
    ...(mode == null ? {} : modeIn(values[mode])),
    ...fixedModules(kind === 'ipc' && existing.maybe.length === 0 ? existing.sure : null),
  };
}

/** The modules of a listener, and the clients it accepts. */
export type Offered = Pick<Listener, 'listed' | 'modules' | 'ifEmpty' | 'builtInList' | 'origins' | 'vhosts'>;

/** A listener without a module list. */
export function fixedModules(modules: readonly string[] | null): Offered {
  return { modules, listed: null, builtInList: false, origins: null, vhosts: null };
}

/** The listener without a module. */
export function withoutModule(listener: Listener, module: string): Listener {
  return { ...listener, modules: listener.modules?.filter((name) => name !== module) ?? null };
}

/** A listener with a port; without a flag for its address it binds every address. */
export function switchedListener(
  { values, dialect }: Start,
  kind: PortKind,
  { enable, disable, addr, port, api }: InterfaceRow,
  offered: Offered,
  anyHost: string | null = null,
): Listener {
  const names = [...new Set([enable, addr, port])].filter((name) => name != null);
  const settingOf = (flag: string | null | undefined) => (flag == null ? undefined : values[flag]);
  const address = settingOf(addr);
  const own = [...names, ...(disable == null ? [] : [disable])].filter((name) => values[name] !== undefined);
  const bound =
    addr != null && addr === port
      ? addressIn(dialect, address)
      : {
          host: addr == null ? '0.0.0.0' : (address?.value === '' && anyHost) || hostIn(dialect, address),
          port: numberOf(settingOf(port)),
        };
  const isClosed = anyHost === null && address?.value === '' && values[enable ?? '']?.value === true;
  const switched = (): State => {
    const without = own.length === 0 ? closed : stateWithout(settingOf(disable));
    return enable == null || (disable != null && without.state === 'off')
      ? without
      : stateOf(values[enable], names);
  };
  // What is written counts: its world has the address that another word may set.
  const opened = (state: State): State =>
    state.state === 'on' && address?.indeterminate != null && isOpaque(address.origin)
      ? { state: 'unknown', reason: address.indeterminate }
      : state;
  return {
    kind,
    ...(isClosed
      ? { state: 'off', reason: `--${names[1]} is empty, which turns it off` }
      : opened(switched())),
    decidedBy: api == null ? own : [...names, api],
    ...bound,
    path: null,
    ...offered,
  };
}

export type State = Pick<Listener, 'state' | 'reason'>;
export const open: State = { state: 'on', reason: null };
export const closed: State = { state: 'off', reason: null };

/** The state by a switch, or by a text that opens an interface unless it is empty. */
export function stateOf(enable: Setting | undefined, names: readonly string[] = []): State {
  if (enable === undefined)
    return names.length === 0 ? closed : { state: 'off', reason: `this binary has no --${names[0]}` };
  if (enable.indeterminate !== null) return { state: 'unknown', reason: enable.indeterminate };
  return enable.value === true || textIn(enable) !== null ? open : closed;
}

/** The state by a switch that closes an interface. */
function stateWithout(disable: Setting | undefined): State {
  const { state, reason } = stateOf(disable);
  return state === 'unknown' ? { state, reason } : state === 'on' ? closed : open;
}

/** The value of a numeric flag; null if it is unset, or indeterminate. */
export function numberOf(setting: Setting | undefined): number | null {
  return typeof setting?.value === 'number' ? setting.value : null;
}

/**
 * The path of the IPC socket: a name without a folder is in the data folder. Returns null if it cannot be known.
 * @param usual its name where no setting names another
 */
export function socketPath(
  usual: string,
  path: Setting | undefined,
  folder: Setting | undefined,
): string | null {
  if (path?.indeterminate != null) return null;
  const name = typeof path?.value === 'string' && path.value !== '' ? path.value : usual;
  if (name.includes('/')) return name;
  return typeof folder?.value === 'string' && folder.value !== '' ? posix.join(folder.value, name) : null;
}

/** The text of a setting; null if it has none, or an empty one. */
function textIn(setting: Setting | undefined): string | null {
  return typeof setting?.value === 'string' && setting.value.trim() !== '' ? setting.value : null;
}

/** The host and port in one setting. */
function addressIn(
  { addressIn: read }: Start['dialect'],
  setting: Setting | undefined,
): Pick<Listener, 'host' | 'port'> {
  const address = read(textIn(setting) ?? '');
  return address === null || 'path' in address ? { host: null, port: null } : address;
}

/** The mode of a socket in octal digits; another text is ignored. */
function modeIn(setting: Setting | undefined): Pick<Listener, 'mode'> {
  if (setting?.indeterminate != null) return { mode: null };
  const digits = String(setting?.value ?? '').replaceAll('0o', '');
  return /^\+?[0-7]{1,11}$/.test(digits) ? { mode: Number.parseInt(digits, 8) & 0o7777 } : {};
}

/** The entries of a list without the empty ones; null if it is not known. */
export function entries(setting: Setting | undefined): readonly string[] | null {
  return items(setting)?.filter((entry) => entry !== '') ?? null;
}

/** The items of a list setting, trimmed as the node does; [] when it is not set; null when it is indeterminate. */
export function items(setting: Setting | undefined): readonly string[] | null {
  if (setting === undefined || setting.indeterminate !== null) return null;
  return typeof setting.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}

/**
 * The part of a listener that its module list decides.
 * @param offered the modules that a list offers; null if no list is given
 */
export function listedModules(
  input: Start,
  flag: string | null,
  offered: (list: readonly string[] | null) => readonly string[] | null,
): Pick<Listener, 'listed' | 'modules' | 'builtInList' | 'ifEmpty'> {
  const setting = flag === null ? undefined : input.values[flag];
  const list = items(setting);
  if (setting === undefined || list === null)
    return {
      listed: null,
      modules: null,
      builtInList: false,
      ...(setting && { ifEmpty: offered(['']) ?? [] }),
    };
  const given = setting.value !== null;
  return {
    listed: given ? listed(input, setting, list) : null,
    modules: offered(given ? list : null),
    builtInList: !given,
  };
}

function listed(input: Start, setting: Setting, list: readonly string[]): readonly ListedModule[] {
  let after: Span | null = null;
  return list.map((name) => {
    const at = name === '' ? null : input.locate(setting, name, after);
    if (at !== null) after = at;
    return { name, at };
  });
}

/** The host, or the host that an invalid one seems to mean: without its port, or in brackets. Returns null if there is none. */
function hostIn({ unbindable }: Start['dialect'], setting: Setting | undefined): string | null {
  const host = setting?.value;
  if (typeof host !== 'string') return null;
  if (unbindable(host) === null) return host;
  const meant = [`[${host}]`, host.replace(/:\d*$/, ''), host.replace(/[^\w.:[\]-]/g, '')];
  return meant.find((one) => one !== '' && unbindable(one) === null) ?? null;
}

const parts = ['addr', 'api', 'origins', 'vhosts'] as const;

/** The part of an interface that a flag decides: an address or a list; null for another part, or none. */
export function partDecided(flags: ListenerFlags, name: string): (typeof parts)[number] | null {
  const found = Object.values(flags).map((row) => parts.find((part) => row[part] === name));
  return found.find((part) => part !== undefined) ?? null;
}
