/** Values with which the node does not start although its flags allow them. */
import type { Period } from '../../facts/release.js';
import { badValue, type Listener, type Settings, type StartProblem } from '../../facts/settings.js';
import { type ValueCheck, valueProblems } from '../checks.js';
import { entries, items } from '../listening.js';
import type { Tag } from './flavours.js';
import { rows } from './listeners.js';
import { checksLater, listWord } from './modules.js';

type Values = Settings['values'];

/** A release. */
export interface At {
  readonly holds: (period: Period<Tag>) => boolean;
  /** It is null if a descendant may know more modules. */
  readonly modules: readonly { readonly name: string }[] | null;
}

const between = (least: number, most = Number.POSITIVE_INFINITY): ValueCheck[1] => {
  return (value) =>
    typeof value === 'number' && (value < least || value > most) ? `${value} is out of range` : null;
};
const checks: readonly ValueCheck[] = [
  ['rpc.gascap', between(1)],
  ['rpc.evm-memory-limit', between(1)],
  ['rpc.eth-proof-window', between(0, 1_209_600)],
  ['instance', between(1, 200)],
  [
    'rpc.jwtsecret',
    (value) =>
      /^\s*(?:0x)?[0-9a-fA-F]{64}\s*$/.test(String(value)) ? null : 'is not 32 bytes in hexadecimal',
  ],
];

export function startProblemsOf(at: At, values: Values, listeners: readonly Listener[]): StartProblem[] {
  const [http, ws] = (['http', 'ws'] as const).map((kind) =>
    listeners.find((one) => one.kind === kind && one.state === 'on'),
  );
  const lists = [...listChecks(at, values), ...originChecks(values, { http, ws })];
  return [...valueProblems([...lists, ...checks], values), ...onePort(values, http, ws)];
}

/** A list is checked whether or not its interface is on. */
function listChecks({ holds, modules }: At, values: Values): ValueCheck[] {
  const passes = (name: string) =>
    modules?.some((one) => one.name === name) !== false ||
    (holds(checksLater) && (name === '' || listWord([name]) !== null));
  return [rows.http.api, rows.ws.api].map((flag) => [
    flag,
    () => {
      const list = items(values[flag]) ?? [];
      const name =
        listWord(list) === null && list.join() !== '' ? list.find((one) => !passes(one)) : undefined;
      if (name === undefined) return null;
      return `lists ${name === '' ? 'an entry without a name' : `${name}, which is no module of this release`}`;
    },
  ]);
}

/** crates/rpc/rpc-builder/src/cors.rs */
function originChecks(
  values: Values,
  on: Readonly<Record<'http' | 'ws', Listener | undefined>>,
): ValueCheck[] {
  return (['http', 'ws'] as const).map((kind) => {
    const flag = rows[kind].origins;
    const list = entries(values[flag]) ?? [];
    const isRefused = on[kind] !== undefined && list.length > 1 && list.includes('*');
    return [flag, () => (isRefused ? 'lists * among other origins' : null)];
  });
}

/** http and ws at one address are one server (crates/rpc/rpc-builder/src/lib.rs, start). */
function onePort(values: Values, http: Listener | undefined, ws: Listener | undefined): StartProblem[] {
  if (http?.port == null || http.port === 0 || http.port !== ws?.port || http.host !== ws.host) return [];
  const problem = (flag: string, why: string) => [
    badValue(values, flag, `http and ws share port ${http.port}, and ${why}: the node does not start`),
  ];
  const [cors, other] = [rows.http.origins, rows.ws.origins].map((flag) =>
    values[flag]?.value?.toString().trim(),
  );
  if (cors !== undefined && other !== undefined && cors !== other)
    return problem(rows.ws.origins, '--ws.origins is not --http.corsdomain');
  const isSame = http.modules === null || ws.modules === null || http.modules.join() === ws.modules.join();
  return isSame ? [] : problem(rows.ws.api, 'their module lists differ');
}
