/** Routes to Services that are not among the files: whether they may lead to a node. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { kaiactl } from '../../offline.js';

const ingress = (service: string, port: string) => `kind: Ingress
metadata: { name: web }
spec: { defaultBackend: { service: { name: ${service}, port: { ${port} } } } }
`;

const manifest = (name: string) => `kind: Service
metadata: { name: ${name} }
spec: { selector: { app: en }, ports: [{ name: rpc, port: 80, targetPort: 8551 }] }
---
kind: Pod
metadata: { name: en, labels: { app: en } }
spec: { containers: [{ name: en, image: "kaiachain/kaia:v2.2.1", command: [ken, --rpc, --rpcaddr=0.0.0.0] }] }
`;

const chart = (name: string) => ({
  'en/Chart.yaml': 'apiVersion: v2\nname: en\nversion: 1.0.0\n',
  'en/values.yaml': '{}\n',
  'en/templates/en.yaml': manifest(name),
});

async function told(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { stdout } = await kaiactl(['node', 'lint', folder, '--format', 'json', '-q'], { cwd: folder });
  const [target] = (JSON.parse(stdout) as Report).targets;
  const http = target?.interfaces.find(({ transport }) => transport === 'http');
  const open = target?.undetermined.map(({ reason }) => reason).filter((one) => one.includes('leads to'));
  return [http?.reach ?? '?', ...(open ?? [])].join('; ');
}

const mayBe = (service: string) =>
  `private; Ingress web leads to Service ${service}, which is not among the files and may be its own`;

test.each([
  ['its port', 'other', 'number: 8551', mayBe('other')],
  ['another port', 'other', 'number: 3000', 'private'],
  ['the port of its Service alone', 'other', 'number: 80', 'private'],
  ['the Service itself', 'en', 'number: 80', 'any'],
])('an Ingress that names %s', async (_, service, port, expected) => {
  expect(await told({ 'en.yaml': manifest('en'), 'web.yaml': ingress(service, port) })).toBe(expected);
});

const inNamespace = (text: string, namespace: string) =>
  text.replace('metadata: {', `metadata: { namespace: "${namespace}",`);

test.each([
  ['the namespace of the release', '{{ .Release.Namespace }}', mayBe('en of the namespace production')],
  ['another namespace', 'staging', mayBe('en of the namespace production')],
])('an Ingress of a namespace beside a chart in %s', async (_, namespace, expected) => {
  const texts = manifest('en')
    .split('---\n')
    .map((one) => inNamespace(one, namespace));
  const files = { ...chart('en'), 'en/templates/en.yaml': texts.join('---\n') };
  const web = inNamespace(ingress('en', 'name: rpc'), 'production');
  expect(await told({ ...files, 'web.yaml': web })).toBe(expected);
});

test.each([
  ['a Service of another release', '{{ .Release.Name }}-en', 'main-en', 'name: rpc', mayBe('main-en')],
  ['a Service of another name', '{{ .Release.Name }}-en', 'front', 'name: rpc', 'private'],
  ['its port', '{{ .Release.Name }}', 'front', 'number: 8551', mayBe('front')],
  ['its Service', 'en', 'en', 'name: rpc', 'any'],
])('an Ingress beside a chart that names %s', async (_, name, service, port, expected) => {
  expect(await told({ ...chart(name), 'web.yaml': ingress(service, port) })).toBe(expected);
});
