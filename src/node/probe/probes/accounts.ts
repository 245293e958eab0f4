/** The accounts that the node lists, through its first module that can list accounts. */
import { unreadable } from '../../../jsonrpc/failure.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind, Probes } from '../../kinds/kind.js';
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
      if (facts.modules.state !== 'seen')
        return notSeen('not-asked', 'not asked: the offered modules are unknown');
      return readerOf(readers, facts) === undefined
        ? notSeen('not-applicable', 'no module that lists accounts is offered')
        : null;
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

function readerOf(readers: Readers, { modules }: EndpointFacts): Readers[number] | undefined {
  return readers.find(({ module }) => modules.state === 'seen' && Object.hasOwn(modules.value, module));
}

/** `kaia_accounts [] (or klay_, eth_)`. */
function planned(readers: Readers): PlanLine[] {
  const [first, ...others] = readers;
  if (first === undefined) return [];
  const modules = readers.map(({ module }) => module);
  const names = `${modules.slice(0, -1).join(', ')} or ${modules.at(-1)}`;
  return [
    [`${first.method} [] (or ${others.map(({ module }) => `${module}_`).join(', ')})`, `${names} is offered`],
  ];
}

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
}
