/** The accounts that the node lists, through its first module that can list accounts. */
import { unreadable } from '../../../jsonrpc/failure.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind, Probes } from '../../kinds/kind.js';
import { otherAnswering } from '../../kinds/others.js';
import type { FactProbe, PlanLine } from './probe.js';

type Readers = Probes['accounts'];

export const maxAccounts = 10_000;

/** Each method once, in the order of the kinds that name it. */
export function accounts(kinds: readonly Kind[]): FactProbe<'accounts'> {
  const named = kinds.flatMap(({ probes }) => probes.accounts);
  const readers = [...new Map(named.map((reader) => [reader.method, reader])).values()];
  return {
    fact: 'accounts',
    over: ['http', 'ws'],
    depth: 'safe',
    plan: planned(readers),
    unless(facts) {
      if (readerOf(readers, facts) !== undefined) return null;
      return facts.modules.state === 'seen'
        ? notSeen('not-applicable', 'no module that lists accounts is offered')
        : notSeen('not-asked', 'not asked: the offered modules are unknown');
    },
    async ask(session) {
      const method = readerOf(readers, session.facts)?.method;
      if (method === undefined) throw unreadable('no module that lists accounts is offered');
      const value = await session.result(method);
      if (!Array.isArray(value)) throw unreadable(`${method} did not answer with a list`);
      if (value.length > maxAccounts)
        throw unreadable(`${method} lists ${value.length} accounts; no node has that many`);
      if (!value.every(isAddress)) throw unreadable(`${method} lists something that is not an address`);
      return value;
    },
  };
}

/** The method of an offered module; of another client that does not list its modules, that of eth. */
function readerOf(readers: Readers, facts: EndpointFacts): Readers[number] | undefined {
  const { modules } = facts;
  if (modules.state === 'seen') return readers.find(({ module }) => Object.hasOwn(modules.value, module));
  return otherAnswering(facts) === null ? undefined : readers.find(({ module }) => module === 'eth');
}

/** `kaia_accounts [] (or klay_, eth_)`. */
function planned(readers: Readers): PlanLine[] {
  const [first, ...others] = readers;
  if (first === undefined) return [];
  const modules = readers.map(({ module }) => module);
  const names = `${modules.slice(0, -1).join(', ')} or ${modules.at(-1)}`;
  return [
    [
      `${first.method} [] (or ${others.map(({ module }) => `${module}_`).join(', ')})`,
      `${names} is offered, or another client names itself`,
    ],
  ];
}

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
}
