/** Odd bytes, broken files and limits, for every reader. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { KaiactlError } from '../../../src/errors.js';
import { isLong } from '../../seed.js';
import { loadNodes } from '../load.js';

const host = (text: string | Uint8Array, cwd = '/') => ({
  cwd,
  stdin: Readable.from([Buffer.from(text)]),
  signal: new AbortController().signal,
});

/** The module lists of http, by node, and what could not be read. */
async function read(name: string, text: string | Uint8Array) {
  const { nodes, problems } = await loadNodes('-', { stdinFilename: name }, host(text));
  const lists = nodes.map(({ name: node, conf }) => [node, conf.settings.values.rpcapi?.value]);
  return { nodes: Object.fromEntries(lists), problems: problems.map(({ message }) => message) };
}

const service = (api: string) => `services:\n  en:\n    command: ken --rpc --rpcapi ${api}\n`;

describe('YAML', () => {
  test('every kind of line end and a byte order mark are the same', async () => {
    const text = service('eth,admin');
    const expected = { nodes: { en: 'eth,admin' }, problems: [] };
    expect(await read('compose.yml', text)).toEqual(expected);
    expect(await read('compose.yml', text.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(await read('compose.yml', `\uFEFF${text}`)).toEqual(expected);
  });

  test('aliases that multiply end, and the node beside them is judged', async () => {
    const levels = Array.from(
      { length: 40 },
      (_, at) => `l${at + 1}: &l${at + 1} [${'*l'.concat(String(at), ', ').repeat(9)}]`,
    );
    const text = `l0: &l0 [x]\n${levels.join('\n')}\n${service('eth').replace('command:', 'environment: *l40\n    command:')}`;
    expect((await read('compose.yml', text)).nodes).toEqual({ en: 'eth' });
  });

  test('merged maps that contain each other end', async () => {
    const text = `a: &a { <<: *a, x: 1 }\nservices: { <<: *a, en: { <<: *a, command: ken --rpc --rpcapi eth } }\n`;
    expect((await read('compose.yml', text)).nodes.en).toBe('eth');
  });

  test('the last of two equal keys wins', async () => {
    const text = `${service('eth')}    command: ken --rpc --rpcapi eth,admin\n`;
    expect(await read('compose.yml', text)).toEqual({ nodes: { en: 'eth,admin' }, problems: [] });
  });

  test('a tab in indentation is reported with its place', async () => {
    const { problems } = await read('compose.yml', 'services:\n  en:\n\t\tcommand: ken --rpc\n');
    expect(problems.join()).toMatch(/^compose\.yml:3:\d+: it is not YAML: /);
  });

  test('one broken document does not hide the others', async () => {
    const pod = (name: string, api: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ command: [ken, --rpc, --rpcapi, "${api}"] }] }\n`;
    const text = `${pod('a', 'eth')}---\nkind: Pod\nspec: [ken, "unclosed\n---\n${pod('b', 'admin')}`;
    const { nodes, problems } = await read('pods.yaml', text);
    expect(nodes).toEqual({ 'Pod/a': 'eth', 'Pod/b': 'admin' });
    expect(problems).toHaveLength(1);
  });

  test('tags run nothing', async () => {
    const text = `x: !!js/function 'function () { throw new Error() }'\n${service('!!js/undefined eth')}`;
    expect(Object.keys((await read('compose.yml', text)).nodes)).toEqual(['en']);
  });

  test('deep nesting is reported', async () => {
    const { problems } = await read('compose.yml', `${service('eth')}x: ${'['.repeat(100_000)}\n`);
    expect(problems.join()).toMatch(/nested too deeply|not YAML/);
  });

  test('the node in many megabytes of manifests is found', async () => {
    const filler = `apiVersion: v1\nkind: Secret\ndata: { x: ${'a'.repeat(10_000)} }\n---\n`;
    const pod =
      'apiVersion: v1\nkind: Pod\nspec: { containers: [{ command: [ken, --rpc, --rpcapi, admin] }] }\n';
    const text = filler.repeat(isLong ? 2_000 : 300) + pod;
    expect(text.length).toBeGreaterThan(3_000_000);
    expect((await read('all.yaml', text)).nodes).toEqual({ 'Pod/': 'admin' });
  });
});

describe('scripts', () => {
  test.each([
    ['functions that call each other', 'f() { g; g; }\ng() { f; f; }\nf\n'],
    ['a loop without end', 'while true; do X="$X$X"; done\n'],
    ['a shell in a shell in a shell', `${'sh -c \'sh -c "'.repeat(1)}true"'\n`],
    ['conditions without number', 'if a; then b; fi\n'.repeat(3000)],
    ['nesting', `${'if a; then '.repeat(500)}\n`],
  ])('%s ends, and the lines before are judged', async (_, rest) => {
    const { nodes } = await read('start.sh', `#!/bin/sh\nken --rpc --rpcapi admin &\n${rest}`);
    expect(Object.values(nodes)).toContain('admin');
  });

  test('a line of a megabyte is read', async () => {
    const text = `#!/bin/sh\nken --rpc --rpcapi eth --identity ${'x'.repeat(1_000_000)}\n`;
    expect(Object.values((await read('start.sh', text)).nodes)).toEqual(['eth']);
  });
});

test.each([
  ['Dockerfile', 'FROM a\nCMD [ken, --rpc]\n'],
  ['Dockerfile', 'FROM a\nRUN <<EOF\nken --rpc\n'],
  ['Dockerfile', 'FROM a\nCMD ["ken", \\\n'],
  ['ken.service', '[Service]\nExecStart=\\\n'],
  ['ken.service', "[Service]\nExecStart=/usr/bin/ken '\n"],
  ['compose.yml', 'services:\n  - ken\n'],
  ['compose.yml', 'services:\n  en: ken\n'],
  [
    'compose.yml',
    'services:\n  en:\n    command: { ken: 1 }\n    ports: ken\n    environment: 3\n    extends: [x]\n',
  ],
  ['x.yaml', 'apiVersion: v1\nkind: Pod\nspec: ken\n'],
  [
    'x.yaml',
    'apiVersion: v1\nkind: Pod\nspec: { containers: [ken, { command: ken, env: ken, ports: [ken] }] }\n',
  ],
  ['x.yaml', 'apiVersion: v1\nkind: List\nitems: ken\n'],
  ['.env', 'KAIA_RPC\nKAIA_RPCAPI="\n'],
])('%s with %j is refused or judged, never a defect', async (name, text) => {
  const error = await read(name, text).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error !== null) expect(error).toBeInstanceOf(KaiactlError);
});

test('an unread EnvironmentFile makes settings indeterminate, except those on the command line', async () => {
  const text = '[Service]\nEnvironmentFile=/etc/default/ken\nExecStart=ken --rpc --rpcapi admin\n';
  const { nodes } = await loadNodes('-', { stdinFilename: 'ken.service' }, host(text));
  const listeners = nodes[0]?.conf.settings.listeners ?? [];
  expect(listeners.find(({ kind }) => kind === 'http')).toMatchObject({
    state: 'on',
    modules: ['admin', 'rpc'],
  });
  expect(listeners.find(({ kind }) => kind === 'ws')).toMatchObject({ state: 'unknown' });
});
