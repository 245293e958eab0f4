/** A node as a table of what it answers by method, and what it was asked. */

import type { Interface } from 'ethers/abi';
import { onTestFinished, vi } from 'vitest';
import { type Rpc, RpcError } from '../../../src/jsonrpc/rpc.js';
import { semaphoreContract, surveyContract } from '../../../src/survey/chain/contracts.js';

export interface Told {
  readonly rpc: Rpc;
  readonly asked: string[];
}

/** Values are results, functions make them, errors are thrown; what is not in the table is no method of the node. */
export function told(answers: Record<string, unknown>): Told {
  const asked: string[] = [];
  const rpc: Rpc = async (method, params) => {
    asked.push(method);
    if (!Object.hasOwn(answers, method)) throw new RpcError(-32601, 'the method does not exist', '0x');
    const answer = answers[method];
    const value = typeof answer === 'function' ? await answer(...params) : answer;
    if (value instanceof Error) throw value;
    return value;
  };
  return { rpc, asked };
}

/** `eth_call` on the two contracts of a survey: values and errors by the function's name. */
export function calls(values: Record<string, unknown>) {
  return ({ data }: { data: string }) => {
    for (const contract of [surveyContract, semaphoreContract] as Interface[]) {
      const called = contract.parseTransaction({ data })?.fragment;
      if (called === undefined || !Object.hasOwn(values, called.name)) continue;
      const value = values[called.name];
      return value instanceof Error
        ? value
        : contract.encodeFunctionResult(called, called.outputs.length === 0 ? [] : [value]);
    }
    return new RpcError(3, 'execution reverted', '0x');
  };
}

/** Both clocks, the wall's and the monotonic one, set by hand until the test ends. */
export function clock(): { now: number } {
  const time = { now: 1_700_000_000_000 };
  const mocks = [Date, performance].map((one) => vi.spyOn(one, 'now').mockImplementation(() => time.now));
  onTestFinished(() => {
    for (const mock of mocks) mock.mockRestore();
  });
  return time;
}
