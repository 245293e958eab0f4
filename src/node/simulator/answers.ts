/** Answers of the simulated node: plausible constants for a few read methods. */

/** The values that answers depend on. */
export interface Identity {
  readonly client: string;
  readonly chainId: number;
  readonly accounts: readonly string[];
  /** Those of the accounts that are unlocked. */
  readonly unlocked: readonly string[];
}

const hex = (value: number): string => `0x${value.toString(16)}`;
/** A block height and a gas price (25 gkei) like mainnet's. */
const height = hex(200_000_000);
const gasPrice = hex(25_000_000_000);

const byName: Readonly<Record<string, (node: Identity) => unknown>> = {
  web3_clientVersion: (node) => node.client,
  kaia_clientVersion: (node) => node.client,
  net_version: (node) => String(node.chainId),
  net_networkID: (node) => node.chainId,
  net_listening: () => true,
  net_peerCount: () => hex(0),
  eth_chainId: (node) => hex(node.chainId),
  kaia_chainID: (node) => hex(node.chainId),
  kaia_chainId: (node) => hex(node.chainId),
  eth_accounts: (node) => node.accounts,
  kaia_accounts: (node) => node.accounts,
  personal_listAccounts: (node) => node.accounts,
  personal_listWallets: (node) => node.accounts.map((address) => wallet(node, address)),
  eth_blockNumber: () => height,
  kaia_blockNumber: () => height,
  eth_syncing: () => false,
  kaia_syncing: () => false,
  eth_gasPrice: () => gasPrice,
  kaia_gasPrice: () => gasPrice,
  eth_mining: () => false,
  txpool_status: () => ({ pending: hex(0), queued: hex(0) }),
};

/** A keystore has one wallet for each account. */
function wallet({ unlocked }: Identity, address: string): unknown {
  const url = `keystore:///var/kend/data/keystore/${address}`;
  const status = unlocked.includes(address) ? 'Unlocked' : 'Locked';
  return { url, status, accounts: [{ address, url }] };
}

/** The answer of a registered method; undefined: not simulated. */
export function answerOf(method: string, node: Identity): unknown {
  const name = method.replace(/^klay_/, 'kaia_');
  return Object.hasOwn(byName, name) ? byName[name]?.(node) : undefined;
}
