/** Several nodes of one chain: which of them is asked, and how each is reported. */
import { expect, test } from 'vitest';
import { type Rpc, RpcError, Unreachable } from '../../../src/jsonrpc/rpc.js';
import { Nodes } from '../../../src/survey/chain/nodes.js';
import { bounded } from '../../peers/bounded.js';
import { faultProxy } from '../fault-proxy.js';
import { chainDefaults, request, rpcAnswer, started, stub, survey } from '../server/support.js';
import { clock } from './told.js';

/** A node whose state a test changes. */
function node(name: string) {
  const state = { isDown: false, isCheckable: true, chainId: 1001, block: 100, asked: [] as string[] };
  const rpc: Rpc = async (method) => {
    state.asked.push(method);
    if (state.isDown) throw new Unreachable('down');
    if (!state.isCheckable && method === 'eth_blockNumber') throw new Unreachable('late');
    if (method === 'eth_chainId') return `0x${state.chainId.toString(16)}`;
    if (method === 'eth_blockNumber') return `0x${state.block.toString(16)}`;
    if (method === 'eth_call') throw new RpcError(3, 'execution reverted', '0x');
    return name;
  };
  return { state, rpc };
}

function three(chainId: number | null = null) {
  const time = clock();
  const [one, two, three] = [node('one'), node('two'), node('three')];
  const nodes = bounded(new Nodes([one.rpc, two.rpc, three.rpc], chainId));
  const states = async () => {
    time.now += 5000;
    return (await nodes.states()).map(({ state }) => state);
  };
  return {
    nodes,
    states,
    time,
    one: one.state,
    two: two.state,
    three: three.state,
    ask: () => nodes.rpc('x', []),
  };
}

test('the first node is used while it answers and is not behind', async () => {
  const { ask, states, one, two } = three();
  expect(await ask()).toBe('one');
  expect(await states()).toEqual(['used', 'ready', 'ready']);
  two.block = 105;
  expect(await states()).toEqual(['used', 'ready', 'ready']);
  two.block = 106;
  expect(await states()).toEqual(['behind', 'used', 'behind']);
  expect(await ask()).toBe('two');
  one.block = 106;
  expect(await states()).toEqual(['used', 'ready', 'behind']);
  expect(await ask()).toBe('one');
});

test('a request whose node is down is answered by the next, and an error of a node is its answer', async () => {
  const { nodes, ask, states, one, two, three: last } = three();
  expect(await ask()).toBe('one');
  one.isDown = true;
  expect(await ask()).toBe('two');
  await expect(nodes.rpc('eth_call', [])).rejects.toThrow(RpcError);
  expect(two.asked.filter((method) => method === 'eth_call')).toHaveLength(1);
  expect(last.asked).not.toContain('eth_call');
  two.isDown = true;
  expect(await ask()).toBe('three');
  expect(await states()).toEqual(['unreachable', 'unreachable', 'used']);
  last.isDown = true;
  await expect(ask()).rejects.toThrow(Unreachable);
  expect(await states()).toEqual(['unreachable', 'unreachable', 'unreachable']);
  expect(await nodes.states()).toMatchObject([{ block: null }, { block: null }, { block: null }]);
  one.isDown = false;
  expect(await states()).toEqual(['used', 'unreachable', 'unreachable']);
  expect(await ask()).toBe('one');
});

test('a request is repeated at a node that was too slow for the check', async () => {
  const { ask, nodes, one, two, three: last } = three();
  last.isDown = true;
  two.isCheckable = false;
  expect(await ask()).toBe('one');
  one.isDown = true;
  expect(await ask()).toBe('two');
  one.asked.length = 0;
  expect(await ask()).toBe('two');
  expect(one.asked).toEqual([]);
  expect((await nodes.states()).map(({ state }) => state)).toEqual(['unreachable', 'used', 'unreachable']);
});

test('a node of another chain is never used', async () => {
  const named = three(1001);
  named.one.isDown = true;
  named.two.chainId = 8217;
  expect(await named.ask()).toBe('three');
  // Without a chain named, it is that of the first node that answers, whatever becomes of the nodes later.
  const { ask, states, one, two } = three();
  expect(await states()).toEqual(['used', 'ready', 'ready']);
  two.chainId = 8217;
  two.block = 9000;
  one.isDown = true;
  expect(await ask()).toBe('three');
  expect(await states()).toEqual(['unreachable', 'other-chain', 'used']);
});

test('nodes are checked every five seconds, beside the requests; a single one is not checked for them', async () => {
  const { ask, one, time } = three();
  const checks = () => one.asked.filter((method) => method === 'eth_blockNumber').length;
  await ask();
  await ask();
  time.now += 4999;
  await ask();
  expect(checks()).toBe(1);
  time.now += 1;
  await ask();
  await expect.poll(checks).toBe(2);
  const single = node('single');
  expect(await new Nodes([single.rpc]).rpc('x', [])).toBe('single');
  expect(single.state.asked).toEqual(['x']);
});

test('a server fails over to its second node when the first resets connections, and health names each node', async () => {
  const answer = await stub((heard) => {
    const { method } = JSON.parse(heard.body) as { method: string };
    const results: Record<string, unknown> = {
      eth_chainId: '0x3e9',
      eth_blockNumber: '0x10',
      eth_gasPrice: '0x1',
    };
    if (method === 'eth_getBlockByNumber')
      return rpcAnswer(heard, `"result":{"timestamp":"0x${Math.floor(Date.now() / 1000).toString(16)}"}`);
    return rpcAnswer(
      heard,
      method in results
        ? `"result":${JSON.stringify(results[method])}`
        : '"error":{"code":-32601,"message":"no"}',
    );
  });
  const [first, second] = [await faultProxy(answer.url), await faultProxy(answer.url)];
  const rpcUrls = [`${first.url}/key-of-first`, `${second.url}/key-of-second`];
  const { url } = await started({
    surveys: [survey],
    chain: { ...chainDefaults, rpcUrls, managerKey: null },
  });
  const health = async () => JSON.parse((await request(`${url}/healthz`, 'GET')).body);
  expect((await health()).nodes).toEqual([
    { node: 1, state: 'used', block: 16 },
    { node: 2, state: 'ready', block: 16 },
  ]);
  first.choose = () => ({ fault: 'reset', delivered: false });
  await expect
    .poll(async () => (await health()).nodes)
    .toEqual([
      { node: 1, state: 'unreachable', block: null },
      { node: 2, state: 'used', block: 16 },
    ]);
  const page = await request(`${url}/healthz`, 'GET');
  expect(JSON.parse(page.body)).toMatchObject({ status: 'ok', chainId: 1001 });
  expect(page.body).not.toMatch(/127\.0\.0\.1|key-of|joinsLeft/);
  const { body } = await request(`${url}/metrics`, 'GET');
  expect(body).toMatch(/node_up\{node="1"\} 0\n.*node_up\{node="2"\} 1\n/);
  expect(body).not.toMatch(/^kaiactl_survey_joins_left /m);
});
