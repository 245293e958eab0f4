/** Each snippet is checked by the program it is for: from fixtures of every source, and from hostile settings. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import type { Conf } from '../../../src/node/facts/facts.js';
import { type Product, products } from '../../../src/node/facts/products.js';
import { type Plan, planOf, readNetwork, snippet } from '../../../src/node/harden/index.js';
import { kaia } from '../../../src/node/kinds/kaia/index.js';
import { groupBy } from '../../../src/util/group-by.js';
import { visible } from '../../../src/util/visible.js';
import { isLong, seed } from '../../seed.js';
import { readConf } from '../editables.js';
import { loadNodes } from '../load.js';
import {
  caddyComplaint,
  hasCaddy,
  hasNginx,
  hasSystemd,
  nftComplaint,
  nftWorks,
  nginxComplaint,
  systemdComplaint,
} from './programs.js';

const root = new URL('../../../fixtures', import.meta.url).pathname;

/** Product → what checks it; null: the program is not here. The script of njs is checked with nginx. */
const checks: Readonly<Record<Exclude<Product, 'njs'>, ((plan: Plan) => Promise<string | null>) | null>> = {
  nginx: hasNginx ? nginxComplaint : null,
  caddy: hasCaddy ? async (plan) => caddyComplaint(snippet('caddy', plan)) : null,
  nftables: nftWorks() ? async (plan) => nftComplaint(snippet('nftables', plan)) : null,
  systemd: hasSystemd ? async (plan) => systemdComplaint(snippet('systemd', plan)) : null,
  compose: async (plan) => composeComplaint(snippet('compose', plan)),
};

/** As the Compose specification has it: services with a list of short port mappings, and no other key. */
function composeComplaint(text: string): string | null {
  const document = parseDocument(text, { customTags: [{ tag: '!override', collection: 'seq' }] });
  const problems = [...document.errors, ...document.warnings].map(({ message }) => message);
  if (document.contents === null) return problems.join('; ') || null;
  const { services, ...other } = document.toJS() as { services: Record<string, Record<string, unknown>> };
  const [[name, service] = ['', {}], ...more] = Object.entries(services);
  const { ports, security_opt, ...keys } = service as { ports: string[]; security_opt: string[] };
  if (Object.keys({ ...other, ...keys }).length + more.length > 0) problems.push('an unknown key');
  if (!/^[a-zA-Z0-9._-]+$/.test(name)) problems.push(`a service cannot be named ${name}`);
  for (const one of ports) if (!/^(127\.0\.0\.1:)?\d+:\d+(\/udp)?$/.test(one)) problems.push(`port ${one}`);
  return problems.length === 0 && security_opt.length === 1 ? null : problems.join('; ');
}

/** Every node of the sources in a folder that start any. */
async function nodesIn(folder: string): Promise<[string, Conf][]> {
  const found: [string, Conf][] = [];
  for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
    const host = { cwd: join(root, folder), stdin: Readable.from([]), signal: new AbortController().signal };
    const { nodes } = await loadNodes(name, {}, host).catch(() => ({ nodes: [] }));
    for (const node of nodes) found.push([`${folder}/${name} ${node.name ?? ''}`, node.conf]);
  }
  return found;
}

/** A node of each kind of source; three in a long run. */
let nodes: (readonly [string, Conf])[] = [];
beforeAll(async () => {
  const folders = [
    'compose',
    'dockerfile',
    'environment',
    'kubernetes',
    'script',
    'systemd',
    'yaml',
    'template',
  ];
  const all = (await Promise.all(folders.map(nodesIn))).flat();
  const byKind = groupBy(all, ([, { settings }]) => settings.source.kind);
  expect(byKind.size).toBeGreaterThanOrEqual(7);
  nodes = [...byKind.values()].flatMap((some) => some.slice(0, isLong ? 3 : 1));
});

const monitoring = ['10.20.0.0/16', '192.0.2.7', 'fd00::/8'].map(readNetwork);

describe.each(Object.entries(checks))('%s', (_, check) => {
  test.skipIf(check === null)(
    'takes what is made from every kind of source (skipped without it)',
    async () => {
      for (const [name, conf] of nodes) {
        const plan = planOf(conf, kaia, { monitoring, serverName: null });
        expect(await check?.(plan), name).toBeNull();
      }
    },
  );

  test.skipIf(check === null)(
    'accepts snippets made from hostile settings (skipped without it)',
    async () => {
      await fc.assert(
        fc.asyncProperty(hostile, async ({ path, text, service, networks }) => {
          const { settings, ...conf } = readConf('kend.conf', Buffer.from(text));
          const source = { ...settings.source, path };
          const named = service === null ? {} : { name: service };
          const read = { ...conf, settings: { ...settings, ...named, source } };
          const plan = planOf(read, kaia, { monitoring: networks, serverName: null });
          expect(await check?.(plan)).toBeNull();
        }),
        { seed, numRuns: isLong ? 20 : 2 },
      );
    },
  );
});

const breakouts = [
  'EVIL',
  '\n}\nserver { listen 9; EVIL }\n#',
  '"; return 200; EVIL #',
  "'; drop; EVIL #",
  '}\n\nhttp://:9 {\nrespond EVIL 200\n}\n',
  '{$HOME}',
  '{http.request.body}',
  '`) || true || (`',
  '\\',
  '\nExecStart=/bin/EVIL\n',
  '%n%H',
  '\n  EVIL:\n    image: x\n',
  ': [ {',
  '*/ EVIL(); /*',
  '$(id)',
  '\u2028\u0085\r\n',
  '0.0.0.0; }',
  '::1%eth0',
  '-1',
  '99999999999999999999',
  '0x1f',
];
const piece = fc.oneof(
  fc.constantFrom(...breakouts),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const nasty = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const variables = fc.constantFrom(
  'RPC_API',
  'RPC_ADDR',
  'RPC_PORT',
  'RPC_VHOSTS',
  'WS_API',
  'WS_ADDR',
  'WS_PORT',
  'WS_ORIGINS',
  'PORT',
  'DATA_DIR',
  'SUBPORT',
  'ADDITIONAL',
  'NETWORK',
);

/** A conf whose values are written as bash quotes them, so that they arrive as they are. */
const hostile = fc.record({
  path: nasty,
  service: fc.option(nasty),
  text: fc
    .array(fc.tuple(variables, nasty), { maxLength: 6 })
    .map((pairs) =>
      [
        'RPC_ENABLE=1\nWS_ENABLE=1\nMETRICS=1\nPROMETHEUS=1\nMULTICHANNEL=1\nNETWORK=mainnet\nDATA_DIR=/srv/kend',
        ...pairs.map(([name, value]) => `${name}='${value.replaceAll('\0', '').replaceAll("'", "'\\''")}'`),
      ].join('\n'),
    ),
  networks: fc.subarray(monitoring),
});

test('every product writes hostile text only into comments, and no comment line breaks', () => {
  fc.assert(
    fc.property(hostile, ({ path, text }) => {
      const { settings, ...conf } = readConf('kend.conf', Buffer.from(text));
      const source = { ...settings.source, path: `EVIL${path}EVIL` };
      const plan = planOf({ ...conf, settings: { ...settings, source } }, kaia, {
        monitoring,
        serverName: null,
      });
      for (const product of products) {
        const made = snippet(product, plan);
        const lines = made.split('\n').filter((line) => line.includes('EVIL'));
        expect(lines.length).toBeGreaterThan(0);
        for (const line of lines) expect(line).toMatch(/^\s*(?:#|\/\/) /);
        expect(visible(made.replace(/[\n\t]/g, ''), made.length)).toBe(made.replace(/[\n\t]/g, ''));
        expect(made).not.toContain('{$');
      }
    }),
    { seed, numRuns: 50 },
  );
});

test('the checks reject broken snippets', async () => {
  const plan = planOf(readConf('kend.conf', Buffer.from('RPC_ENABLE=1\n')), kaia, {
    monitoring,
    serverName: null,
  });
  if (hasNginx) expect(await nginxComplaint({ ...plan, serverName: 'a; } {' })).toMatch(/kaia.conf/);
  if (hasCaddy)
    expect(caddyComplaint(snippet('caddy', plan).replace('method POST', 'method'))).not.toBeNull();
  if (nftWorks()) expect(nftComplaint(snippet('nftables', plan).replace('{ 8551', '{ 85511'))).not.toBeNull();
  if (hasSystemd)
    expect(systemdComplaint(snippet('systemd', plan).replace('tcp:8551', 'tpc:8551'))).toMatch(/tpc/);
  expect(composeComplaint(snippet('compose', plan).replace('127.0.0.1', '0.0.0.0'))).toMatch(/port/);
});
