/** Values with which the node does not start although its flags allow them. */
import type { Period } from '../../facts/release.js';
import { badValue, type Listener, type Settings, type StartProblem } from '../../facts/settings.js';
import type { Module } from '../kind.js';
import { entries, items } from '../listening.js';
import type { Tag } from './flavours.js';
import { rows } from './listeners.js';
import { refusedNames } from './modules.js';

type Values = Settings['values'];

const ends = 'the node does not start';

/** A release. */
export interface At {
  readonly holds: (period: Period<Tag>) => boolean;
  readonly modules: Readonly<Record<string, Module>>;
  /** Descendants may know more modules. */
  readonly isFork: boolean;
}

export function startProblemsOf(at: At, values: Values, listeners: readonly Listener[]): StartProblem[] {
  return [
    ...(at.isFork ? [] : listProblems(at, values)),
    ...originProblems(values, listeners),
    ...onePort(values, listeners),
    ...numberProblems(values),
    ...secretProblems(values),
  ];
}

/** A list is checked whether or not its interface is on. */
function listProblems({ holds, modules }: At, values: Values): StartProblem[] {
  return (['http', 'ws'] as const).flatMap((kind) => {
    const flag = rows[kind].api;
    const list = values[flag]?.value == null ? null : items(values[flag]);
    const [name] = list === null ? [] : refusedNames(holds, modules, list);
    if (name === undefined) return [];
    const what = name === '' ? 'an entry without a name' : `${name}, which is no module of this release`;
    return [badValue(values, flag, `--${flag} lists ${what}: the node does not start`)];
  });
}

/** crates/rpc/rpc-builder/src/cors.rs */
function originProblems(values: Values, listeners: readonly Listener[]): StartProblem[] {
  return (['http', 'ws'] as const).flatMap((kind) => {
    const flag = rows[kind].origins;
    const list = entries(values[flag]) ?? [];
    const isOn = listeners.some((one) => one.kind === kind && one.state === 'on');
    if (!isOn || list.length < 2 || !list.includes('*')) return [];
    return [badValue(values, flag, `--${flag} lists * among other origins: the node does not start`)];
  });
}

/** http and ws at one address are one server (crates/rpc/rpc-builder/src/lib.rs, start). */
function onePort(values: Values, listeners: readonly Listener[]): StartProblem[] {
  const [http, ws] = (['http', 'ws'] as const).map((kind) =>
    listeners.find((one) => one.kind === kind && one.state === 'on'),
  );
  if (http?.port == null || http.port === 0 || http.port !== ws?.port || http.host !== ws.host) return [];
  const { origins } = rows.http;
  const given = [origins, rows.ws.origins].map((flag) => values[flag]?.value ?? null);
  const [cors, other] = given.map((value) => (typeof value === 'string' ? value.trim() : null));
  const where = `http and ws share port ${http.port}`;
  if (cors != null && other != null && cors !== other)
    return [
      badValue(values, rows.ws.origins, `${where}, and --ws.origins is not --http.corsdomain: ${ends}`),
    ];
  if (http.modules === null || ws.modules === null || http.modules.join() === ws.modules.join()) return [];
  return [badValue(values, 'ws.api', `${where}, and their module lists differ: the node does not start`)];
}

const ranges: readonly (readonly [flag: string, least: number, most: number])[] = [
  ['rpc.gascap', 1, Number.POSITIVE_INFINITY],
  ['rpc.evm-memory-limit', 1, Number.POSITIVE_INFINITY],
  ['rpc.eth-proof-window', 0, 1_209_600],
  ['instance', 1, 200],
];

function numberProblems(values: Values): StartProblem[] {
  return ranges.flatMap(([flag, least, most]) => {
    const value = values[flag]?.value;
    if (typeof value !== 'number' || (value >= least && value <= most)) return [];
    return [badValue(values, flag, `--${flag} ${value} is out of range: the node does not start`)];
  });
}

/** 32 bytes in hexadecimal digits. */
function secretProblems(values: Values): StartProblem[] {
  const value = values['rpc.jwtsecret']?.value;
  if (typeof value !== 'string' || /^\s*(?:0x)?[0-9a-fA-F]{64}\s*$/.test(value)) return [];
  return [badValue(values, 'rpc.jwtsecret', `--rpc.jwtsecret is not 32 bytes in hexadecimal: ${ends}`)];
}
