/** `kaiactl node harden` as its users meet it: sources, errors, exit codes. */
import { expect, test } from 'vitest';
import { products } from '../../../src/node/facts/products.js';
import { run } from '../offline.js';

const demo = new URL('../../../fixtures/demo/kend.conf', import.meta.url).pathname;
const harden = (...words: string[]) => run(['node', 'harden', ...words]);

test.each(products)('--for %s prints one file and nothing else', async (product) => {
  const { code, out, err } = await harden('--for', product, demo);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^(#|\/\/) .*\n/);
  for (const line of out.split('\n').filter((one) => /^\s*(#|\/\/) /.test(one)))
    expect(line.length).toBeLessThanOrEqual(80);
});

test.each([
  [['--for', 'nginx'], /name one source of settings/],
  [[demo], /--for nginx, caddy/],
  [['--for', 'apache', demo], /Allowed choices are nginx/],
  [['--for', 'nginx', demo, '--command-line', 'ken --rpc'], /name one source of settings/],
  [['--for', 'nginx', '--monitoring', '0.0.0.0/0', demo], /is every address/],
  [['--for', 'nginx', '--server-name', 'a;b', demo], /not a host name/],
  [['--for', 'nginx', '/nowhere/kend.conf'], /kend\.conf/],
])('%j exits with 2 and the reason', async (words, said) => {
  const { code, out, err } = await harden(...(words as string[]));
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(said);
  expect(err).not.toContain('    at ');
});

test('harden accepts stdin and command lines', async () => {
  const conf = 'RPC_ENABLE=1\nRPC_API=klay\nNETWORK=mainnet\nDATA_DIR=/d\n';
  const piped = await run(['node', 'harden', '--for', 'njs', '-', '--launcher', 'kend'], { stdin: conf });
  expect(piped.out).toContain("const modules = ['kaia', 'klay', 'rpc'];");
  const typed = await harden('--for', 'njs', '--command-line', 'ken --rpc --rpcapi eth,debug');
  expect(typed.out).toContain("const modules = ['eth', 'rpc'];");
});

test('undetermined checks are reported on stderr and in the snippet, and end with 3', async () => {
  const stdin = 'RPC_ENABLE=1\nRPC_PORT=$(cat p)\nNETWORK=mainnet\nDATA_DIR=/d\n';
  const words = ['node', 'harden', '--for', 'nginx', '-', '--launcher', 'kend'];
  const { code, out, err } = await run(words, { stdin });
  expect(code).toBe(3);
  expect(err).toMatch(/^kaiactl: undetermined: http: .*127\.0\.0\.1:8551 is assumed\n$/);
  expect(out).toContain('# Undetermined: http: ');
  const blind = await run([...words, '--allow-blind', '--quiet'], { stdin });
  expect(blind).toMatchObject({ code: 0, err: '' });
});

test('lint passes a compose file with the printed override', async () => {
  const stdin = `services:
  en:
    image: kaiachain/kaia
    command: ken --datadir /d --mainnet --rpc --rpcaddr 0.0.0.0 --rpcapi klay,eth --metrics --prometheus
    ports: ["8551:8551", "61001:61001"]
`;
  const words = ['-', '--stdin-filename', 'compose.yaml'];
  const { out } = await run(['node', 'harden', '--for', 'compose', ...words], { stdin });
  const [ports = ''] = /( {4}ports: !override\n(?: {6}- .*\n)+)/.exec(out) ?? [];
  const merged = stdin.replace(/ {4}ports: .*\n/, ports.replace(' !override', ''));
  const lint = (text: string) => run(['node', 'lint', '--fail-on', 'medium', ...words], { stdin: text });
  expect((await lint(stdin)).code).toBe(1);
  expect((await lint(merged)).code).toBe(0);
});
