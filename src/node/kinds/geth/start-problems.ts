/** Values and addresses with which the node does not start, and the guard of unlocked accounts. */
import type { Period } from '../../facts/release.js';
import { badValue, isLocal, type Listener, type Settings, type StartProblem } from '../../facts/settings.js';
import { bscFlavour, type Tag } from './flavours.js';
import type { At } from './listeners.js';

type Values = Settings['values'];

export function startProblemsOf(at: At, values: Values, listeners: readonly Listener[]): StartProblem[] {
  const { holds } = at;
  return [
    ...prefixProblems(values),
    ...portProblems(at, values, listeners),
    ...(guards(at) ? guardProblems(at, values) : []),
    ...(holds({ until: 'v1.9.12' }) ? clashes(at, values, listeners) : []),
  ];
}

/** The first release with a guard, and the last one that unlocks (cmd/geth/main.go, unlockAccounts). bsc still unlocks. */
export const unlocking = { guardedSince: 'v1.9.0', until: 'v1.14.11' } as const;

/** A word that is no command is ignored, with every flag behind it (cmd/geth/main.go, geth). */
export const strayIgnored: Period<Tag> = { until: 'v1.8.12' };

function guards({ flavour, holds }: At): boolean {
  const { guardedSince: since, until } = unlocking;
  return holds(flavour === bscFlavour ? { since } : { since, until });
}

/** Accounts are not unlocked where http, ws or, while it had a port, GraphQL is on, unless that is allowed. */
function guardProblems({ flags }: At, values: Values): StartProblem[] {
  const { unlock, 'allow-insecure-unlock': allowed } = values;
  if (typeof unlock?.value !== 'string' || unlock.value.replace(/[,\s]/g, '') === '') return [];
  if (allowed?.value === true || allowed?.indeterminate != null) return [];
  const graphql = values['graphql.port'] === undefined ? null : 'graphql';
  const open = [flags.http.enable, flags.ws.enable, graphql].find(
    (flag) => values[flag ?? '']?.value === true,
  );
  if (open == null) return [];
  const message = `unlocking an account beside --${open} needs --allow-insecure-unlock: with --unlock the node does not start`;
  return [{ ...badValue(values, 'unlock', message), kind: 'conflicting-flags', flags: ['unlock', open] }];
}

/** Up to v1.9.12 two servers cannot have one port (node/node.go, startWS). */
function clashes({ flags }: At, values: Values, listeners: readonly Listener[]): StartProblem[] {
  const [http, ws] = (['http', 'ws'] as const).map((kind) =>
    listeners.find((one) => one.kind === kind && one.state === 'on'),
  );
  const flag = flags.ws.port;
  if (http?.port == null || http.port === 0 || http.port !== ws?.port || flag === null) return [];
  const message = `http and ws are both on port ${http.port}: this release cannot listen twice and does not start`;
  return [badValue(values, flag, message)];
}

function prefixProblems(values: Values): StartProblem[] {
  return ['http.rpcprefix', 'ws.rpcprefix'].flatMap((flag) => {
    const value = values[flag]?.value;
    if (typeof value !== 'string' || value === '' || value.startsWith('/')) return [];
    const message = `--${flag} ${value} does not begin with a slash: the node does not start`;
    return [badValue(values, flag, message)];
  });
}

function portProblems({ flags }: At, values: Values, listeners: readonly Listener[]): StartProblem[] {
  return listeners.flatMap(({ kind, state, port }) => {
    if (state !== 'on' || port === null || (port >= 0 && port <= 65_535) || isLocal(kind)) return [];
    const flag = flags[kind].port;
    if (flag === null) return [];
    return [badValue(values, flag, `--${flag} ${port} is not a port: the node does not start`)];
  });
}
