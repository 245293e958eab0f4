/** Values and addresses with which the node does not start, and the guard of unlocked accounts. */
import { badValue, type Listener, type Settings, type StartProblem } from '../../facts/settings.js';
import { boundBy, clashes, portProblems, type ValueCheck, valueProblems } from '../checks.js';
import type { ListenerFlags } from '../interfaces.js';
import { bscFlavour, type Flavour, type Holds } from './flavours.js';

type Values = Settings['values'];

export function startProblemsOf(
  { flavour, holds, flags }: { flavour: Flavour; holds: Holds; flags: ListenerFlags },
  values: Values,
  listeners: readonly Listener[],
): StartProblem[] {
  const { guardedSince: since, until } = unlocking;
  const isGuarded = holds(flavour === bscFlavour ? { since } : { since, until });
  return [
    ...valueProblems(prefixes, values),
    ...portProblems(boundBy(flags, listeners), values),
    ...(isGuarded ? guardProblems(flags, values) : []),
    // Later, two servers may have one port (node/node.go, startWS).
    ...(holds({ until: 'v1.9.12' }) ? clashes(boundBy(flags, listeners, ['http', 'ws']), values) : []),
  ];
}

const slash: ValueCheck[1] = (value) =>
  /^(?:\/|$)/.test(String(value)) ? null : `${value} does not begin with a slash`;
const prefixes = ['http.rpcprefix', 'ws.rpcprefix'].map((flag): ValueCheck => [flag, slash]);

/** The first release with a guard, and the last one that unlocks (cmd/geth/main.go, unlockAccounts). bsc still unlocks. */
export const unlocking = { guardedSince: 'v1.9.0', until: 'v1.14.11' } as const;

/** Accounts are not unlocked where http, ws or, while it had a port, GraphQL is on, unless that is allowed. */
function guardProblems(flags: ListenerFlags, values: Values): StartProblem[] {
  const { unlock, 'allow-insecure-unlock': allowed } = values;
  if (typeof unlock?.value !== 'string' || unlock.value.replace(/[,\s]/g, '') === '') return [];
  if (allowed?.value === true || allowed?.indeterminate != null) return [];
  const graphql = values['graphql.port'] === undefined ? null : 'graphql';
  const enabling = [flags.http.enable, flags.ws.enable, graphql].filter((flag) => flag !== null);
  const open = enabling.find((flag) => values[flag]?.value === true);
  if (open === undefined) return [];
  const message = `unlocking an account beside --${open} needs --allow-insecure-unlock: with --unlock the node does not start`;
  return [{ ...badValue(values, 'unlock', message), kind: 'conflicting-flags', flags: ['unlock', open] }];
}
