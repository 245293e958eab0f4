/** Who reaches a port of a container: compose and Kubernetes. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { reachOf } from '../../../src/node/facts/reach.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { withKind } from '../../../src/node/kinds/node.js';
import { confEndpoints, confMetrics } from '../../../src/node/probe/target.js';
import { loadNodes } from '../load.js';

async function nodes(name: string, text: string) {
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal: new AbortController().signal };
  return (await loadNodes('-', { stdinFilename: name }, host)).nodes;
}

async function http(text: string) {
  const [node] = await nodes('compose.yml', text);
  const settings = node?.conf.settings;
  const listener = settings?.listeners.find(({ kind }) => kind === 'http');
  if (settings === undefined || listener === undefined) throw new Error('no node');
  return { settings, reach: reachOf(listener).reach };
}

const service = (lines: string) =>
  `services:\n  en:\n    command: ken --rpc --rpcaddr 0.0.0.0 --prometheus --metrics\n${lines}`;

describe('the reach of a container’s port and the address that is dialled', () => {
  test.each([
    ['    ports: ["8551:8551"]\n', 'any', ['http://127.0.0.1:8551']],
    ['    ports: ["127.0.0.1:9000:8551"]\n', 'loopback', ['http://127.0.0.1:9000']],
    ['    ports: ["8550-8552:8550-8552"]\n', 'any', ['http://127.0.0.1:8551']],
    ['    ports: ["[::1]:9001:8551/tcp"]\n', 'loopback', ['http://[::1]:9001']],
    ['    ports: ["8551"]\n', 'any', []],
    ['    ports: ["8551:8551/udp"]\n', 'private', []],
    [
      '    ports:\n      - target: 8551\n        published: "9002"\n        host_ip: 10.0.0.5\n',
      'private',
      ['http://10.0.0.5:9002'],
    ],
    ['    expose: ["8551"]\n', 'private', []],
    ['    network_mode: host\n', 'any', ['http://127.0.0.1:8551']],
    ['', 'private', []],
  ])('%j: %s', async (lines, reach, urls) => {
    const found = await http(service(lines));
    expect(found.reach).toBe(reach);
    const settings = withKind(kinds, found.settings);
    const dialled = confEndpoints(settings).map(({ address: { endpoint } }) =>
      'url' in endpoint ? endpoint.url : 'ipc',
    );
    expect(dialled.filter((url) => url.startsWith('http'))).toEqual(urls);
    if (lines.includes('host\n')) expect(confMetrics(settings)).toHaveLength(1);
    else expect(confMetrics(settings)).toEqual([]);
  });

  test('a port bound to loopback inside its container is not opened by publishing it', async () => {
    const { reach } = await http('services:\n  en:\n    command: ken --rpc\n    ports: ["8551:8551"]\n');
    expect(reach).toBe('loopback');
  });
});

const manifest = (pod: string, service: string) => `apiVersion: v1
kind: Pod
metadata: { name: en, labels: { app: en } }
spec:
${pod}  containers:
    - command: [ken, --rpc, --rpcaddr=0.0.0.0]
      ports: [{ name: rpc, containerPort: 8551 }]
---
${service}`;

const kubeService = (type: string) => `apiVersion: v1
kind: Service
metadata: { name: front }
spec: { ${type}selector: { app: en }, ports: [{ name: web, port: 80, targetPort: rpc, nodePort: 30080 }] }
`;

test.each([
  ['a Service of the cluster', '', kubeService(''), 'private'],
  ['a load balancer', '', kubeService('type: LoadBalancer, '), 'any'],
  ['a node port', '', kubeService('type: NodePort, '), 'any'],
  [
    'another node’s Service',
    '',
    kubeService('type: LoadBalancer, ').replace('app: en', 'app: pn'),
    'private',
  ],
  ['the host’s network', '  hostNetwork: true\n', '', 'any'],
  [
    'an Ingress',
    '',
    `${kubeService('')}---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: web }\nspec: { rules: [{ http: { paths: [{ backend: { service: { name: front, port: { name: web } } } }] } }] }\n`,
    'any',
  ],
])('%s', async (_, pod, service, reach) => {
  const [node] = await nodes('x.yaml', manifest(pod, service));
  const listener = node?.conf.settings.listeners.find(({ kind }) => kind === 'http');
  expect(listener && reachOf(listener).reach).toBe(reach);
});
