/** Which nodes of a file an edit reaches: those that read the changed part, or a changed file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Conf } from '../../../../src/node/facts/facts.js';
import type { Edit } from '../../../../src/node/facts/report.js';
import { Parts } from '../../../../src/node/fix/trial/parts.js';
import { isSame, readAgain } from '../../../../src/node/fix/trial/state.js';
import type { Editable } from '../../../../src/node/sources/text/editable.js';
import { editableOf } from '../../editables.js';
import { loadNodes } from '../../load.js';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'kaiactl-parts-'));
});
afterAll(() => rmSync(root, { recursive: true }));

type Files = Readonly<Record<string, string>>;

async function fileOf(text: string, files: Files = {}, name = 'compose.yml'): Promise<Editable> {
  const cwd = mkdtempSync(join(root, 'project-'));
  for (const [path, own] of Object.entries({ ...files, [name]: text })) {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), own);
  }
  const host = { cwd, stdin: Readable.from([]), signal: new AbortController().signal };
  const { nodes } = await loadNodes(name, {}, host);
  const file = nodes[0] === undefined ? undefined : editableOf(nodes[0].conf);
  if (file === undefined) throw new Error('the file cannot be edited');
  return file;
}

function partsOf(file: Editable): Parts {
  return new Parts(file, ({ text, nodes }) => {
    const confs = readAgain(file, { text, others: new Map() });
    return confs?.length === nodes.length && nodes.every((at, place) => isSame(file.confs[at], confs[place]));
  });
}

function nameOf({ settings }: Conf | { settings: Conf['settings'] }): string {
  return settings.name ?? '';
}

/** An edit of the first line with these words, in the main file or in another one. */
function editOf(file: Editable, words: string, other?: string): Edit {
  const text = other === undefined ? file.text : (file.others.get(other) ?? '');
  const line = text.split('\n').findIndex((one) => one.includes(words)) + 1;
  const [{ settings }] = file.confs as [Conf];
  return { file: other ?? settings.source.path, line, column: 1, endLine: line, endColumn: 2, text: ' ' };
}

/** The services that are read again when the line with these words is edited, for a finding of a node; null: the whole file. */
function reached(file: Editable, words: string, node: string, other?: string): string[] | null {
  const at = file.confs.findIndex((one) => nameOf(one) === node);
  const cut = partsOf(file).reachedBy([editOf(file, words, other)], at);
  return cut === null ? null : cut.nodes.map((one) => nameOf(file.confs[one] as Conf));
}

const service = (name: string, port: number, more = '') =>
  `  ${name}:\n    image: kaiachain/kaia:v2.0.0\n    command: ken --rpc --rpcaddr 0.0.0.0 --rpcport ${port} --rpcapi admin\n${more}`;

const three = `services:\n${['a', 'b', 'c'].map((name, at) => service(name, 8551 + at)).join('')}`;

describe('services of a compose file', () => {
  test('an edit of a service reaches that service alone', async () => {
    const file = await fileOf(three);
    expect(reached(file, '8552', 'b')).toEqual(['b']);
  });

  test('the node of the finding is read again with the service that changes', async () => {
    expect(reached(await fileOf(three), '8552', 'c')).toEqual(['b', 'c']);
  });

  test('the others leave their comments and line ends, and every line stays at its place', async () => {
    const text = three.replace('v2.0.0', 'v2.0.0 # first').replaceAll('\n', '\r\n');
    const file = await fileOf(text);
    const cut = partsOf(file).reachedBy([editOf(file, '8553')], 2);
    expect(cut?.text).toBe(
      text
        .split('\n')
        .map((line, at) =>
          at === 2 ? `${' '.repeat(line.indexOf('#'))}# first\r` : at > 0 && at < 7 ? '\r' : line,
        )
        .join('\n'),
    );
    expect(cut?.length).toBeLessThan(text.length / 2);
  });

  test.each([
    [
      'its anchor',
      service('a', 8551, '    environment: &own\n      X: 1\n') +
        service('b', 8552, '    environment: *own\n'),
    ],
    ['its network', service('a', 8551) + service('b', 8552, '    network_mode: service:a\n')],
    [
      'it as a base',
      `${service('a', 8551, '    ports: ["8551:8551"]\n')}  b:\n    extends: a\n    command: ken --rpc --rpcport 9\n`,
    ],
  ])('a service that uses %s is read again with it', async (_, two) => {
    const file = await fileOf(`services:\n${two}${service('c', 8553)}`);
    expect(reached(file, '8551', 'a')).toEqual(['a', 'b']);
    expect(reached(file, '8553', 'c')).toEqual(['c']);
  });

  test('the whole file is read where a service depends on another one in a way that names do not show', async () => {
    const routed = (name: string, labels: string) =>
      service(name, 8551, `    labels:\n      traefik.http.routers.${name}.middlewares: ${labels}\n`);
    const own = '      traefik.http.middlewares.lan.ipallowlist.sourcerange: 10.0.0.0/8\n';
    const file = await fileOf(
      `services:\n${routed('a', 'lan')}${own}${routed('b', 'lan')}${service('c', 8553)}`,
    );
    expect(reached(file, '8553', 'c')).toBeNull();
  });

  test('an edit outside of the services reaches all of them', async () => {
    const anchored = three.replace(/^/, 'x-common: &common\n  environment: { A: "1" }\n');
    expect(reached(await fileOf(anchored), 'x-common', 'a')).toBeNull();
    const proxy = `${three}  proxy:\n    image: nginx\n    ports: ["80:80"]\n`;
    expect(reached(await fileOf(proxy), 'nginx', 'a')).toBeNull();
  });

  test('an edit of a file reaches every service that reads it', async () => {
    const using = (name: string, port: number) => service(name, port, '    env_file: shared.env\n');
    const text = `services:\n${using('a', 8551)}${service('b', 8552)}${using('c', 8553)}`;
    const file = await fileOf(text, { 'shared.env': 'KAIA_WS=1\n' });
    expect(reached(file, 'KAIA_WS', 'a', 'shared.env')).toEqual(['a', 'c']);
  });

  test('an edit of a mounted conf reaches the services that start with it', async () => {
    const mounted = (name: string) =>
      `  ${name}:\n    image: kaiachain/kaia:v2.0.0\n    volumes: ["./shared.conf:/klaytn-docker-pkg/conf/kend.conf"]\n    command: kend start-docker\n`;
    const text = `services:\n${mounted('a')}${service('b', 8552)}${mounted('c')}`;
    const file = await fileOf(text, { 'shared.conf': 'RPC_ENABLE=1\nRPC_API=admin\n' });
    expect(reached(file, 'RPC_API', 'c', 'shared.conf')).toEqual(['a', 'c']);
  });

  test.each([
    ['.env', { '.env': 'API=admin\n' }],
    ['an extended file', { 'base.yml': 'services:\n  base:\n    environment: { API: admin }\n' }],
  ] as const)('an edit of %s that all services use reaches all', async (_, files) => {
    const [path = ''] = Object.keys(files);
    const more =
      path === '.env'
        ? '    environment: { KAIA_WSAPI: "$API" }\n'
        : '    extends: { file: base.yml, service: base }\n';
    const text = `services:\n${service('a', 8551, more)}${service('b', 8552, more)}`;
    const file = await fileOf(text, files);
    expect(file.others.has(path)).toBe(true);
    expect(reached(file, 'API', 'a', path)).toBeNull();
  });
});

test('an edit of a document of a manifest reaches its node alone', async () => {
  const pod = (name: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec:\n  containers:\n    - name: ${name}\n      image: kaiachain/kaia:v2.0.0\n      command: [ken, --rpc, --rpcaddr, 0.0.0.0, --rpcapi, admin]\n`;
  const file = await fileOf(['a', 'b', 'c'].map(pod).join('---\n'), {}, 'pods.yaml');
  const cut = partsOf(file).reachedBy([editOf(file, 'name: b')], 1);
  expect(cut?.nodes).toEqual([1]);
});

test('a file of one node, and one of another kind, is read as a whole', async () => {
  const [one, script] = [
    await fileOf(`services:\n${service('a', 8551)}`),
    await fileOf('ken --rpc --rpcapi admin\nkcn --rpc --rpcapi admin\n', {}, 'run.sh'),
  ];
  expect(partsOf(one).reachedBy([editOf(one, '8551')], 0)).toBeNull();
  expect(partsOf(script).reachedBy([editOf(script, 'kcn')], 0)).toBeNull();
});
