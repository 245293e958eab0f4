/** What an account signs with. On Kaia an account may have other keys than the one its address was made from. */

/** Signatures count when the weights of the keys that made them reach the threshold. */
export interface AccountKey {
  readonly threshold: number;
  /** Each by the address that follows from it, in lower case; none: nothing is signed with this account. */
  readonly keys: readonly { readonly address: string; readonly weight: number }[];
}

/** The key the address was made from, as everywhere else. */
export function ownKey(account: string): AccountKey {
  return { threshold: 1, keys: [{ address: account.toLowerCase(), weight: 1 }] };
}

/** Whether these signers, as addresses in lower case, sign for the account. */
export function signsFor({ threshold, keys }: AccountKey, signers: ReadonlySet<string>): boolean {
  const weight = keys.reduce((sum, key) => (signers.has(key.address) ? sum + key.weight : sum), 0);
  return weight >= threshold;
}
