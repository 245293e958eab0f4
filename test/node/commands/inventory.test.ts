import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type InventoryNode, readInventory } from '../../../src/node/commands/inventory.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-inventory-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string): Promise<InventoryNode[]> {
  const file = join(folder, 'nodes.ini');
  writeFileSync(file, text);
  const { nodes, problems } = await readInventory(file);
  for (const { error } of problems) throw error;
  return [...nodes];
}

const bare: InventoryNode = {
  name: 'a',
  role: null,
  nodeVersion: null,
  assumeReach: null,
  conf: null,
  endpoints: [],
  metrics: null,
  timeoutMs: null,
};

test('a node has what its section says, and paths from the folder of the inventory', async () => {
  const [node] = await read(
    `[a]
rpc = http://10.0.0.5:8551
ws = ws://10.0.0.5:8552
ipc = data/klay.ipc
conf = kend.conf
role = public-en
metrics = http://10.0.0.5:61001/
timeout = 5s
assume-reach = http=private
node-version = v2.2.1
`,
  );
  expect({ ...node, endpoints: node?.endpoints.map(({ endpoint }) => endpoint) }).toEqual({
    name: 'a',
    role: 'public-en',
    nodeVersion: 'v2.2.1',
    assumeReach: { http: 'private' },
    conf: join(folder, 'kend.conf'),
    metrics: 'http://10.0.0.5:61001',
    timeoutMs: 5000,
    endpoints: [
      { kind: 'http', url: 'http://10.0.0.5:8551' },
      { kind: 'ws', url: 'ws://10.0.0.5:8552' },
      { kind: 'ipc', path: join(folder, 'data/klay.ipc') },
    ],
  });
});

test.each<[text: string, nodes: readonly Partial<InventoryNode>[]]>([
  ['[a]\nconf = /a.conf\n', [{ name: 'a', conf: '/a.conf' }]],
  ['[a]\nconf = /a.conf\nrole =\ntimeout =\n', [{ name: 'a', conf: '/a.conf' }]],
  [
    '[defaults]\nconf = /{name}.conf\nrole = public-en\n[a]\n[b]\nrole = archive-en\n',
    [
      { name: 'a', conf: '/a.conf', role: 'public-en' },
      { name: 'b', conf: '/b.conf', role: 'archive-en' },
    ],
  ],
  [
    '[en-[1:2]]\nconf = /{n}.conf\n',
    [
      { name: 'en-1', conf: '/1.conf' },
      { name: 'en-2', conf: '/2.conf' },
    ],
  ],
])('%j lists %j', async (text, nodes) => {
  expect(await read(text)).toEqual(nodes.map((one) => ({ ...bare, ...one })));
});

test.each([
  ['', 'nodes.ini lists no node', 'Each node is a section'],
  ['[defaults]\nconf = a\n', 'nodes.ini lists no node', 'Each node is a section'],
  ['[a]\nrole = public-en\n', 'nodes.ini:1 [a] names neither an endpoint nor a conf', 'rpc = http'],
  ['[a]\nhttp = x\n', 'nodes.ini:2 [a]: there is no key http', 'Did you mean rpc? Keys: rpc, ws'],
  ['[a]\ntimout = x\n', 'nodes.ini:2 [a]: there is no key timout', 'Did you mean timeout?'],
  ['[a]\nxyzzy = x\n', 'nodes.ini:2 [a]: there is no key xyzzy', 'Keys: rpc, ws'],
  [
    '[defaults]\nhttps = x\n[a]\nconf = a\n',
    'nodes.ini:2 [defaults]: there is no key https',
    'Did you mean rpc?',
  ],
  ['[a]\nrpc = ftp://x\n', 'nodes.ini:2 [a]: rpc: ', ''],
  ['[defaults]\ntimeout = x\n[a]\nconf = a\n', 'nodes.ini:2 [defaults]: timeout: ', ''],
  ['[defaults]\ntimeout = 5s\n[a]\nconf = a\ntimeout = x\n', 'nodes.ini:5 [a]: timeout: ', ''],
  [
    '[a]\nconf = a\nrole = public-em\n',
    'nodes.ini:3 [a]: role: there is no role public-em',
    'Did you mean public-en?',
  ],
  ['[a]\nconf = a\nrole = xyzzy\n', 'there is no role xyzzy', 'Roles: '],
  ['[en-[2:1]]\nconf = a\n', 'nodes.ini:1 [en-[2:1]]: en-[2:1]: [2:1] is not a range', ''],
  [
    '[a]\nconf = a\nmetrics = h:61001/x\n',
    'metrics: h:61001/x is not the address of a metrics port',
    'Write it as http://127.0.0.1:61001, without a path.',
  ],
  ['[a]\nconf = a\nmetrics = http://h/x\n', 'http://h/x is not the address', 'without a path'],
  ['[a]\nconf = a\nmetrics = http://h?x\n', 'http://h?… is not the address', 'without a path'],
  ['[a]\nconf = a\nmetrics = http://u:pw@h\n', 'http://…@h is not the address', 'without a path'],
  ['[a]\nconf = a\nmetrics = ws://h:1\n', 'ws://h:1 is not the address', 'without a path'],
])('%j is refused: %s', async (text, message, hint) => {
  await expect(read(text)).rejects.toMatchObject({
    message: expect.stringContaining(message),
    hint: hint === '' ? expect.anything() : expect.stringContaining(hint),
  });
});

test.each([
  ['data/klay.ipc', 'data/klay.ipc'],
  ['a/ipc:b', 'a/ipc:b'],
  ['a\\\\\\\\b', 'a\\\\b'],
])('the socket %s is below the folder of the inventory', async (name, path) => {
  const [node] = await read(`[a]\nipc = ${name}\n`);
  expect(node?.endpoints[0]?.endpoint).toEqual({ kind: 'ipc', path: join(folder, path) });
});

test('a metrics port whose address only holds a URL is refused', async () => {
  await expect(read('[a]\nconf = a\nmetrics = at http://h:1\n')).rejects.toThrow(
    'metrics: at http://h:1 is not the address',
  );
});
