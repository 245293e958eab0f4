import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readInventory } from '../../src/node/commands/inventory.js';

const page = readFileSync(new URL('../../docs/fleets.md', import.meta.url), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

test('the inventory of the page is one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-page-'));
  try {
    writeFileSync(join(folder, 'fleet.ini'), blocks('ini')[0] ?? '');
    const nodes = await readInventory(join(folder, 'fleet.ini'));
    expect(nodes.map(({ name }) => name).slice(18)).toEqual(['en-19', 'en-20', 'cn-1']);
    expect(nodes[0]).toMatchObject({ role: 'public-en', timeoutMs: 10_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

interface Job {
  readonly kind: string;
  readonly spec: {
    readonly completionMode: string;
    readonly completions: number;
    readonly template: {
      readonly spec: {
        readonly restartPolicy: string;
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly volumeMounts: readonly { readonly name: string }[];
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

test('the Job asks each of its indexes for a part, and all the parts', () => {
  const { kind, spec } = parse(blocks('yaml')[1] ?? '') as Job;
  expect([kind, spec.completionMode, spec.template.spec.restartPolicy]).toEqual(['Job', 'Indexed', 'Never']);
  const [container] = spec.template.spec.containers;
  const mounted = container?.volumeMounts.map(({ name }) => name);
  expect(mounted).toEqual(spec.template.spec.volumes.map(({ name }) => name));
  const shards = Array.from({ length: spec.completions }, (_, index) => {
    const script = `kaiactl() { printf '%s\\n' "$@"; }\n${container?.args[0]}`;
    const env = { PATH: process.env.PATH, JOB_COMPLETION_INDEX: String(index) };
    const words = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\n');
    return words[words.indexOf('--shard') + 1];
  });
  expect(shards).toEqual(
    Array.from({ length: spec.completions }, (_, at) => `${at + 1}/${spec.completions}`),
  );
});

test('the play is YAML whose command kaiactl has', () => {
  const [play] = parse(blocks('yaml')[0] ?? '') as [
    { tasks: [{ 'ansible.builtin.command': { argv: string[] } }] },
  ];
  expect(play.tasks[0]['ansible.builtin.command'].argv.slice(0, 3)).toEqual(['kaiactl', 'node', 'audit']);
});
