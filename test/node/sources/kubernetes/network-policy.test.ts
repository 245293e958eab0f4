/** Which sources of a NetworkPolicy admit clients outside the cluster. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { publishedBy } from '../../../../src/node/facts/reach.js';
import { loadNodes } from '../../load.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-network-policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

const node = `kind: Pod
metadata: { name: en, labels: { app: en } }
spec:
  containers:
  - name: en
    image: kaiachain/kaia:v2.2.1
    command: [ken, --rpc, --rpcaddr, 0.0.0.0]
---
kind: Service
metadata: { name: en }
spec: { type: LoadBalancer, selector: { app: en }, ports: [{ port: 8551 }] }
`;

test.each([
  ['[]', true],
  ['[{ ipBlock: { cidr: 0.0.0.0/0 } }]', true],
  ['[{ ipBlock: { cidr: "::/0" } }]', true],
  ['[{ ipBlock: { cidr: 192.0.2.0/24 } }, { ipBlock: { cidr: "::/0" } }]', true],
  ['[{ ipBlock: { cidr: 192.0.2.0/24 } }]', false],
  ['[{ ipBlock: { cidr: "2001:db8::/32" } }]', false],
  ['[{ ipBlock: { cidr: 10.0.0.0/10 } }]', false],
  ['[{ podSelector: {} }]', false],
  ['[{ ipBlock: { cidr: 0.0.0.0/1 } }, { ipBlock: { cidr: 128.0.0.0/1 } }]', true],
  ['[{ ipBlock: { cidr: 64.0.0.0/2 } }]', true],
  ['[{ ipBlock: { cidr: "2000::/3" } }]', true],
  ['[{ ipBlock: { cidr: 0.0.0.0/0, except: [10.0.0.0/8] } }]', true],
  ['[{ ipBlock: { cidr: 0.0.0.0/0, except: [0.0.0.0/1, 128.0.0.0/1] } }]', false],
  ['[{ ipBlock: { cidr: 10.0.0.0/8 } }, { ipBlock: { cidr: 172.16.0.0/12 } }]', false],
])('from: %s admits any address: %s', async (from, expected) => {
  const path = join(folder, 'x.yaml');
  const policy = `kind: NetworkPolicy\nmetadata: { name: x }\nspec: { podSelector: {}, ingress: [{ from: ${from} }] }\n`;
  writeFileSync(path, `${node}---\n${policy}`);
  const { nodes } = await loadNodes(path, {}, { cwd: '/', stdin: Readable.from([]), signal });
  const http = nodes[0]?.conf.settings.listeners.find(({ kind }) => kind === 'http');
  expect(http !== undefined && publishedBy(http)?.host === '0.0.0.0', JSON.stringify(http)).toBe(expected);
});
