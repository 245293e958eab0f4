/** Secrets of the engine API that public repositories print: whoever reads them can sign its tokens. */
import { createRequire } from 'node:module';
import { once } from '../../util/once.js';

/** SHA-256 of the 64 hex digits in lower case. */
const known = new Set([
  // base/node (.env.mainnet, .env.sepolia), and the devnet of ethereum-optimism/optimism
  '6c98bfa2361f16a4b1059616f7f7634aeed0c582382c9de0cc72dba07775949e',
  // ethpandaops/ethereum-package (static_files/jwt/jwtsecret)
  'f8d9321cff4da7c836cc7cd7cfe48f25484c92a4192da4dc140edc0014240477',
  // ethereum/hive (clients)
  '25046fdb7da140b94c4670a51d627b47f09cb82b60c9b9f6b3fb00100d173a18',
  // taikoxyz/simple-taiko-node (jwtsecret)
  '0210b6a3d2febd3c8b10e3517485d60dd362f83714dbd2f6ffc1b5ca130eaff2',
  // Uniswap/unichain-node (jwtsecret)
  '55c75084d75402def3ed94812d3f17c6bf1ef518e7fc1591a207b7a413800c2a',
  // OffchainLabs/eth-pos-devnet (jwtsecret)
  'b04e49229de67ca389ac0842ee5a7a2ba3ccaded903e2f8e3f2358d5d140a27f',
  // op-rs/kona (jwt.hex)
  'c097c1ecfc157f9c51799b646a41599d64ec20571152c0000bf844f1002ab313',
  // berachain/beacon-kit (jwt.hex)
  'bb46c716acf997d31c67386bb13b46ad7655258b2ef2646663cd8146b18086eb',
  // Consensys/local-devnet (jwt.hex)
  'd4c177aa0621902cac9d837076417c94003dc2b0c994e4fb11a17f6baf9a0079',
  // paradigmxyz/reth (jwt.hex)
  '920422d02e4850393e3ae39befbb048ad8ad310352d522b0a741bda6d1ea9123',
]);

/** Loaded at the first secret: few runs meet one, and each would take 3 ms longer to start. */
const crypto = once(
  () => createRequire(import.meta.url)('node:crypto') as Pick<typeof import('node:crypto'), 'createHash'>,
);

/** Whether it is a secret, in hex with or without 0x, that a public repository prints. */
export function isPublicSecret(text: string): boolean {
  const [, digits] = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(text) ?? [];
  if (digits === undefined) return false;
  return known.has(crypto().createHash('sha256').update(digits.toLowerCase()).digest('hex'));
}
