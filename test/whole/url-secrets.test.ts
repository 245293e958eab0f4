/** A key in any part of a URL stands in no output of any command, also when the server repeats it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formats } from '../../src/node/report/index.js';
import { Random } from '../node/sources/random.js';
import { kaiactl } from '../peers/run.js';
import { httpPeer, scripted } from '../peers/scripted.js';
import { steppedWatch } from '../peers/stepped-watch.js';
import { seed, shareOf } from '../seed.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-url-'));
const random = new Random(seed);
const hex = (length: number) => Array.from({ length }, () => '0123456789abcdef'[random.below(16)]).join('');
/** Keys as providers hand them out. */
const keys = [
  `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  `${hex(31)}a`,
  `Ab3_${hex(20)}-XyZ`,
  'CANARYKEY',
];
const placesOf = (key: string): string[] => [
  `/v2/${key}`,
  `/v3/${key}/rpc`,
  `/${key}`,
  `/rpc;token=${key}`,
  `/rpc?key=${key}`,
  `/ext/bc/C/rpc#${key}`,
  `/eth/%20${key}`,
];
/** Answers each call with an error, and each path with a page, that repeats the path and the query. */
const peer = await httpPeer(({ url, headers }, response, body) => {
  const text = `no key ${url} of ${headers.authorization ?? ''}`;
  const asked = /^\{/.test(body) ? (JSON.parse(body) as { id: number }) : null;
  if (asked === null || url?.includes('v3'))
    response.writeHead(asked === null ? 302 : 500, { location: `/new${url}` });
  response.end(
    asked === null
      ? text
      : JSON.stringify({ jsonrpc: '2.0', id: asked.id, error: { code: -32_000, message: text } }),
  );
});
const socket = await scripted(
  'ws',
  (text) => `{"jsonrpc":"2.0","id":${(JSON.parse(text) as { id: number }).id},"result":{"admin":"1.0"}}`,
);
const hostOf = ({ address }: { address: string }) => new URL(address.replace(/^ws/, 'http')).host;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const survey = '0x6b66b0d1d8bcc8b6d3fdd9bc1e2a9dc5d1d43d4f';
/** Every command that takes a URL, or is given one by mistake. */
function commandsOf(url: string, at: number): string[][] {
  const of = (name: string) => join(folder, `${at}-${name}`);
  writeFileSync(of('list.txt'), `${url}\n`);
  writeFileSync(of('nodes.ini'), `[named]\nrpc = ${url}\n`);
  writeFileSync(of('bad.ini'), `[a]\nrpc = ${url.replace('://', ':')}\nmetrics = ${url}\n`);
  const reports = Object.keys(formats).flatMap((format) => [
    '--report',
    `${format}=${of(`report.${format}`)}`,
  ]);
  const quick = ['--timeout', '2s'];
  return [
    ['node', 'audit', '--verbose', url, ...quick, ...reports, '--save-facts', of('facts.json')],
    ['node', 'audit', '--facts', of('facts.json'), '--format', 'json'],
    ['node', 'audit', '--plan', url],
    ['node', 'audit', '--simulate', url],
    ['node', 'audit', '--targets-from', of('list.txt'), ...quick],
    ['node', 'audit', '--inventory', of('nodes.ini'), '--format', 'json', ...quick],
    ['node', 'audit', '--inventory', of('bad.ini'), ...quick],
    ['node', 'audit', url.replace('://', ':/'), ...quick],
    ['node', 'audit', url.replace(/:\d+\//, ':99999/'), ...quick],
    ['node', 'audit', url.replace(/^\w+:\/\//, ''), ...quick],
    ['node', 'audit', url.replace(/^\w+:/, 'htps:'), ...quick],
    ['node', 'modules', url, ...quick],
    ['node', 'policy', 'make', '--from', url, ...quick],
    ['node', 'watch', '--interval', 'x', url],
    ['node', 'lint', '--format', 'json', url],
    ...['lint', 'settings', 'simulate', 'explain', 'harden'].map((verb) => ['node', verb, url]),
    [url],
    ['node', url],
    ['node', 'audit', `--rpc=${url}`],
    ['report', 'convert', url],
    ['config', 'show', 'node', 'audit', url],
    ['survey', 'members', survey, '--api-url', url],
    ['survey', 'members', survey, '--verify', '--rpc-url', url, '--api-url', url],
    ['survey', 'results', survey, '--rpc-url', url],
    ['survey', 'serve', '--check', '--rpc-url', url, '--payment-url', url, '--port', '0'],
  ];
}

const cases = keys.flatMap((key) =>
  placesOf(key).flatMap((place, at) =>
    [`http://${hostOf(peer)}${place}`, `ws://${hostOf(socket)}${place}`, `http://me:${key}@${hostOf(peer)}/`]
      .filter((_, form) => form < 2 || at === 0)
      .map((url) => [url, key] as const),
  ),
);

describe('a key in a URL is masked', () => {
  // Some of the places, each with a key of another form.
  test.each(shareOf(14, cases))('%s', async (url, key) => {
    const at = cases.findIndex((one) => one[0] === url);
    const leaks: string[] = [];
    for (const words of commandsOf(url, at)) {
      const { stdout, stderr } = await kaiactl(words, {
        cwd: folder,
        env: { KAIACTL_API_URL: url, XDG_CONFIG_HOME: '/none' },
      });
      for (const line of `${stdout}${stderr}`.split('\n'))
        if (line.includes(key)) leaks.push(`${words.join(' ')}: ${line}`);
    }
    for (const name of readdirSync(folder).filter((one) => /report\.|facts/.test(one)))
      if (readFileSync(join(folder, name), 'utf8').includes(key)) leaks.push(name);
    expect(leaks).toEqual([]);
  });

  test('in the lines, the state and the textfile of a watch', async () => {
    const [key = ''] = keys;
    const [textfile, state] = [join(folder, 'watch.prom'), join(folder, 'watch.json')];
    const url = `http://${hostOf(peer)}/v2/${key}`;
    const watch = steppedWatch([url, '--textfile', textfile, '--state', state], folder);
    await watch.round();
    await watch.stop();
    const outputs = [watch.out(), watch.err(), readFileSync(textfile, 'utf8'), readFileSync(state, 'utf8')];
    expect(outputs.map((text) => text.includes('/v2/…'))).toEqual([true, false, true, true]);
    expect(outputs.filter((text) => text.includes(key))).toEqual([]);
  });
});

test('a target is named by its section, or by its host and the masked path', async () => {
  writeFileSync(join(folder, 'names.ini'), `[en-1]\nrpc = http://${hostOf(peer)}/v2/${keys[1]}\n`);
  const audit = async (...words: string[]) => {
    const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', '--timeout', '2s', ...words], {
      cwd: folder,
    });
    return JSON.parse(stdout).targets.map(({ name }: { name: string }) => name);
  };
  expect(await audit('--inventory', 'names.ini')).toEqual(['en-1']);
  expect(await audit(`http://${hostOf(peer)}/v2/${keys[1]}`)).toEqual([`http://${hostOf(peer)}/v2/…`]);
  expect(await audit(`http://${hostOf(peer)}/kaia/en-1`)).toEqual([`http://${hostOf(peer)}/kaia/en-1`]);
});
