/** Conditions on requests, and the rules for clients that follow from them. */
import { allOf, denied } from './gate.js';
import type { Gate, GatedHop, Rules, Step } from './hop.js';

/**
 * A test on a request. `client`: its address is one of these. `login`: it has one. `path`: its path is one of these, or
 * begins with one that ends with `*`. `method`: its method is one of these. `request`: another property that every client
 * chooses. `filter`: the methods that it calls. `unknown`: `values` names it.
 */
export interface Test {
  readonly of: 'client' | 'login' | 'path' | 'method' | 'request' | 'filter' | 'unknown';
  readonly values: readonly string[];
  readonly not?: boolean;
}

/** Holds if all of its tests do. */
export type Condition = readonly Test[];

/** A rule of a proxy for the requests that meet a condition. */
export interface Guard extends Pick<Step, 'does' | 'asks'> {
  readonly when: Condition;
}

/** A guard that is not understood. */
export function unknown(name: string): Guard {
  return { does: 'deny', when: [{ of: 'unknown', values: [name] }] };
}

export function negate(test: Test): Test {
  return { ...test, not: test.not !== true };
}

/** At most so many alternatives. */
const maxAlternatives = 64;

/** The conditions of which one holds where none of these does; null if there are too many. */
export function noneOf(all: readonly Condition[]): readonly Condition[] | null {
  let found: readonly Condition[] = [[]];
  for (const one of all) {
    found = found.flatMap((so) => one.map((test) => [...so, negate(test)]));
    if (found.length > maxAlternatives) return null;
  }
  return found;
}

const address = /^[\da-f.:]+(?:\/\d+)?$/i;

/** A call is a POST request, and a WebSocket begins with GET. */
export type Method = 'POST' | 'GET';

/**
 * The gates of a forward that takes the requests of a condition, after these lists of guards. A guard for some of these
 * requests alone admits them, and denies none of them.
 */
export function gatesOf(
  lists: readonly (readonly Guard[])[],
  given: Condition,
): Pick<GatedHop, 'gate' | 'upgrade'> {
  const gate = gateOf(lists, given, 'POST');
  const tests = [given, ...lists.flat().map(({ when }) => when)];
  const isByMethod = tests.some((all) => all.some(({ of }) => of === 'method'));
  return isByMethod ? { gate, upgrade: gateOf(lists, given, 'GET') } : { gate };
}

function gateOf(lists: readonly (readonly Guard[])[], given: Condition, method: Method): Gate {
  if (given.some((test) => meets(test, method) === false)) return [[denied]];
  const sure = given.filter(({ of }) => of === 'path' || of === 'request');
  const own = given.filter((test) => !sure.includes(test) && test.of !== 'method');
  const all = [own.map((test) => ({ does: 'deny' as const, when: [negate(test)] })), ...lists];
  return allOf(all.map((list) => gateOfList(list, sure, method)));
}

/** Whether requests of a method pass a test; null if their method does not decide that, or some paths do not pass. */
function meets({ of, values, not }: Test, method: Method): boolean | null {
  // Every path, also after that path was rewritten.
  if (of === 'path') return values.some((path) => /^(?:\d+:)?\/?\*$/.test(path)) ? not !== true : null;
  return of === 'method' ? values.includes(method) !== (not === true) : null;
}

function gateOfList(guards: readonly Guard[], sure: Condition, method: Method): Gate {
  const rules: Step[] = [];
  const isDecided = (test: Test) => meets(test, method) === true || sure.some((one) => implies(one, test));
  for (const { when, ...how } of guards) {
    if (when.some((test) => isDecided(negate(test)))) continue;
    const open = when.filter((test) => !isDecided(test));
    const unread = open.map(unreadOf).find((one) => one !== null);
    if (unread != null) return { unread };
    rules.push(...stepsOf(how, open));
  }
  return [rules];
}

/** Why it is not known who gets through a filter of methods. */
export const unjudgedFilter = 'it filters requests: not judged';

function unreadOf({ of, values, not }: Test): string | null {
  if (of === 'filter') return not === true ? unjudgedFilter : null;
  if (of === 'unknown') return `${values.join(' ')} decides which requests get through`;
  const unknown = of === 'client' ? values.find((value) => !address.test(value)) : undefined;
  return unknown === undefined ? null : `the addresses of ${unknown} are not known`;
}

function stepsOf({ does, ...asked }: Omit<Guard, 'when'>, when: Condition): Rules {
  const clients = when.filter(({ of }) => of === 'client');
  const logins = when.filter(({ of }) => of === 'login');
  const some = clients.find(({ not }) => not !== true) ?? clients[0];
  if (does === 'admit') {
    const admits = { does, clients: some?.values ?? null, others: some?.not === true };
    // Who has a login is admitted with it; what is read of the rules behind it holds for everyone.
    return logins.some(({ not }) => not !== true) ? [] : [admits];
  }
  if (clients.length + logins.length < when.length || logins.some(({ not }) => not !== true)) return [];
  const kind = logins.length > 0 ? 'login' : does;
  if (clients.length > 1 && !clients.every(({ not }) => not === true)) return [];
  const named = clients.flatMap(({ values }) => values);
  return [{ does: kind, clients: some === undefined ? null : named, others: some?.not === true, ...asked }];
}

/** Whether a request that passes the first test passes the second. */
function implies(one: Test, other: Test): boolean {
  if (one.of !== other.of || one.of === 'unknown' || one.of === 'filter') return false;
  if ((one.not === true) !== (other.not === true)) return false;
  const [narrow, wide] = one.not === true ? [other, one] : [one, other];
  if (one.of === 'request') return narrow.values.join('\n') === wide.values.join('\n');
  return narrow.values.every((value) => wide.values.some((pattern) => within(value, pattern)));
}

function within(value: string, pattern: string): boolean {
  return value === pattern || (pattern.endsWith('*') && value.startsWith(pattern.slice(0, -1)));
}
