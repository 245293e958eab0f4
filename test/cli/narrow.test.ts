/** Help in 40 columns. */
import { expect, test } from 'vitest';
import { run } from './run.js';

const help = [
  '',
  'node',
  'survey',
  'report',
  'completion',
  ...['lint', 'audit', 'watch', 'settings', 'simulate', 'harden', 'policy', 'explain'].map(
    (verb) => `node ${verb}`,
  ),
  ...['members', 'join', 'pay', 'serve', 'backup', 'admin'].map((verb) => `survey ${verb}`),
  ...['convert', 'merge', 'diff', 'schema'].map((verb) => `report ${verb}`),
];

/** Examples are there to be pasted, and a word is never broken. */
const mayBeLong = (line: string): boolean => /^ +\$ /.test(line) || !/\S +\S/.test(line.trim());

test.each(help)('the help of kaiactl %s fits 40 columns', async (command) => {
  const { out } = await run([...command.split(' ').filter(Boolean), '--help'], { columns: 40 });
  const long = out.split('\n').filter((line) => line.length > 40 && !mayBeLong(line));
  expect(long).toEqual([]);
});

test.each(['node watch', 'node harden', 'survey serve', 'survey admin'])(
  'the examples of kaiactl %s can be pasted from 40 columns',
  async (command) => {
    const examples = async (columns: number) => {
      const { out } = await run([...command.split(' '), '--help'], { columns });
      return out.slice(out.indexOf('Examples:')).replace(/ \\\n +/g, ' ');
    };
    expect(await examples(40)).toBe(await examples(200));
  },
);

test('findings, fixes and their totals fit 40 columns', async () => {
  const conf = 'RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API="eth,personal"\nNETWORK=mainnet\nDATA_DIR=/d\n';
  const { out } = await run(['node', 'lint', '-', '--stdin-filename', 'kend.conf'], {
    stdin: conf,
    columns: 40,
  });
  expect(out).toContain('  fix ');
  expect(out.split('\n').filter((line) => line.length > 40)).toEqual([]);
});

test('the summary counts the nodes of one file as nodes', async () => {
  const compose = (name: string): string =>
    `  ${name}:\n    image: kaiachain/kaia\n    command: [ken, --rpc, --rpcaddr, 0.0.0.0, --rpcapi, personal]\n    ports: ["8551:8551"]\n`;
  const { out } = await run(['node', 'lint', '-', '--stdin-filename', 'compose.yml'], {
    stdin: `services:\n${compose('a')}${compose('b')}`,
  });
  expect(out).toMatch(/ findings on 2 nodes in 1 file: 2 critical/);
});
