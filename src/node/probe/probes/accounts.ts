/** Accounts the node names to whoever asks, through the first of its modules that lists them. */
import { unreadable } from '../../../jsonrpc/failure.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { FactProbe } from './probe.js';

const listing = ['kaia', 'klay', 'eth'] as const;
const most = 10_000;

export const accounts: FactProbe<'accounts'> = {
  fact: 'accounts',
  over: ['http', 'ws'],
  depth: 'safe',
  plan: [['kaia_accounts [] (or klay_, eth_)', 'kaia, klay or eth is offered']],
  unless(facts) {
    if (facts.modules.state !== 'seen')
      return notSeen('not-asked', 'not asked: which modules are offered is not known');
    return listerOf(facts) === null
      ? notSeen('not-applicable', 'no module that lists accounts is offered')
      : null;
  },
  async ask(session) {
    const method = `${listerOf(session.facts) ?? 'kaia'}_accounts` as const;
    const value = await session.result(method);
    if (!Array.isArray(value)) throw unreadable(`${method} did not answer with a list`);
    if (value.length > most)
      throw unreadable(`${method} lists ${value.length} accounts; no node has that many`);
    if (!value.every(isAddress)) throw unreadable(`${method} lists something that is not an address`);
    return value;
  },
};

function listerOf({ modules }: EndpointFacts): (typeof listing)[number] | null {
  return listing.find((name) => modules.state === 'seen' && Object.hasOwn(modules.value, name)) ?? null;
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
}
