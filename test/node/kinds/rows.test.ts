/**
 * A flag, a module, a variable or a launcher more is a row more: reading, rules, simulator, the report's schema and the
 * choices on the command line take it from the table.
 */
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import type { Facts } from '../../../src/node/facts/facts.js';

type Names = typeof import('../../../src/node/kinds/kaia/names.js');
type Launchers = typeof import('../../../src/node/kinds/kaia/launchers.js');
type Table = typeof import('../../../src/node/kinds/kaia/flag-table.js');
type Flags = typeof import('../../../src/node/kinds/kaia/flags.js');

afterEach(() => {
  for (const name of ['flag-table', 'launchers', 'names', 'flags', 'variables'])
    vi.doUnmock(`../../../src/node/kinds/kaia/${name}.js?sources`);
  vi.resetModules();
});

/** What a conf with these lines comes to, read and judged by the program as the table now is. */
async function judged(lines: readonly string[], launcher: 'kend' | 'kcnd' = 'kend') {
  const { exampleFacts }: typeof import('../editables.js') = await import('../editables.js?sources');
  const { judgeTarget }: typeof import('../pipeline.js') = await import('../pipeline.js?sources');
  const facts: Facts = exampleFacts({
    launcher,
    conf: [...lines, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend', ''].join('\n'),
  });
  const { findings } = judgeTarget(facts, { failOn: 'high' });
  return { facts, findings: findings.map(({ rule, message, fix }) => `${rule}: ${message} ${fix}`) };
}

function settingsOf({ conf }: Facts) {
  if (conf?.state !== 'seen') throw new Error('it was not read');
  return conf.value.settings;
}

test('a flag is added with one row', async () => {
  vi.resetModules();
  vi.doMock('../../../src/node/kinds/kaia/flag-table.js?sources', async (original) => {
    const all = await original<Table>();
    const row = ['brand.new', 'string', { of: ['ken'], aliases: ['brand.alias'], fallback: 'hello' }];
    return { ...all, flagTable: [...all.flagTable, row] };
  });
  const { facts, findings } = await judged(['ADDITIONAL="--brand.new x"']);
  expect(findings).toEqual([]);
  expect(settingsOf(facts).values['brand.new']).toMatchObject({ value: 'x' });
  const misspelt = await judged(['ADDITIONAL="--brand.knew x"']);
  expect(misspelt.findings).toEqual([expect.stringMatching(/^unknown-flag: .*brand\.new/)]);
  const { kaia }: typeof import('../../../src/node/kinds/kaia/index.js') = await import(
    '../../../src/node/kinds/kaia/index.js?sources'
  );
  expect(kaia.flags.fallback('brand.new')).toBe('hello');
  const { layerOf }: typeof import('../../../src/node/sources/yaml/layer.js') = await import(
    '../../../src/node/sources/yaml/layer.js?sources'
  );
  const { LineIndex }: typeof import('../../../src/node/sources/text/line-index.js') = await import(
    '../../../src/node/sources/text/line-index.js?sources'
  );
  const layer = layerOf(new LineIndex('node.yaml', 'brand:\n  alias: y\n'), kaia.flags.of('ken'));
  expect([...layer.values].map(([name, { value }]) => [name, value])).toEqual([['brand.new', 'y']]);
});

test('a module is added with one row', async () => {
  vi.resetModules();
  const { modules }: typeof import('../../../src/node/kinds/kaia/modules.js') = await import(
    '../../../src/node/kinds/kaia/modules.js?sources'
  );
  const vault = { severity: 'critical', privileged: true, does: 'open the vault', name: 'vault' };
  Object.assign(modules, { vault });
  const { facts, findings } = await judged(['RPC_ENABLE=1', 'RPC_API="klay,vault"']);
  expect(findings).toEqual([
    expect.stringMatching(/^privileged-module: http offers vault: .* open the vault/),
  ]);
  const { shapeOf }: typeof import('../../../src/node/simulator/shape.js') = await import(
    '../../../src/node/simulator/shape.js?sources'
  );
  expect((await shapeOf(settingsOf(facts))).http?.modules).toContain('vault');
});

test('a variable is added with one row', async () => {
  vi.resetModules();
  vi.doMock('../../../src/node/kinds/kaia/launchers.js?sources', async (original) => {
    const all = await original<Launchers>();
    const emit = { test: 'is-text', variables: ['BRAND_NEW'], yes: [{ emit: '--identity $BRAND_NEW' }] };
    return {
      variablesRead: () => [
        ...all.variablesRead(),
        ...(['tar', 'rpm'] as const).map((from) => ({ name: 'BRAND_NEW', launcher: 'kend' as const, from })),
      ],
      launcherSteps: (...[release, launcher, from]: Parameters<Launchers['launcherSteps']>) => [
        ...all.launcherSteps(release, launcher, from),
        ...(launcher === 'kend' ? [emit] : []),
      ],
    };
  });
  const { facts, findings } = await judged(['BRAND_NEW=x']);
  expect(findings).toEqual([]);
  const { values, keys } = settingsOf(facts);
  expect([values.identity, keys.identity]).toMatchObject([{ value: 'x' }, { name: 'BRAND_NEW' }]);
  const misspelt = await judged(['BRAND_KNEW=x']);
  expect(misspelt.findings).toEqual([expect.stringMatching(/^unknown-setting: .*Did you mean BRAND_NEW/)]);
  const elsewhere = await judged(['BRAND_NEW=x'], 'kcnd');
  expect(elsewhere.findings).toEqual([expect.stringMatching(/^unread-setting: .* BRAND_NEW; kend does/)]);
});

test('a launcher is added with one row', async () => {
  vi.resetModules();
  const usual = <A>(launcher: A) => (launcher === 'kxnd' ? 'kend' : launcher) as 'kend';
  vi.doMock('../../../src/node/kinds/kaia/names.js?sources', async (original) => {
    const names = await original<Names>();
    return {
      ...names,
      launchers: [...names.launchers, 'kxnd'],
      launcherNamed: (name: string) => (name === 'kxnd' ? name : names.launcherNamed(name)),
    };
  });
  vi.doMock('../../../src/node/kinds/kaia/launchers.js?sources', async (original) => {
    const { launcherSteps, variablesRead } = await original<Launchers>();
    const ofKend = () => variablesRead().filter((one) => one.launcher === 'kend');
    return {
      variablesRead: () => [...variablesRead(), ...ofKend().map((one) => ({ ...one, launcher: 'kxnd' }))],
      launcherSteps: (release: 'kaia/v2.2.1', launcher: string, from: 'tar') =>
        launcherSteps(release, usual(launcher), from),
    };
  });
  vi.doMock('../../../src/node/kinds/kaia/flags.js?sources', async (original) => {
    const flags = await original<Flags>();
    const flagsAt: Flags['flagsAt'] = (release) => {
      const then = flags.flagsAt(release);
      return { ...then, of: (launcher) => then.of(usual(launcher)) };
    };
    return { ...flags, flagsAt };
  });
  const { readConf }: typeof import('../editables.js') = await import('../editables.js?sources');
  const conf = readConf('kxnd.conf', Buffer.from('RPC_ENABLE=1\nNETWORK="mainnet"\nDATA_DIR=/srv/kxnd\n'));
  expect(conf.settings).toMatchObject({ launcher: 'kxnd', startable: true });
  const { signsIn }: typeof import('../../../src/node/deployment/ledger/signs.js') = await import(
    '../../../src/node/deployment/ledger/signs.js?sources'
  );
  const { vocabularyOf }: typeof import('../../../src/node/deployment/ledger/vocabulary.js') = await import(
    '../../../src/node/deployment/ledger/vocabulary.js?sources'
  );
  const { kinds }: typeof import('../../../src/node/kinds/index.js') = await import(
    '../../../src/node/kinds/index.js?sources'
  );
  expect(signsIn(vocabularyOf(kinds), 'start', 'exec kxn --rpc')).toHaveLength(1);
  expect(signsIn(vocabularyOf(kinds), 'start', 'exec kyn --rpc')).toEqual([]);
  const { reportSchema }: typeof import('../../../src/node/report/schema.js') = await import(
    '../../../src/node/report/schema.js?sources'
  );
  const { conf: confSchema } = reportSchema(kinds).properties.targets.items.properties;
  expect(confSchema.anyOf[1].properties.launcher.enum).toContain('kxnd');
  const { confOptions }: typeof import('../../../src/node/commands/options/shared.js') = await import(
    '../../../src/node/commands/options/shared.js?sources'
  );
  const option = confOptions(new Command()).options.find(({ long }) => long === '--launcher');
  expect(option?.argChoices).toContain('kxnd');
});
