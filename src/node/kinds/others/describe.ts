/** The interfaces that the words and the environment of another client open. */
import { reachOfHost } from '../../facts/reach.js';
import { knownText, knownWords, optionsOf, type Word } from './options.js';
import type { ClientInterface, OtherClient } from './row.js';

export type Environment = ReadonlyMap<string, string | null>;

/** An interface that a command opens. */
export interface OpenInterface {
  readonly name: string;
  /** null: not known. */
  readonly bind: string | null;
  readonly port: number | null;
  /** As they are listed; null: not known, or it has no list. */
  readonly modules: string | null;
  /** What decides who may call it, as words of the report: `any origin`, `no login`. */
  readonly switches: readonly string[];
  /** True where literal words or a known default bind it to loopback. */
  readonly isLoopback: boolean;
}

/** A value of a setting; null: it cannot be known. `isWeak`: `--switch value` of a client that takes no such value. */
interface Value {
  readonly text: string | null;
  readonly isWeak: boolean;
}

interface Reading {
  /** True where it runs in a container, or may. */
  readonly isContainer: boolean;
  valuesOf(names: readonly string[]): readonly Value[];
  /** True if an unknown word can set anything. */
  readonly isOpen: boolean;
  /** True if a config file can set anything that the words leave open. */
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
  const open = client.interfaces.filter((one) => isOpen(one, read)).flatMap((one) => opened(one, read));
  const [first] = client.interfaces;
  const isUnknown = open.length === 0 && (read.isOpen || read.isConfigured) && first !== undefined;
  return isUnknown ? opened(first, { ...read, isConfigured: true }) : open;
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
    if (flags.length > 0) {
      return flags.map(({ value, isJoined }) => ({
        text: value === undefined ? 'true' : value,
        isWeak: !isJoined && !client.takesSeparateBooleans,
      }));
    }
    return names.flatMap((name) => {
      const value = name.startsWith('$') ? environment.get(name.slice(1)) : undefined;
      if (value === undefined || (client.blankIsUnset && value?.trim() === '')) return [];
      return [{ text: value === null ? null : knownText(value), isWeak: false }];
    });
  };
  const valued = client.interfaces.flatMap(({ addr, port, api }) => [...addr, ...port, ...api]);
  const switches = client.interfaces.flatMap((one) => [...one.enable, ...one.disable]);
  const isSwitch = (name: string) => isNamed(switches, name) && !isNamed(valued, name);
  return {
    valuesOf,
    isOpen: words.some((word, index) => word === null && !isValue(words[index - 1], isSwitch)),
    isConfigured:
      client.isConfigured ||
      client.configFiles
        .flatMap((name) => valuesOf([name]))
        .some(({ text }) => text === null || !isPreset(text)),
  };
}

/** True if a word after this one is its value. */
function isValue(word: Word | undefined, isSwitch: (name: string) => boolean): boolean {
  const [, name] = /^--?([^=]+)$/.exec(word ?? '') ?? [];
  return name !== undefined && !isSwitch(name);
}

/** The name of a settings file that the client brings along, such as `mainnet`. */
function isPreset(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

function bare(name: string): string {
  return name.replace(/^-+/, '').toLowerCase();
}

function isOpen(one: ClientInterface, { valuesOf }: Reading): boolean {
  const isOff = ({ text, isWeak }: Value) => text !== null && !isWeak && one.off.test(text);
  const isEmpty = ({ text }: Value) => text === '' && one.off.test('');
  const enabled = valuesOf(one.enable).map((value) => !isOff(value) && !isEmpty(value));
  const disabled = valuesOf(one.disable).some(({ text }) => text !== null && !/^(?:false|0)$/i.test(text));
  const isMissing = valuesOf(one.needs).some(({ text }) => /^(?:false|0)$/i.test(text ?? ''));
  if (disabled || isMissing) return false;
  return one.isOn === false ? enabled.includes(true) : !enabled.includes(false);
}

function opened(one: ClientInterface, read: Reading): readonly OpenInterface[] {
  const isUnsettled = read.isOpen || read.isConfigured || one.isOn === null;
  const written = read.valuesOf(one.addr);
  const packed = one.isPacked ? written.at(-1)?.text : null;
  if (packed != null) return unpacked(packed).map((entry) => ofEntry(one, entry, read));
  const addresses = written.map(({ text }) => (text === null ? null : addressesOf(text, one.hostOfPort)));
  const last = addresses.at(-1);
  const usual = isUnsettled || (one.isOtherInContainer && read.isContainer) ? null : one.usual[0];
  const bind = last === undefined ? usual : (last?.map(({ host }) => host).join(',') ?? null);
  return [
    {
      name: one.name,
      bind,
      port: portOf(one, read, last?.[0]?.port),
      modules: read.valuesOf(one.api).at(-1)?.text ?? (isUnsettled ? null : one.usualModules),
      switches: [...wildcardsOf(one, read), ...switchesOf(one, read)],
      isLoopback:
        !read.isOpen &&
        (last === undefined
          ? usual !== null && isLocal(usual)
          : addresses.every((each) => each?.every(({ host }) => isLocal(host)) ?? false)),
    },
  ];
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
  const isUnsettled = read.isOpen || read.isConfigured;
  const lists = [
    ['any origin', one.origins, isUnsettled ? null : one.usualOrigins],
    ['any Host', one.hosts, null],
  ] as const;
  return lists.flatMap(([words, settings, usual]) => {
    const given = read.valuesOf(settings).at(-1);
    const list = (given === undefined ? usual : given.text)?.split(/[^\w.*:/-]+/) ?? [];
    return list.some((entry) => /^(?:\*|all)$/i.test(entry)) ? [words] : [];
  });
}

function portOf(one: ClientInterface, read: Reading, ofAddress: number | null | undefined): number | null {
  const value = read.valuesOf(one.port).at(-1);
  if (value !== undefined)
    return /^:?\d+$/.test(value.text ?? '') ? Number(value.text?.replace(':', '')) : null;
  return ofAddress ?? one.usual[1];
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

/** True for a port at which the client listens for peers: by its flags, else by its role. */
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
  const way = published === '' ? '' : `, ${published}`;
  return `${client.name}${withoutRpc(client, interfaces)} · ${shown === '' ? 'no interface' : shown}${way} · not judged`;
}

/** Without its switch the client serves no JSON-RPC, which the interfaces that it opens do not say. */
function withoutRpc(client: OtherClient, interfaces: readonly OpenInterface[]): string {
  const rpc = client.interfaces.find(({ name }) => name === 'http');
  const flag = rpc?.enable.find((name) => name.startsWith('-'));
  const isOpen = interfaces.length === 0 || interfaces.some(({ name }) => name === 'http' || name === 'ws');
  return rpc?.isOn !== false || flag === undefined || isOpen ? '' : ` without ${flag}`;
}

function phrase({ name, bind, port, modules, switches }: OpenInterface): string {
  const list = modules === null ? [] : [modules === '' ? 'an empty module list' : `modules ${modules}`];
  return [`${name} on ${placeOf(bind, port)}`, ...list, ...switches].join(', ');
}

function placeOf(bind: string | null, port: number | null): string {
  if (bind === null) return port === null ? 'an unknown address' : `an unknown address, port ${port}`;
  if (bind === '') return port === null ? 'every address' : `every address, port ${port}`;
  const host = bind.includes(':') && !/^(?:\[|unix:)/.test(bind) ? `[${bind}]` : bind;
  return port === null || bind.includes('/') ? host : `${host}:${port}`;
}
