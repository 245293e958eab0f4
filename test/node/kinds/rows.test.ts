/** A flag or a module more is a row more: reading, rules and simulator take it from the table. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Facts } from '../../../src/node/facts/facts.js';

afterEach(() => {
  vi.doUnmock('../../../src/node/kinds/kaia/flag-table.js');
  vi.resetModules();
});

/** What a conf with these lines comes to, read and judged by the program as the table now is. */
async function judged(...lines: readonly string[]) {
  const { exampleFacts } = await import('../../../src/node/commands/example.js');
  const { judgeTarget } = await import('../../../src/node/pipeline.js');
  const facts: Facts = exampleFacts({
    conf: [...lines, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''].join('\n'),
  });
  const { findings } = judgeTarget(facts, { failOn: 'high' });
  return { facts, findings: findings.map(({ rule, message, fix }) => `${rule}: ${message} ${fix}`) };
}

function settingsOf({ conf }: Facts) {
  if (conf?.state !== 'seen') throw new Error('it was not read');
  return conf.value.settings;
}

test('a flag', { timeout: 60_000 }, async () => {
  vi.resetModules();
  vi.doMock('../../../src/node/kinds/kaia/flag-table.js', async (original) => {
    const { flagTable } = await original<{ flagTable: string }>();
    return { flagTable: `${flagTable}\nbrand.new s a brand.alias hello\n` };
  });
  const { facts, findings } = await judged('ADDITIONAL="--brand.new x"');
  expect(findings).toEqual([]);
  expect(settingsOf(facts).values['brand.new']).toMatchObject({ value: 'x' });
  const misspelt = await judged('ADDITIONAL="--brand.knew x"');
  expect(misspelt.findings).toEqual([expect.stringMatching(/^unknown-flag: .*brand\.new/)]);
  const { flagsOf, fallbackOf } = await import('../../../src/node/kinds/kaia/flags.js');
  expect(fallbackOf('brand.new')).toBe('hello');
  const { layerOf } = await import('../../../src/node/sources/yaml/layer.js');
  const { LineIndex } = await import('../../../src/node/sources/line-index.js');
  const layer = layerOf(new LineIndex('node.yaml', 'brand:\n  alias: y\n'), flagsOf('kend'));
  expect([...layer.values].map(([name, { value }]) => [name, value])).toEqual([['brand.new', 'y']]);
});

test('a module', { timeout: 60_000 }, async () => {
  vi.resetModules();
  const { modules } = await import('../../../src/node/kinds/kaia/modules.js');
  const vault = { severity: 'critical', privileged: true, does: 'open the vault', on: 'every' };
  Object.assign(modules, { vault });
  const { facts, findings } = await judged('RPC_ENABLE=1', 'RPC_API="klay,vault"');
  expect(findings).toEqual([
    expect.stringMatching(/^privileged-module: http offers vault: .* open the vault/),
  ]);
  const { shapeOf } = await import('../../../src/node/simulator/shape.js');
  expect(shapeOf(settingsOf(facts)).http?.modules).toContain('vault');
});
