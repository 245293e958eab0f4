/** Listeners that a switch, an address, a port and lists decide. */
import { posix } from 'node:path';
import type { Dialect } from '../dialect/dialect.js';
import type { ListedModule, Listener, PortKind, Setting } from '../facts/settings.js';
import type { Span } from '../facts/span.js';
import type { ListenerFlags, Start } from './kind.js';

/** The modules of a listener, and the clients it accepts. */
export type Offered = Pick<Listener, 'listed' | 'modules' | 'builtInList' | 'origins' | 'vhosts'>;

/** A listener without a module list. */
export function fixed(modules: readonly string[] | null): Offered {
  return { modules, listed: null, builtInList: false, origins: null, vhosts: null };
}

/** The flags of a listener; absent or null: there is no such flag. */
interface SwitchFlags {
  readonly enable: string | null;
  readonly addr?: string | null;
  readonly port: string | null;
  readonly api?: string | null;
}

/** A listener with a switch and a port; without a flag for its address it binds every address. */
export function switchedListener(
  { values, dialect }: Start,
  kind: PortKind,
  { enable, addr = null, port, api = null }: SwitchFlags,
  offered: Offered,
): Listener {
  const names = [enable, addr, port].filter((name) => name !== null);
  const settingOf = (flag: string | null) => (flag === null ? undefined : values[flag]);
  const address = settingOf(addr);
  const host = addr === null ? '0.0.0.0' : address?.value;
  return {
    kind,
    ...stateOf(settingOf(enable), address, names),
    decidedBy: api === null ? names.filter((name) => values[name] !== undefined) : [...names, api],
    host: typeof host === 'string' ? meantHost(dialect, host) : null,
    port: numberOf(settingOf(port)),
    path: null,
    ...offered,
  };
}

function stateOf(
  enable: Setting | undefined,
  address: Setting | undefined,
  names: readonly string[],
): Pick<Listener, 'state' | 'reason'> {
  if (enable === undefined)
    return { state: 'off', reason: names.length === 0 ? null : `this binary has no --${names[0]}` };
  if (enable.indeterminate !== null) return { state: 'unknown', reason: enable.indeterminate };
  if (enable.value !== true) return { state: 'off', reason: null };
  if (address?.value === '') return { state: 'off', reason: `--${names[1]} is empty, which turns it off` };
  return { state: 'on', reason: null };
}

/** The value of a numeric flag; null: unset, or indeterminate. */
export function numberOf(setting: Setting | undefined): number | null {
  return typeof setting?.value === 'number' ? setting.value : null;
}

/**
 * The path of the IPC socket: a name without a folder is in the data folder. null: it cannot be known.
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

/** The items of a list setting, trimmed as the node does; [] when it is not set; null when it is indeterminate. */
export function items(setting: Setting | undefined): readonly string[] | null {
  if (setting === undefined || setting.indeterminate !== null) return null;
  return typeof setting.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}

/**
 * The part of a listener that its module list decides.
 * @param offered the modules that a list offers; null: no list is given
 */
export function listedModules(
  input: Start,
  flag: string | null,
  offered: (list: readonly string[] | null) => readonly string[] | null,
): Pick<Listener, 'listed' | 'modules' | 'builtInList'> {
  const setting = flag === null ? undefined : input.values[flag];
  const list = items(setting);
  if (setting === undefined || list === null) return { listed: null, modules: null, builtInList: false };
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

/** The host, or the host that an invalid one seems to mean: without its port, or in brackets. null: there is none. */
function meantHost({ unbindable }: Dialect, host: string): string | null {
  if (unbindable(host) === null) return host;
  const meant = [`[${host}]`, host.replace(/:\d*$/, ''), host.replace(/[^\w.:[\]-]/g, '')];
  return meant.find((one) => one !== '' && unbindable(one) === null) ?? null;
}

/** The part of an interface that a flag decides: an address or a list; null: another part, or none. */
export function partDecided(
  listenerFlags: ListenerFlags,
  name: string,
): 'addr' | 'api' | 'origins' | 'vhosts' | null {
  for (const flags of Object.values(listenerFlags)) {
    const [part = null] = Object.entries(flags).find(([, flag]) => flag === name) ?? [];
    if (part === 'addr' || part === 'api' || part === 'origins' || part === 'vhosts') return part;
  }
  return null;
}
