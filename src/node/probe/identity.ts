/** What an endpoint says it is. */
import type { RpcClient } from '../../jsonrpc/client.js';
import { unreadable } from '../../jsonrpc/failure.js';
import { visible } from '../../util/visible.js';
import { ask, askText } from './ask.js';

/** web3_clientVersion, on one line with nothing invisible: `Klaytn/v2.2.1/linux-amd64/go1.25.3`. */
export async function askClient(client: RpcClient, signal: AbortSignal): Promise<string> {
  return visible(await askText(client, 'web3_clientVersion', signal), 256);
}

/** net_version as a decimal. @throws {ChannelError} when it is no number */
export async function askChain(client: RpcClient, signal: AbortSignal): Promise<string> {
  const text = await askText(client, 'net_version', signal);
  if (!/^\d{1,20}$/.test(text)) throw unreadable('net_version did not answer with a number');
  return text;
}

const most = 10_000;

/** Accounts the node names to whoever asks, through the first of its modules that lists them. */
export async function askAccounts(
  client: RpcClient,
  method: 'kaia_accounts' | 'klay_accounts' | 'eth_accounts',
  signal: AbortSignal,
): Promise<readonly string[]> {
  const value = await ask(client, method, signal);
  if (!Array.isArray(value)) throw unreadable(`${method} did not answer with a list`);
  if (value.length > most)
    throw unreadable(`${method} lists ${value.length} accounts; no node has that many`);
  const accounts = value.filter(
    (one): one is string => typeof one === 'string' && /^0x[0-9a-f]{40}$/i.test(one),
  );
  if (accounts.length !== value.length) throw unreadable(`${method} lists something that is no address`);
  return accounts;
}
