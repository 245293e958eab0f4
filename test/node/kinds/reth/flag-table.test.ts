/** The flags of every release; against the sources where a checkout lies beside the project. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flagTable, opFlagTable } from '../../../../src/node/kinds/reth/flag-table.js';
import { opReth, reth } from '../../../../src/node/kinds/reth/index.js';

const checkout = process.env.KAIACTL_RETH ?? '';
if (!existsSync(checkout))
  process.stderr.write('flag-table.test.ts: skipped, KAIACTL_RETH names no checkout of reth\n');

test.skipIf(!existsSync(checkout)).each([
  ['reth', flagTable],
  ['op-reth', opFlagTable],
])('the table of %s is what the tool reads from the sources', (program, table) => {
  const printed = execFileSync(process.execPath, ['tools/flag-rows.js', program, checkout], {
    encoding: 'utf8',
    cwd: new URL('../../../../', import.meta.url),
  });
  const rows = printed
    .trim()
    .split('\n')
    .map((row) => row.trim().replace(/,$/, ''));
  expect(rows).toEqual(table.map(rowText));
});

/** A row as the table has it. */
function rowText([name, type, form]: (typeof flagTable)[number]): string {
  const facts = Object.entries(form ?? {}).map(([key, value]) => {
    const text =
      typeof value === 'string'
        ? `'${value}'`
        : `[${(value as readonly string[]).map((one) => `'${one}'`).join(', ')}]`;
    return `${key}: ${text}`;
  });
  return `['${name}', '${type}'${facts.length === 0 ? '' : `, { ${facts.join(', ')} }`}]`;
}

test.each([
  ['reth/v1.0.0', 'instance', '1'],
  ['reth/v2.5.1', 'instance', null],
  ['reth/v2.5.1', 'http.addr', '127.0.0.1'],
  ['reth/v2.5.1', 'ipcpath', '/tmp/reth.ipc'],
  ['reth/v2.5.1', 'rpc.max-logs-per-response', '20000'],
])('%s has --%s with the default %s', (release, name, fallback) => {
  expect(reth.at(release).flags.of('reth').byName.get(name)?.fallback).toBe(fallback);
});

test.each([
  ['ipc.permissions', { since: 'reth/v1.7.0' }],
  ['http', {}],
  ['debug.rpc-consensus-ws', {}],
  ['static-files.receipts', { since: 'reth/v1.10.0', until: 'reth/v1.10.2' }],
  ['rollup.sequencer', null],
  ['nothing', null],
])('the period of --%s is %j', (name, period) => {
  expect(reth.flags.period(name)).toEqual(period);
});

test('op-reth has the flags of reth and its own, by each of their names', () => {
  const { byName } = opReth.flags.of('op-reth');
  expect(byName.get('rollup.sequencer-http')?.name).toBe('rollup.sequencer');
  expect(byName.get('http.api')?.type).toBe('string');
  expect(opReth.flags.ofAnyRelease('rollup.enable-genesis-walkback')?.type).toBe('bool');
  expect(reth.flags.ofAnyRelease('rollup.sequencer')).toBeNull();
});
