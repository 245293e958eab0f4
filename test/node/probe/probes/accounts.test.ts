/** Which accounts a node lists, and a method that a kind has deprecated. */
import { afterEach, expect, test } from 'vitest';
import { plainAddress } from '../../../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../../../src/jsonrpc/endpoint.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { probesOf } from '../../../../src/node/probe/probes/index.js';
import { probeEndpoint } from '../../../../src/node/probe/run.js';
import { closePeers, scripted } from '../../../peers/scripted.js';

afterEach(closePeers);

interface Asked {
  readonly id: number;
  readonly method: string;
}

/** What is known of the accounts of a node with these modules that answers eth_accounts so. */
async function accountsOf(modules: readonly string[], answer: object) {
  const peer = await scripted('http', (text) => {
    const { id, method } = JSON.parse(text) as Asked;
    const said =
      method === 'rpc_modules'
        ? { result: Object.fromEntries(modules.map((one) => [one, '1.0'])) }
        : method === 'eth_accounts'
          ? answer
          : { error: { code: -32_601, message: 'the method does not exist' } };
    return JSON.stringify({ jsonrpc: '2.0', id, ...said });
  });
  const facts = await probeEndpoint({
    address: parseEndpoint(peer.address),
    source: 'argument',
    options: plainAddress,
    depth: 'safe',
    probes: probesOf(kinds),
    signal: new AbortController().signal,
  });
  return facts.accounts;
}

const deprecated = { error: { code: -32_000, message: 'the method has been deprecated: eth_accounts' } };

test('an erigon that says that the method is deprecated lists none; another node leaves the question open', async () => {
  expect(await accountsOf(['eth', 'erigon', 'rpc'], deprecated)).toEqual({ state: 'seen', value: [] });
  expect(await accountsOf(['eth', 'net', 'rpc'], deprecated)).toMatchObject({
    state: 'not-seen',
    code: 'rpc-error',
  });
  expect(
    await accountsOf(['eth', 'erigon', 'rpc'], { error: { code: -32_005, message: 'x' } }),
  ).toMatchObject({ state: 'not-seen', code: 'rpc-error' });
});
