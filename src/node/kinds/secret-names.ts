/** Names of secrets that a node of any kind uses, or that its accounts are unlocked with. */
export const secretOfNode =
  /^(?:pass(?:word|wd|phrase)?|secret|token)$|geth|eth(?!stats)|kaia|klay|node|jwt|engine|unlock|account|wallet|signer|validator|miner|key|mnemonic|seed/i;
