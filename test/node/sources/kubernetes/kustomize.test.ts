/** Kustomizations: labels for templates, and bounds of those that name each other. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { Kustomizer } from '../../../../src/node/sources/kubernetes/kustomize.js';
import type { Files } from '../../../../src/node/sources/launch/files.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { kaiactl } from '../../offline.js';

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: en }
spec:
  template:
    metadata: { labels: { app: en } }
    spec: { containers: [{ name: en, image: "kaiachain/kaia:v2.2.1", command: [ken, --rpc, --rpcaddr=0.0.0.0] }] }
---
apiVersion: v1
kind: Service
metadata: { name: en }
spec: { type: LoadBalancer, selector: { tier: rpc }, ports: [{ port: 8551 }] }
`;

async function lint(files: Readonly<Record<string, string>>): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-kustomize-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { stdout } = await kaiactl(['node', 'lint', folder, '--format', 'json', '-q'], { cwd: folder });
  return JSON.parse(stdout) as Report;
}

const reachesOf = ({ targets }: Report) =>
  targets.flatMap(({ interfaces }) =>
    interfaces.flatMap(({ transport, reach }) => (transport === 'http' ? [reach] : [])),
  );
const reasonsOf = ({ targets }: Report) =>
  targets.flatMap(({ undetermined }) => undetermined.map(({ reason }) => reason));

test.each([
  ['includeTemplates: true', 'any'],
  ['includeSelectors: true', 'any'],
  ['includeSelectors: false', 'private'],
])('labels with %s make a Service select the pods: %s', async (option, expected) => {
  const kustomization = `resources: [en.yaml]\nlabels: [{ pairs: { tier: rpc }, ${option} }]\n`;
  expect(reachesOf(await lint({ 'en.yaml': manifest, 'kustomization.yaml': kustomization }))).toEqual([
    expected,
  ]);
});

/** A chain of kustomizations, each of which names both folders of the next level. */
function lattice(depth: number): Record<string, string> {
  const levels = Array.from({ length: depth }, (_, level) => level);
  const next = (level: number) =>
    level + 1 < depth ? `resources: [../a${level + 1}, ../b${level + 1}]\n` : 'resources: [../en.yaml]\n';
  return Object.fromEntries([
    ['en.yaml', manifest],
    ...levels.flatMap((level) =>
      ['a', 'b'].map((name) => [`${name}${level}/kustomization.yaml`, next(level)]),
    ),
  ]);
}

test('a build of more than 500 kustomizations ends with a reason', async () => {
  expect(reasonsOf(await lint(lattice(12))).join('\n')).toContain('more than 500 kustomizations');
});

test('a kustomization that builds itself ends with a reason', async () => {
  const report = await lint({
    'a/kustomization.yaml': 'resources: [../b, ../b, en.yaml]\n',
    'b/kustomization.yaml': 'resources: [../a, ../a]\n',
    'a/en.yaml': manifest,
  });
  expect(reasonsOf(report).join('\n')).toContain('builds itself, which kustomize refuses');
});

test('kustomizations that all name each other are read no further than the first circle', () => {
  const numbers = Array.from({ length: 12 }, (_, at) => at);
  const others = (own: number) => numbers.filter((one) => one !== own).map((one) => `../k${one}`);
  const texts = new Map(
    numbers.map((own) => [`k${own}/kustomization.yaml`, `resources: [${others(own).join(', ')}]\n`]),
  );
  let reads = 0;
  const read = (path: string, { file }: LineIndex) => {
    reads += 1;
    const whole = posix.join(posix.dirname(file), path);
    const text = texts.get(whole);
    return text === undefined ? { problem: `${whole} is not there` } : new LineIndex(whole, text);
  };
  const kustomizer = new Kustomizer({ read } as unknown as Files);
  expect(
    kustomizer.build(new LineIndex('k0/kustomization.yaml', texts.get('k0/kustomization.yaml') ?? '')),
  ).toEqual([]);
  expect(kustomizer.gaps.map(({ reason }) => reason)).toEqual([
    'k0/kustomization.yaml builds itself, which kustomize refuses',
  ]);
  // Each of the 12 looks for those that it names.
  expect(reads).toBeLessThanOrEqual(12 * 11);
});
