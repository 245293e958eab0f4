/** The interfaces that the words and the environment of another client open. */
import { knownText, knownWords, optionsOf, type Word } from '../dialect/options.js';
import { reachOfHost } from '../facts/reach.js';
import type { Setting, SettingValue } from '../facts/settings.js';
import type { ClientInterface, OtherClient } from './client.js';
import type { InterfaceRows, Start } from './interfaces.js';
import { listenersOf } from './listening.js';

export type Environment = ReadonlyMap<string, string | null>;

/** An interface that a command opens. */
export interface OpenInterface {
  readonly name: string;
  /** It is null if it is not known. */
  readonly bind: string | null;
  readonly port: number | null;
  /** As they are listed; null if they are not known, or it has no list. */
  readonly modules: string | null;
  /** What decides who may call it, as words of the report: `any origin`, `no login`. */
  readonly switches: readonly string[];
  /** Whether literal words or a known default bind it to loopback. */
  readonly isLoopback: boolean;
  /** Whether unknown words or a config file may open other interfaces. */
  readonly mayOpenOthers?: boolean;
}

/** A value of a setting; null if it cannot be known. `isWeak`: `--switch value` of a client that takes no such value. */
interface Value {
  readonly text: string | null;
  readonly isWeak: boolean;
}

interface Reading {
  /** Whether it runs in a container, or may. */
  readonly isContainer: boolean;
  valuesOf(names: readonly string[]): readonly Value[];
  /** Whether an unknown word can set anything. */
  readonly isOpen: boolean;
  /** Whether a config file can set anything that the words leave open. */
  readonly isConfigured: boolean;
}

/** The interfaces that a command opens; one of unknown address if words or files that are not known decide them all. */
export function describe(
  client: OtherClient,
  words: readonly Word[],
  environment: Environment = new Map(),
  isContainer = true,
): readonly OpenInterface[] {
  const read = { ...readingOf(client, knownWords(words), environment), isContainer };
  const open = opened(client.interfaces, read);
  const [first] = client.interfaces;
  if (open.length > 0 || first === undefined || !(read.isOpen || read.isConfigured)) return open;
  const unsettled = { ...first, isOn: true, enable: [], disable: [], needs: [] };
  return opened([unsettled], { ...read, isConfigured: true });
}

function readingOf(
  client: OtherClient,
  words: readonly Word[],
  environment: Environment,
): Omit<Reading, 'isContainer'> {
  const options = optionsOf(words);
  const isNamed = (names: readonly string[], name: string) =>
    names.some((one) => one.startsWith('-') && bare(one) === name.toLowerCase());
  const valuesOf = (names: readonly string[]): readonly Value[] => {
    const flags = options.filter(({ name }) => isNamed(names, name));
    if (flags.length > 0)
      return flags.map(({ value, isJoined }) => ({
        text: value === undefined ? 'true' : value,
        isWeak: !isJoined && !client.takesSeparateBooleans,
      }));
    return names.flatMap((name) => {
      const value = name.startsWith('$') ? environment.get(name.slice(1)) : undefined;
      if (value === undefined || (client.blankIsUnset && value?.trim() === '')) return [];
      return [{ text: value === null ? null : knownText(value), isWeak: false }];
    });
  };
  const valued = client.interfaces.flatMap(({ addr, port, api }) => [...addr, ...port, ...api]);
  const switches = client.interfaces.flatMap((one) => [...one.enable, ...one.disable]);
  const isSwitch = (name: string) => isNamed(switches, name) && !isNamed(valued, name);
  // The name of a settings file that the client brings along, such as `mainnet`, sets nothing.
  const named = client.configFiles.flatMap((name) => valuesOf([name]));
  return {
    valuesOf,
    isOpen: words.some((word, index) => word === null && !isValue(words[index - 1], isSwitch)),
    isConfigured: client.isConfigured || named.some(({ text }) => text === null || !/^[\w-]+$/.test(text)),
  };
}

/** Whether a word after this one is its value. */
function isValue(word: Word | undefined, isSwitch: (name: string) => boolean): boolean {
  const [, name] = /^--?([^=]+)$/.exec(word ?? '') ?? [];
  return name !== undefined && !isSwitch(name);
}

function bare(name: string): string {
  return name.replace(/^-+/, '').toLowerCase();
}

/** The interfaces that are open by what the words, the environment and the defaults say of each. */
function opened(interfaces: readonly ClientInterface[], read: Reading): readonly OpenInterface[] {
  const given = interfaces.map((one) => ({ one, ...settingsOf(one, read) }));
  const keys = ({ name }: ClientInterface, settings: object) =>
    Object.keys(settings).map((part) => [part, `${name} ${part}`] as const);
  const rows = given.map(({ one, settings }) => [one.name, Object.fromEntries(keys(one, settings))] as const);
  const values = given.flatMap(({ one, settings }) =>
    Object.entries(settings).map(([part, setting]) => [`${one.name} ${part}`, setting] as const),
  );
  const start: Start = {
    dialect: { unbindable: () => null, addressIn: () => null },
    launcher: '',
    values: Object.fromEntries(values),
    words: [],
    locate: () => null,
  };
  const modules = { existing: () => ({ sure: [], maybe: [] }), offered: () => null };
  const opening = { rows: Object.fromEntries(rows) as InterfaceRows, quirks: [], modules, holds: () => true };
  return listenersOf({ ...opening, socketName: '', anyHost: '' }, start).flatMap(
    ({ state, host, port }, at) => {
      const { one, isLoopback } = given[at] as (typeof given)[number];
      const packed = one.isPacked ? read.valuesOf(one.addr).at(-1)?.text : null;
      if (state !== 'on') return [];
      if (packed != null) return unpacked(packed).map((entry) => ofEntry(one, entry, read));
      const usual = isUnsettled(one, read) ? null : one.usualModules;
      const list = read.valuesOf(one.api).at(-1)?.text ?? usual;
      const switches = [...wildcardsOf(one, read), ...switchesOf(one, read)];
      const mayOpenOthers = read.isOpen || read.isConfigured;
      return [{ name: one.name, bind: host, port, modules: list, switches, isLoopback, mayOpenOthers }];
    },
  );
}

function isUnsettled({ isOn }: ClientInterface, read: Reading): boolean {
  return read.isOpen || read.isConfigured || isOn === null;
}

const setting = (value: SettingValue | null): Setting => {
  return { value, origin: { kind: 'default' }, shadowed: [], indeterminate: null };
};

/** What decides an interface, as its row has it; an address is that of its last use. */
function settingsOf(one: ClientInterface, read: Reading) {
  const { valuesOf } = read;
  const isOff = ({ text, isWeak }: Value) => text !== null && one.off.test(text) && (!isWeak || text === '');
  const enabled = valuesOf(one.enable).map((value) => !isOff(value));
  const isClosing = ({ text }: Value) => text !== null && !/^(?:false|0)$/i.test(text);
  const disabled = !enabled.includes(true) && valuesOf(one.disable).some(isClosing);
  const isMissing = valuesOf(one.needs).some(({ text }) => /^(?:false|0)$/i.test(text ?? ''));
  const addresses = valuesOf(one.addr).map(({ text }) =>
    text === null ? null : addressesOf(text, one.hostOfPort),
  );
  const last = addresses.at(-1);
  const isOther = isUnsettled(one, read) || (one.isOtherInContainer && read.isContainer);
  const usual = isOther ? null : one.usual[0];
  const port = valuesOf(one.port).at(-1);
  const number = /^:?(\d+)$/.exec(port?.text ?? '')?.[1];
  return {
    settings: {
      enable: setting(one.isOn === false ? enabled.includes(true) : !enabled.includes(false)),
      disable: setting(disabled || isMissing),
      addr: setting(last === undefined ? usual : (last?.map(({ host }) => host).join(',') ?? null)),
      port: setting(
        port === undefined ? (last?.[0]?.port ?? one.usual[1]) : number === undefined ? null : Number(number),
      ),
    },
    isLoopback:
      !read.isOpen &&
      (last === undefined
        ? usual !== null && isLocal(usual)
        : addresses.every((each) => each?.every(({ host }) => isLocal(host)) ?? false)),
  };
}

/** The entries of `[url|transports|modules,…]`, with or without brackets and quotes. */
function unpacked(text: string): readonly string[] {
  const list = text.replace(/["'\s]/g, '').replace(/^\[|\]$/g, '');
  return list.split(',').filter((entry) => entry !== '');
}

/** The interface of one entry, `url|transports|modules[|no-auth]`. */
function ofEntry(one: ClientInterface, entry: string, read: Reading): OpenInterface {
  const [url = '', , modules = '', login] = entry.split('|');
  const [{ host, port } = { host: '', port: null }] = addressesOf(url, one.hostOfPort);
  const switches = [
    ...wildcardsOf(one, read),
    ...(login === 'no-auth' ? ['no login'] : []),
    ...switchesOf(one, read),
  ];
  return {
    name: one.name,
    bind: host,
    port,
    modules: modules === '' ? null : modules.replaceAll(';', ','),
    switches: [...new Set(switches)],
    isLoopback: !read.isOpen && isLocal(host),
  };
}

/** The lists that accept every caller, as words of the report. */
function wildcardsOf(one: ClientInterface, read: Reading): readonly string[] {
  const usualOrigins = read.isOpen || read.isConfigured ? null : one.usualOrigins;
  const lists = [
    ['any origin', one.origins, usualOrigins],
    ['any Host', one.hosts, null],
  ] as const;
  return lists.flatMap(([words, settings, usual]) => {
    const given = read.valuesOf(settings).at(-1);
    const list = (given === undefined ? usual : given.text)?.split(/[^\w.*:/-]+/) ?? [];
    return list.some((entry) => /^(?:\*|all)$/i.test(entry)) ? [words] : [];
  });
}
/** The words of the switches that are on; of `--flag=value` those that have this value. */
function switchesOf(one: ClientInterface, read: Reading): readonly string[] {
  const on = Object.entries(one.switches).filter(([name]) => {
    const [flag = '', wanted] = name.split('=');
    return read
      .valuesOf([flag])
      .some(({ text, isWeak }) =>
        wanted === undefined
          ? isWeak || !/^(?:false|0)$/i.test(text ?? '')
          : text === wanted || text === null,
      );
  });
  return [...new Set(on.map(([, words]) => words))];
}

interface Address {
  readonly host: string;
  readonly port: number | null;
}

/** The addresses of `host`, `host:port`, `:port`, `port`, a list of them, or of URLs in a text. */
function addressesOf(text: string, hostOfPort: string): readonly Address[] {
  if (/^(?:unix:|\/)/.test(text)) return [{ host: text, port: null }];
  const urls = [...text.matchAll(/:\/\/([^/,|\s"']*)/g)].map(([, authority = '']) => authority);
  return (urls.length > 0 ? urls : text.split(',')).map((one) => addressOf(one.trim(), hostOfPort));
}

function addressOf(text: string, hostOfPort: string): Address {
  const [, host = text, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (port === undefined && /^\d+$/.test(text)) return { host: hostOfPort, port: Number(text) };
  const isBare = host === '' && port !== undefined;
  return { host: isBare ? hostOfPort : host, port: port === undefined ? null : Number(port) };
}

function isLocal(host: string): boolean {
  return /^(?:unix:|\/)/.test(host) || reachOfHost(host).reach === 'loopback';
}

/** Flags of a port for peers, without dashes. */
const peerFlags =
  /^(?:port|tcp-port|staking-port|libp2p-port|p2p[.-](?:tcp-|quic-)?port|p2p\.listen\.tcp|network\.p2pport|torrent\.port)$/i;

/** The ports at which clients listen for peers without a flag. */
const peerPorts: Readonly<Record<OtherClient['role'], readonly number[]>> = {
  execution: [30303, 30304, 42069, 4001, 5050, 9651, 26656],
  consensus: [9000, 9001, 13000, 3610, 13001],
  rollup: [9222, 26656, 2121],
  signer: [],
  proxy: [],
  development: [],
};

/** Whether it is a port at which the client listens for peers: by its flags, else by its role. */
export function isForPeers({ role }: OtherClient, words: readonly Word[], port: number): boolean {
  const given = optionsOf(words).filter(({ name }) => peerFlags.test(name));
  return given.some(({ value }) => value === String(port)) || peerPorts[role].includes(port);
}

/**
 * One line on a client and its interfaces: those that other machines may reach, or all if none is. `published`: how its
 * container publishes them.
 * "reth · http on 0.0.0.0:8545, modules all · not judged"
 */
export function summary(client: OtherClient, interfaces: readonly OpenInterface[], published = ''): string {
  const wide = interfaces.filter(({ isLoopback }) => !isLoopback);
  const shown = (wide.length > 0 ? wide : interfaces).map(phrase).join('; ');
  const way = published === '' ? '' : ` · ${published}`;
  return `${client.name}${withoutRpc(client, interfaces)} · ${shown === '' ? 'no interface' : shown}${way} · not judged`;
}

/** Without its switch the client serves no JSON-RPC, which the interfaces that it opens do not say; a config file may set it. */
function withoutRpc(client: OtherClient, interfaces: readonly OpenInterface[]): string {
  const rpc = client.interfaces.find(({ name }) => name === 'http');
  const flag = rpc?.enable.find((name) => name.startsWith('-'));
  const isOpen =
    interfaces.length === 0 || interfaces.some((one) => /^(?:http|ws)$/.test(one.name) || one.mayOpenOthers);
  return rpc?.isOn !== false || flag === undefined || isOpen ? '' : ` without ${flag}`;
}

function phrase({ name, bind, port, modules, switches }: OpenInterface): string {
  const list = modules === null ? [] : [modules === '' ? 'an empty module list' : `modules ${modules}`];
  return [`${name} on ${formatAddress(bind, port)}`, ...list, ...switches].join(', ');
}

function formatAddress(bind: string | null, port: number | null): string {
  if (bind === null) return port === null ? 'an unknown address' : `an unknown address, port ${port}`;
  if (bind === '') return port === null ? 'every address' : `every address, port ${port}`;
  const host = bind.includes(':') && !/^(?:\[|unix:)/.test(bind) ? `[${bind}]` : bind;
  return port === null || bind.includes('/') ? host : `${host}:${port}`;
}
