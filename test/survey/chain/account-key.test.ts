/** Joins by accounts whose keys differ from the key of the address, as a Kaia node reports them. */

import { SigningKey } from 'ethers/crypto';
import { hashMessage } from 'ethers/hash';
import { Wallet } from 'ethers/wallet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RpcError, Unreachable } from '../../../src/jsonrpc/rpc.js';
import { accountKeys } from '../../../src/survey/chain/account-key.js';
import { destatMessage, klaytnHash } from '../../../src/survey/protocol/message.js';
import { chainDefaults, inner, joinBody, request, started, userId } from '../server/support.js';
import { account, type Chain, noAnvil, startChain } from './anvil.js';
import { Proxied } from './proxied.js';

const [own, first, second, third] = ['a1', 'b2', 'c3', 'd4'].map(
  (byte) => new Wallet(`0x${byte.repeat(32)}`),
) as [Wallet, Wallet, Wallet, Wallet];
const message = destatMessage(userId, own.address);
const by = (wallet: Wallet) => wallet.signMessageSync(message);

/** As a node writes a public key: numbers without leading zeros. */
function point(wallet: Wallet): { x: string; y: string } {
  const hex = SigningKey.computePublicKey(wallet.signingKey.publicKey, false).slice(4);
  const number = (from: number) => `0x${BigInt(`0x${hex.slice(from, from + 64)}`).toString(16)}`;
  return { x: number(0), y: number(64) };
}
const single = (wallet: Wallet) => ({ keyType: 2, key: point(wallet) });
const several = {
  keyType: 4,
  key: {
    threshold: 3,
    keys: [first, second, third].map((wallet, n) => ({ weight: n === 0 ? 2 : 1, key: point(wallet) })),
  },
};
const fail = { keyType: 3, key: {} };

describe('keys of an account as its node tells them', () => {
  const keyOf = async (answer: unknown) => (await accountKeys(async () => answer))?.(own.address);
  const addresses = (...wallets: Wallet[]) => wallets.map(({ address }) => address.toLowerCase());

  test.each([
    ['an account never used', null, addresses(own)],
    ['the key of its address', { keyType: 1, key: {} }, addresses(own)],
    ['another key', single(first), addresses(first)],
    ['none', fail, []],
    ['several', several, addresses(first, second, third)],
    [
      'roles, of which transactions are the first',
      { keyType: 5, key: [single(second), fail] },
      addresses(second),
    ],
  ])('%s', async (_, answer, expected) => {
    expect((await keyOf(answer))?.keys.map(({ address }) => address)).toEqual(expected);
  });

  test.each([
    ['a kind that is not known', { keyType: 6, key: {} }],
    ['an invalid number', { keyType: 2, key: { x: '0x01', y: 'y' } }],
    ['a number with more in front', { keyType: 2, key: { ...point(first), x: `1${point(first).x}` } }],
    ['half a point', { keyType: 2, key: { x: point(first).x } }],
    ['a point off the curve', { keyType: 2, key: { x: '0x1', y: '0x1' } }],
    ['a threshold of 0', { keyType: 4, key: { threshold: 0, keys: [] } }],
    ['roles in roles', { keyType: 5, key: [{ keyType: 5, key: [] }] }],
    ['a text', 'key'],
  ])('%s decides nothing', async (_, answer) => {
    await expect(keyOf(answer)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('a node without the method has no such keys, and an unreachable node decides nothing', async () => {
    const failing = (error: Error) => accountKeys(() => Promise.reject(error));
    expect(await failing(new RpcError(-32601, 'the method does not exist', '0x'))).toBeNull();
    await expect(failing(new Unreachable('down'))).rejects.toThrow('down');
  });
});

describe.skipIf(noAnvil !== null)('joins of accounts with keys of their own', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain();
  });
  afterAll(() => chain?.stop());

  test('the chain decides which keys sign for an account', async () => {
    const id = String((await chain.survey('Survey', 1)).target);
    const node = new Proxied(chain.url);
    node.answers.kaia_getAccountKey = null;
    const { url } = await started({
      surveys: [id],
      chain: { ...chainDefaults, rpcUrls: [await node.listen()], managerKey: account(1).privateKey },
    });
    let commitment = 0;
    const join = async (key: unknown, signature: unknown) => {
      node.answers.kaia_getAccountKey = key;
      commitment += 1;
      const body = joinBody(commitment, { id, account: own.address, signature });
      const answer = await request(`${url}/api/group/join`, 'POST', body);
      return answer.status === 200 ? 'joined' : inner(answer, 'error').reason;
    };
    const stranger = 'it is not by this account over this message';
    const few = 'the account’s keys that made them are too few';
    expect(await join(null, by(own))).toBe('joined');
    expect(await join(null, own.signingKey.sign(klaytnHash(message)).serialized)).toBe('joined');
    expect(await join(single(first), by(own))).toBe(stranger);
    expect(await join(single(first), by(first))).toBe('joined');
    expect(await join(fail, by(own))).toBe(stranger);
    expect(await join({ keyType: 5, key: [single(second), fail, fail] }, by(second))).toBe('joined');
    expect(await join(several, by(first))).toBe(stranger);
    expect(await join(several, [by(second), by(third)])).toBe(few);
    expect(await join(several, [by(second), by(second), by(second)])).toBe(few);
    expect(await join(several, [by(first), by(third)])).toBe('joined');
    expect(
      await join(
        several,
        Array.from({ length: 11 }, () => by(first)),
      ),
    ).toBe('there are more than 10 of them');
    expect(await join(several, [])).toBe(few);
    expect(await join(several, [by(first), 7])).toBe('it is missing');
    expect(hashMessage(message)).not.toBe(klaytnHash(message));
  });
});
