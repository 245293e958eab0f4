import { hashMessage } from 'ethers/hash';
import { recoverAddress } from 'ethers/transaction';
import { Wallet } from 'ethers/wallet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { destatMessage, klaytnHash } from '../../../src/survey/protocol/message.js';
import { openKey, recoverSigner } from '../../../src/survey/protocol/secp256k1.js';

/** How many signatures are compared; ethers takes two milliseconds each. */
const runs = Number(process.env.KAIACTL_TEST_SIGNATURES ?? 60);
const timeout = 300_000 + runs * 100;

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const prime = 2n ** 256n - 2n ** 32n - 977n;
const hex = (value: bigint) => value.toString(16).padStart(64, '0');

/** The result of both: an address, or none. */
const outcome = (
  recover: (digest: string, signature: string) => string,
  digest: string,
  signature: string,
) => {
  try {
    return recover(digest, signature).toLowerCase();
  } catch {
    return 'refused';
  }
};

const message = fc.tuple(fc.string(), fc.boolean()).map(([text, klaytn]) => {
  const said = destatMessage(text, `0x${'ab'.repeat(20)}`);
  return klaytn ? klaytnHash(said) : hashMessage(said);
});
const key = fc.bigInt({ min: 1n, max: order - 1n }).map((value) => new Wallet(`0x${hex(value)}`));
const good = fc.tuple(key, message).map(([wallet, digest]) => {
  const { r, s, v } = wallet.signingKey.sign(digest);
  return { digest, r: BigInt(r), s: BigInt(s), v, address: wallet.address.toLowerCase() };
});
const edges = [0n, 1n, 2n, order >> 1n, (order >> 1n) + 1n, order - 1n, order, order + 1n, prime - order];
const edge = fc.oneof(
  fc.constantFrom(...edges, prime, prime - 1n, 2n ** 255n, 2n ** 256n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
);
const anyV = fc.oneof(fc.constantFrom(0, 1, 27, 28), fc.nat(255));
const digests = fc.oneof(
  message,
  edge.map((value) => `0x${hex(value)}`),
);

test('a signature recovers its signer in every spelling', { timeout }, () => {
  fc.assert(
    fc.property(good, fc.boolean(), ({ digest, r, s, v, address }, short) => {
      const compact = hex(s | (BigInt(v - 27) << 255n));
      const signature = short ? `0x${hex(r)}${compact}` : `0x${hex(r)}${hex(s)}${v.toString(16)}`;
      return recoverSigner(digest, signature) === address;
    }),
    { numRuns: runs },
  );
});

test('altered and odd signatures recover the same account as ethers, or none', { timeout }, () => {
  let [made, refused] = [0, 0];
  const altered = fc
    .tuple(good, fc.nat(511), fc.constantFrom('bit', 'high', 'flip'))
    .map(([{ digest, r, s, v }, bit, how]) => {
      if (how === 'high') return { digest, r, s: order - s, v };
      if (how === 'flip') return { digest, r, s, v: 55 - v };
      const both = ((r << 256n) | s) ^ (1n << BigInt(bit));
      return { digest, r: both >> 256n, s: both & (2n ** 256n - 1n), v };
    });
  const odd = fc.record({ digest: digests, r: edge, s: edge, v: anyV });
  fc.assert(
    fc.property(fc.oneof(altered, odd), ({ digest, r, s, v }) => {
      const signature = `0x${hex(r)}${hex(s)}${v.toString(16).padStart(2, '0')}`;
      for (const one of [signature, signature.slice(0, -2)]) {
        const theirs = outcome(recoverAddress, digest, one);
        expect(outcome(recoverSigner, digest, one), `${digest} ${one}`).toBe(theirs);
        if (theirs === 'refused') refused += 1;
        else made += 1;
      }
    }),
    { numRuns: runs },
  );
  expect(made).toBeGreaterThan(runs / 10);
  expect(refused).toBeGreaterThan(runs / 10);
});

test('a signature made here is the one that ethers makes', { timeout }, () => {
  fc.assert(
    fc.property(key, digests, (wallet, digest) => {
      const own = openKey(Buffer.from(wallet.privateKey.slice(2), 'hex'));
      expect(own.address).toBe(wallet.address);
      expect(own.sign(digest)).toBe(wallet.signingKey.sign(digest).serialized);
    }),
    { numRuns: runs },
  );
});

test.each([0n, order, order + 1n])('%s is not a private key', (value) => {
  expect(() => openKey(Buffer.from(hex(value), 'hex'))).toThrow('not a private key');
});
