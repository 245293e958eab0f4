/** The accounts that the node lists, and those that it reports as unlocked. */
import { unreadable } from '../../../jsonrpc/failure.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind, Probes } from '../../kinds/kind.js';
import { otherAnswering } from '../../kinds/others.js';
import type { ReadMethod } from '../../kinds/request.js';
import type { Session } from '../session.js';
import type { FactProbe, PlanLine } from './probe.js';
import { nameUnrecognised, type Recognise } from './recognised.js';

type Readers = Probes['accounts'];

const maxAccounts = 10_000;

/** Each method once, in the order of the kinds that name it. */
function distinct<R extends Pick<Readers[number], 'method'>>(named: readonly R[]): R[] {
  return [...new Map(named.map((reader) => [reader.method, reader])).values()];
}

/** @throws {ChannelError} when the answer is not a list, or one that no node has */
async function listOf(
  session: Session,
  method: ReadMethod,
  what: string,
  none?: number,
): Promise<readonly unknown[]> {
  const value = await session.result(method, none);
  if (none !== undefined && value === null) return [];
  if (!Array.isArray(value)) throw unreadable(`${method} did not answer with a list`);
  if (value.length <= maxAccounts) return value;
  throw unreadable(`${method} lists ${value.length} ${what}; no node has that many`);
}

/** Through the first module that can list accounts. */
export function accounts(kinds: readonly Kind[], recognised: Recognise): FactProbe<'accounts'> {
  const readers = distinct(kinds.flatMap(({ probes }) => probes.accounts));
  const readerOf = (facts: EndpointFacts) => offeredReader(readers, facts, recognised);
  return {
    fact: 'accounts',
    over: ['http', 'ws'],
    depth: 'safe',
    plan: planned(readers),
    unless(facts) {
      if (readerOf(facts) !== undefined) return null;
      return facts.modules.state === 'seen'
        ? notSeen('not-applicable', 'no module that lists accounts is offered')
        : notSeen('not-asked', 'not asked: the offered modules are unknown');
    },
    async ask(session) {
      const method = readerOf(session.facts)?.method;
      if (method === undefined) throw unreadable('no module that lists accounts is offered');
      const own = recognised(session.facts)?.probes.accounts.find((one) => one.method === method);
      const value = await listOf(session, method, 'accounts', own?.none);
      if (!value.every(isAddress)) throw unreadable(`${method} lists something that is not an address`);
      return value;
    },
  };
}

/** The method of an offered module; that of eth of a client that need not list its modules, and does not. */
function offeredReader(
  readers: Readers,
  facts: EndpointFacts,
  recognised: Recognise,
): Readers[number] | undefined {
  const { modules } = facts;
  if (modules.state === 'seen') return readers.find(({ module }) => Object.hasOwn(modules.value, module));
  const mayHide =
    otherAnswering(facts) !== null || recognised(facts)?.probes.refusesNamedParameters === false;
  return mayHide ? readers.find(({ module }) => module === 'eth') : undefined;
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

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
}

type WalletReader = NonNullable<Probes['wallets']>;

/** Asked over ipc only, where every user may call personal anyway. */
export function probeUnlocked(kinds: readonly Kind[], recognised: Recognise): FactProbe<'unlocked'> {
  const readers = distinct(kinds.flatMap(({ probes }) => probes.wallets ?? []));
  return {
    fact: 'unlocked',
    over: ['ipc'],
    depth: 'safe',
    plan: readers.map(({ module, method }) => [`${method} []`, `${module} is offered`]),
    unless(facts) {
      if (facts.modules.state !== 'seen')
        return notSeen('not-asked', 'not asked: the offered modules are unknown');
      if (walletReaderOf(readers, facts) === undefined)
        return notSeen(
          'not-asked',
          'not asked which accounts are unlocked: no module that tells it is offered',
        );
      return recognised(facts) === null
        ? notSeen('not-asked', `${nameUnrecognised(kinds, facts)} is not asked which accounts are unlocked`)
        : null;
    },
    async ask(session) {
      const method = walletReaderOf(readers, session.facts)?.method;
      if (method === undefined)
        throw unreadable('no module that tells which accounts are unlocked is offered');
      const value = await listOf(session, method, 'wallets');
      return value.flatMap((wallet) => unlockedIn(wallet, method));
    },
  };
}

function walletReaderOf(readers: readonly WalletReader[], { modules }: EndpointFacts) {
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
