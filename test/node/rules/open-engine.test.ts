/** Which refusal shows that the engine API asks for a token, by the release of the node. */
import { expect, test } from 'vitest';
import type { EngineAnswer } from '../../../src/node/facts/live.js';
import { seen } from '../../../src/node/facts/seen.js';
import { engineNode, quietEndpoint } from '../../../src/node/judge/rule/examples.js';
import { outcomeOf } from './outcome.js';

function answered(answer: EngineAnswer, version: string, reached = {}) {
  const example = engineNode('', answer);
  if (!('facts' in example) || example.facts.live === null) throw new Error('no facts');
  const { live } = example.facts;
  const isErigon = version.startsWith('erigon');
  const modules = seen({ eth: '1.0', rpc: '1.0', [isErigon ? 'erigon' : 'web3']: '1.0' });
  const client = seen(isErigon ? version : `Geth/${version}-stable/linux-amd64/go1.20`);
  const engine = live.engine?.map((one) => ({ ...one, ...reached })) ?? [];
  const endpoints = [{ ...quietEndpoint, modules, client }];
  return { ...example.facts, live: { ...live, endpoints, engine } };
}

const undetermined = ['undetermined', '? indeterminate http://127.0.0.1:8551'];

test.each<[EngineAnswer, string, unknown]>([
  [{ refusal: 401 }, 'v1.17.8', ['pass']],
  [{ refusal: 401 }, 'v1.10.26', ['pass']],
  [{ refusal: 403 }, 'v1.10.26', ['pass']],
  [{ refusal: 403 }, 'v1.17.8', undetermined],
  [{ refusal: 403 }, 'erigon/1.4.3/linux-amd64/go1.25', ['pass']],
  [{ refusal: 401 }, 'erigon/3.3.7/linux-amd64/go1.25', ['pass']],
  [{ refusal: null, modules: null }, 'v1.17.8', ['fail', expect.objectContaining({ severity: 'critical' })]],
])('%j of %s', (answer, version, outcome) => {
  expect(outcomeOf('open-engine', answered(answer, version))).toEqual(outcome);
});

test('a port that other machines reach is a finding, also where it refuses them', () => {
  const facts = answered({ refusal: 401 }, 'v1.17.8', { bind: seen(['::']) });
  expect(outcomeOf('engine-reach', facts)).toMatchObject([
    'fail',
    { severity: 'medium', subject: 'authrpc ::' },
  ]);
  expect(outcomeOf('open-engine', facts)).toEqual(['pass']);
});
