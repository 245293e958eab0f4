/** The keys of an account. On Kaia they can differ from the key of its address. */

/** Signatures count when the weights of the keys that made them reach the threshold. */
export interface AccountKey {
  readonly threshold: number;
  /** Each as its address in lower case. Empty: the account cannot sign. */
  readonly keys: readonly { readonly address: string; readonly weight: number }[];
}

/** The key of the address itself, as on Ethereum. */
export function ownKey(account: string): AccountKey {
  return { threshold: 1, keys: [{ address: account.toLowerCase(), weight: 1 }] };
}

/** Whether these signers, as addresses in lower case, sign for the account. */
export function signsFor({ threshold, keys }: AccountKey, signers: ReadonlySet<string>): boolean {
  const weight = keys.reduce((sum, key) => (signers.has(key.address) ? sum + key.weight : sum), 0);
  return weight >= threshold;
}
