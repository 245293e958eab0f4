/** The accounts that the node reports as unlocked. Asked over ipc only, where every user may call personal anyway. */
import { unreadable } from '../../../jsonrpc/failure.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind, Probes } from '../../kinds/kind.js';
import { isAddress, maxAccounts } from './accounts.js';
import type { FactProbe } from './probe.js';

type Reader = NonNullable<Probes['wallets']>;

/** Each method once, in the order of the kinds that name it. */
export function unlocked(kinds: readonly Kind[]): FactProbe<'unlocked'> {
  const named = kinds.flatMap(({ probes }) => probes.wallets ?? []);
  const readers = [...new Map(named.map((reader) => [reader.method, reader])).values()];
  return {
    fact: 'unlocked',
    over: ['ipc'],
    depth: 'safe',
    plan: readers.map(({ module, method }) => [`${method} []`, `${module} is offered`]),
    unless(facts) {
      if (facts.modules.state !== 'seen')
        return notSeen('not-asked', 'not asked: the offered modules are unknown');
      return readerOf(readers, facts) === undefined
        ? notSeen('not-asked', 'not asked which accounts are unlocked: no module that tells it is offered')
        : null;
    },
    async ask(session) {
      const method = readerOf(readers, session.facts)?.method;
      if (method === undefined)
        throw unreadable('no module that tells which accounts are unlocked is offered');
      const value = await session.result(method);
      if (!Array.isArray(value)) throw unreadable(`${method} did not answer with a list`);
      if (value.length > maxAccounts)
        throw unreadable(`${method} lists ${value.length} wallets; no node has that many`);
      return value.flatMap((wallet) => unlockedIn(wallet, method));
    },
  };
}

function readerOf(readers: readonly Reader[], { modules }: EndpointFacts): Reader | undefined {
  return readers.find(({ module }) => modules.state === 'seen' && Object.hasOwn(modules.value, module));
}

/**
 * The accounts of a wallet if it is unlocked. A keystore's status is `Locked` or `Unlocked`
 * (accounts/keystore/keystore_wallet.go).
 * @throws {ChannelError} for any other status, as of a wallet in hardware
 */
function unlockedIn(wallet: unknown, method: string): string[] {
  const { status, accounts = [] } = (wallet ?? {}) as { status?: unknown; accounts?: unknown };
  if (status === 'Locked') return [];
  if (status !== 'Unlocked') throw unreadable(`${method} lists a wallet neither Locked nor Unlocked`);
  if (!Array.isArray(accounts) || accounts.length > maxAccounts)
    throw unreadable(`${method} lists a wallet without a list of accounts`);
  const addresses = accounts.map((account) => account?.address);
  if (addresses.length === 0 || !addresses.every(isAddress))
    throw unreadable(`${method} lists an unlocked wallet without the addresses of its accounts`);
  return addresses;
}
