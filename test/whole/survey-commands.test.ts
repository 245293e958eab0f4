/** The client's commands against this server: embedded, and on a real chain. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tokenIssuer } from '../../src/survey/server/sandbox.js';
import { account, type Chain, noAnvil, startChain } from '../survey/chain/anvil.js';
import { home, kaiactl } from '../survey/command.js';
import { chainDefaults, channel, started, stub, survey, userId, wallet } from '../survey/server/support.js';

const issuerName = 'https://access.line.me';
const key = join(home, 'wallet');
const token = join(home, 'token');
const secrets = ['--key-file', key, '--id-token-file', token, '--poll-interval', '10ms'];

/** Settings of a server that believes the token in the file. */
async function tokens() {
  const issuer = await tokenIssuer(issuerName, channel);
  writeFileSync(key, wallet.privateKey, { mode: 0o600 });
  writeFileSync(token, await issuer.issue(userId), { mode: 0o600 });
  const keys = await stub(() => ({ body: JSON.stringify(issuer.jwks) }));
  return {
    channelId: channel,
    issuer: issuerName,
    jwksUrl: keys.url,
    channelSecret: null,
    verifyUrl: null,
    accessVerifyUrl: keys.url,
    profileUrl: keys.url,
    timeoutMs: 2000,
  };
}

test('a join by a token that is verified, and a payment', async () => {
  const portal = await stub(() => ({ body: '{"id":"pay_7"}' }));
  const { url } = await started({
    tokens: await tokens(),
    portal: (base) => ({
      url: portal.url,
      clientId: 'i',
      clientSecret: 's',
      callbackField: 'both',
      timeoutMs: 1000,
      confirmUrl: `${base}/c`,
      lockUrl: null,
      unlockUrl: null,
    }),
  });
  const at = ['--api-url', url];
  const joined = await kaiactl(['survey', 'join', survey, ...at, ...secrets, '--commitment', '11']);
  expect(joined).toMatchObject({ code: 0, stdout: expect.stringMatching(/listed/) });
  const order = ['--item-identifier', 'it', '--name', 'n', '--image-url', 'https://x/y.png', '--price', '1'];
  const paid = await kaiactl(['survey', 'pay', ...at, '--buyer-address', wallet.address, ...order]);
  expect(paid).toMatchObject({ code: 0, stdout: 'pay_7\n' });
});

describe.skipIf(noAnvil !== null)(`on chain${noAnvil === null ? '' : ` (skipped: ${noAnvil})`}`, () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain();
    return () => chain.stop();
  });

  test('joins are listed, and list and root are the contract’s', async () => {
    const contract = await chain.survey('Survey', 1);
    const id = String(contract.target);
    const manager = {
      ...chainDefaults,
      rpcUrls: [chain.url],
      managerKey: account(1).privateKey,
      chainId: 1001,
    };
    const { url } = await started({
      tokens: await tokens(),
      surveys: [id],
      policy: { onePerUser: false, scheme: 'eip712' },
      chain: manager,
    });
    const at = ['--api-url', url];
    for (const commitment of ['21', '22', '23']) {
      const scheme = ['--scheme', 'eip712', '--chain-id', '1001', '--commitment', commitment];
      const ran = await kaiactl(['survey', 'join', id, ...at, ...secrets, ...scheme]);
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/listed/) });
    }
    const foreign = ['--scheme', 'eip712', '--chain-id', '8217', '--commitment', '24'];
    const refused = await kaiactl(['survey', 'join', id, ...at, ...secrets, ...foreign]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another chain') });
    const verified = await kaiactl([
      'survey',
      'members',
      id,
      ...at,
      '--verify',
      '--rpc-url',
      chain.url,
      '--format',
      'json',
    ]);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({ members: ['21', '22', '23'], verified: true });
  });
});
