/** JSON-RPC to one node: resets, limits of the rate, silence, and whether the node is up. */
import { describe, expect, test } from 'vitest';
import { Busy, httpRpc, Unreachable } from '../../src/jsonrpc/rpc.js';
import { Nodes } from '../../src/survey/chain/nodes.js';
import { clock } from '../survey/chain/told.js';
import { rpcAnswer, stub } from '../survey/server/support.js';

describe('asking a node', () => {
  test('a request whose connection is reset is retried once only', async () => {
    let cuts = 1;
    const node = await stub((heard) => (cuts-- > 0 ? 'hang up' : rpcAnswer(heard, '"result":"0x1"')));
    expect(await httpRpc(node.url, 5000)('eth_chainId', [])).toBe('0x1');
    expect(node.heard).toHaveLength(2);
    cuts = 2;
    await expect(httpRpc(node.url, 5000)('eth_chainId', [])).rejects.toThrow(Unreachable);
    expect(node.heard).toHaveLength(4);
  });

  test('a node that limits the rate is asked again until the deadline, and counts as up', async () => {
    let limited = 2;
    const node = await stub((heard) =>
      limited-- > 0 ? { status: 429, body: '{"error":"slow down"}' } : rpcAnswer(heard, '"result":"0x1"'),
    );
    const nodes = new Nodes([httpRpc(node.url, 5000)], null, 5000);
    expect(await nodes.rpc('eth_chainId', [])).toBe('0x1');
    expect(node.heard).toHaveLength(3);
    limited = Number.POSITIVE_INFINITY;
    const given = new Nodes([httpRpc(node.url, 5000)], null, 300).rpc('eth_chainId', []);
    await expect(given).rejects.toThrow(Busy);
    const words = '"error":{"code":-32005,"message":"daily request rate limit exceeded"}';
    const polite = await stub((heard) => rpcAnswer(heard, words));
    await expect(httpRpc(polite.url, 5000)('eth_chainId', [])).rejects.toThrow(Busy);
  });

  test('an invalid answer is not retried', async () => {
    const node = await stub(() => ({ body: '<html>' }));
    await expect(httpRpc(node.url, 5000)('eth_chainId', [])).rejects.toThrow(Unreachable);
    expect(node.heard).toHaveLength(1);
  });

  /** A node that answers everything but these methods. */
  async function silentTo(...methods: readonly string[]) {
    const silent = new Set(methods);
    const methodOf = ({ body }: { body: string }) => (JSON.parse(body) as { method: string }).method;
    const { url, heard } = await stub((one) =>
      silent.has(methodOf(one)) ? 'silence' : rpcAnswer(one, '"result":"0x1"'),
    );
    return { url, silent, asked: () => heard.map(methodOf) };
  }

  test('a slow answer delays no other question, and says nothing about the node', async () => {
    const node = await silentTo('eth_estimateGas');
    const rpc = httpRpc(node.url, 1500);
    const estimates = () => node.asked().filter((method) => method === 'eth_estimateGas').length;
    const slow = Promise.allSettled(Array.from({ length: 17 }, () => rpc('eth_estimateGas', [])));
    await expect.poll(estimates).toBe(16);
    expect(await rpc('eth_getBalance', [])).toBe('0x1');
    expect(new Set((await slow).map(({ status }) => status))).toEqual(new Set(['rejected']));
    // Each of them was asked: none was refused for another's timeout.
    expect(estimates()).toBe(17);
    expect(await rpc('eth_call', [])).toBe('0x1');
  });

  test('a node that does not answer eth_blockNumber is down: all waiting requests fail, and it is not asked for a second', async () => {
    const time = clock();
    const node = await silentTo('eth_call', 'eth_getBalance', 'eth_blockNumber');
    const rpc = httpRpc(node.url, 3000);
    const methods = ['eth_call', 'eth_getBalance'].flatMap((method) => Array(40).fill(method) as string[]);
    const waiting = await Promise.allSettled(methods.map((method) => rpc(method, [])));
    expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['rejected']));
    // Sixteen of each were sent; the others failed without a request.
    expect(node.asked().toSorted()).toEqual([
      ...Array(1).fill('eth_blockNumber'),
      ...Array(16).fill('eth_call'),
      ...Array(16).fill('eth_getBalance'),
    ]);
    time.now += 999;
    await expect(rpc('eth_call', [])).rejects.toThrow(Unreachable);
    expect(node.asked()).toHaveLength(33);
    time.now += 1;
    node.silent.clear();
    expect(await rpc('eth_call', [])).toBe('0x1');
    expect(node.asked().slice(33)).toEqual(['eth_blockNumber', 'eth_call']);
  });

  test('a stall of this process is no outage of the node', async () => {
    const stall = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    const node = await stub((one) => {
      if (one.body.includes('eth_call')) return 'silence';
      stall();
      return rpcAnswer(one, '"result":"0x1"');
    });
    // Its own deadline ends the request, not the failed check of 500 ms.
    await expect(httpRpc(node.url, 1500)('eth_call', [])).rejects.toThrow('no answer within 1.5 s');
  });

  test('a node that answers other requests is up, even if eth_blockNumber is slow', async () => {
    const node = await silentTo('eth_call', 'eth_blockNumber');
    const rpc = httpRpc(node.url, 1500);
    const slow = expect(rpc('eth_call', [])).rejects.toThrow('no answer within 1.5 s');
    const told = new AbortController();
    const others = (async () => {
      while (!told.signal.aborted) expect(await rpc('eth_getBalance', [])).toBe('0x1');
    })();
    await slow;
    told.abort();
    await others;
  });

  test.each([
    ['"data":"0x258a195a"', '0x258a195a'],
    ['"data":{"data":"0x258A195a"}', '0x258A195a'],
    ['"data":"Reverted 0x258a195a"', '0x'],
    ['"data":"0x25 and more"', '0x'],
    ['"data":{"data":7}', '0x'],
    ['"data":null', '0x'],
  ])('an error with %s holds %s', async (part, data) => {
    const node = await stub((heard) => rpcAnswer(heard, `"error":{"code":3,"message":"no",${part}}`));
    await expect(httpRpc(node.url, 5000)('eth_call', [])).rejects.toMatchObject({ code: 3, data });
  });
});
