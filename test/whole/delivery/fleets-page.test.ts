/** The manifests and the inventory of docs/fleets.md are valid. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { exit } from '../../../src/errors.js';
import { readInventory } from '../../../src/node/commands/inventory.js';
import { bySchema, hasGnuParallel, installed, publishedSchemas } from '../../node/report/tools.js';
import { isLong } from '../../seed.js';

const page = readFileSync(new URL('../../../docs/fleets.md', import.meta.url), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

test('the inventory of the page is valid', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-page-'));
  try {
    writeFileSync(join(folder, 'fleet.ini'), blocks('ini')[0] ?? '');
    const { nodes } = await readInventory(join(folder, 'fleet.ini'));
    expect(nodes.map(({ name }) => name).slice(18)).toEqual(['en-19', 'en-20', 'cn-1']);
    expect(nodes[0]).toMatchObject({ role: 'public-en', timeoutMs: 10_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

interface CronJob {
  readonly kind: string;
  readonly spec: {
    readonly schedule: string;
    readonly jobTemplate: {
      readonly spec: {
        readonly completionMode: string;
        readonly completions: number;
        readonly podFailurePolicy: { readonly rules: readonly unknown[] };
        readonly template: {
          readonly spec: {
            readonly containers: readonly {
              readonly args: readonly string[];
              readonly volumeMounts: readonly { readonly name: string }[];
            }[];
            readonly volumes: readonly { readonly name: string }[];
          };
        };
      };
    };
  };
}

const [audits, merge] = blocks('yaml')
  .slice(1)
  .map((text) => (parse(text) as CronJob).spec.jobTemplate.spec);
const reports = mkdtempSync(join(tmpdir(), 'kaiactl-reports-'));
afterAll(() => rmSync(reports, { recursive: true, force: true }));

/** Runs the script of a pod; `kaiactl` is a shell function with this body. */
function pod(job: typeof audits, body: string, env: Readonly<Record<string, string>> = {}) {
  const script = (job?.template.spec.containers[0]?.args[0] ?? '').replaceAll('/reports', reports);
  return spawnSync('sh', ['-ec', `kaiactl() { ${body}; }\n${script}`], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
}

test('each index of the Job audits one part, and every part is audited', () => {
  expect(audits?.completionMode).toBe('Indexed');
  for (const { template } of [audits!, merge!]) {
    const mounted = template.spec.containers[0]?.volumeMounts.map(({ name }) => name);
    expect(mounted).toEqual(template.spec.volumes.map(({ name }) => name));
  }
  const completions = audits?.completions ?? 0;
  const shards = Array.from({ length: completions }, (_, index) => {
    const env = { JOB_COMPLETION_INDEX: String(index) };
    const words = pod(audits, `printf '%s\\n' "$@" >&2`, env).stderr.split('\n');
    writeFileSync((words[words.indexOf('--report') + 1] ?? '').replace('ndjson=', ''), '');
    return words[words.indexOf('--shard') + 1];
  });
  expect(shards).toEqual(Array.from({ length: completions }, (_, at) => `${at + 1}/${completions}`));
});

test('a pod fails only where an audit was not possible, and an invalid option is not retried', () => {
  const codes = [0, 1, 2, 3, 70, 130].map(
    (code) => pod(audits, `return ${code}`, { JOB_COMPLETION_INDEX: '0' }).status,
  );
  expect(codes).toEqual([0, 0, 2, 0, 70, 130]);
  expect(audits?.podFailurePolicy.rules).toEqual([
    { action: 'FailIndex', onExitCodes: { operator: 'In', values: [exit.usage] } },
  ]);
});

test('the merge takes the parts of the day in order, and fails when one is missing', () => {
  const { status, stdout } = pod(merge, `printf '%s\\n' "$@"; return 1`);
  const parts = stdout.split('\n').filter((word) => word.endsWith('.ndjson'));
  expect(parts).toHaveLength(audits?.completions ?? 0);
  expect(parts).toEqual(parts.toSorted());
  expect(status).toBe(1);
  rmSync(parts[3] ?? '');
  const missing = pod(merge, 'echo merged');
  expect([missing.status, missing.stdout]).toEqual([exit.unseen, '']);
  expect(missing.stderr).toMatch(/^3 of 4 parts in /);
});

describe('the page’s lines, run as they stand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-wide-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const program = new URL('../../../bin/kaiactl.js', import.meta.url).pathname;
  const demo = new URL('../../../fixtures/demo/kend.conf', import.meta.url).pathname;
  mkdirSync(join(folder, 'bin'));
  // An audit without a target asks the nodes of this machine: here it is a simulated one.
  writeFileSync(
    join(folder, 'bin/kaiactl'),
    `#!/bin/sh
[ "$*" = "node audit --format json" ] && set -- "$@" --simulate "${demo}"
exec "${process.execPath}" "${program}" "$@"
`,
    { mode: 0o755 },
  );
  const bash = (script: string) =>
    spawnSync('bash', ['-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        HOME: folder,
        COLUMNS: '80',
        LC_ALL: 'C.UTF-8',
      },
    });
  const [, mergeAll = '', parallel = '', xargs = '', ansible = ''] = blocks('sh');

  test.skipIf(!hasGnuParallel('the line for GNU parallel'))('GNU parallel', () => {
    writeFileSync(join(folder, 'fleet.ini'), '[defaults]\nipc = ipc:/nowhere/{name}.ipc\n[en-[01:12]]\n');
    const ran = bash(parallel);
    expect(ran.stdout).toContain('No findings on 12 nodes.');
    expect(bash(mergeAll).status).toBe(3);
    expect(ran.stdout).toMatch(/^not seen {4}12 of 12 nodes .* en-01, en-02,\s+en-03 and 9 more$/m);
    expect(existsSync(join(folder, 'fleet.html'))).toBe(true);
  });

  test('xargs', () => {
    writeFileSync(join(folder, 'fleet.ini'), '[defaults]\nipc = ipc:/nowhere/{name}.ipc\n[en-[01:06]]\n');
    for (const part of [1, 2, 3, 4]) rmSync(join(folder, `shard-${part}.ndjson`), { force: true });
    const ran = bash(xargs);
    expect([ran.stderr, ran.status]).toEqual(['', exit.unseen]);
    expect(ran.stdout).toContain('No findings on 6 nodes.');
  });

  test('cron prints the report only when something is wrong, and finds kaiactl by the PATH of its file', () => {
    const [table = ''] = blocks('cron');
    const [, path = '', command = ''] = /^PATH=(.*)$[\s\S]*^15 4 \* \* \* kaiactl (.*)$/m.exec(table) ?? [];
    expect(path.split(':')).toContain('/usr/local/bin');
    expect(command).not.toContain('%');
    const cron = (code: number) =>
      spawnSync('sh', ['-c', `kaiactl() { echo "$3 report"; return ${code}; }\n${command}`], {
        encoding: 'utf8',
      }).stdout;
    expect([cron(exit.ok), cron(exit.failed)]).toEqual(['', '--inventory report\n']);
  });

  test('a program named parallel that is not GNU’s is left alone', () => {
    const bin = join(folder, 'moreutils');
    mkdirSync(bin);
    writeFileSync(join(bin, 'parallel'), '#!/bin/sh\necho "parallel: invalid option -- \'-\'" >&2\nexit 1\n');
    chmodSync(join(bin, 'parallel'), 0o755);
    vi.stubEnv('PATH', bin);
    expect(hasGnuParallel('nothing')).toBe(false);
    vi.unstubAllEnvs();
  });

  // Ansible takes ten seconds: npm run test:install runs it.
  test.skipIf(!isLong || !installed('ansible-playbook', 'the play in Ansible'))('Ansible', () => {
    writeFileSync(join(folder, 'audit.yml'), blocks('yaml')[0] ?? '');
    const local = 'ansible_connection=local ansible_become=false';
    const python = 'ansible_python_interpreter="{{ ansible_playbook_python }}"';
    writeFileSync(join(folder, 'hosts'), `[kaia_nodes]\nen-1 ${local} ${python}\nen-2 ${local} ${python}\n`);
    const ran = bash(ansible);
    expect(ran.stdout).toMatch(/en-1 +: ok=2 .*failed=0/);
    expect(ran.stdout).toContain('en-1: fixtures/demo/kend.conf');
    expect(ran.status).toBe(1);
  });
});

const schemas = publishedSchemas(
  'kubernetes_validate/kubernetes-json-schema',
  'the CronJobs against their published schema',
);
test.skipIf(schemas === null)('the CronJobs match their published schema', () => {
  const versions = readdirSync(schemas ?? '').filter((name) => name.endsWith('-local-strict'));
  const [newest = ''] = versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const errors = bySchema(join(schemas ?? '', newest), 'cronjob-batch-v1.json', ['_definitions.json']);
  const [, audits = '', merge = ''] = blocks('yaml');
  expect([audits, merge].map((text) => errors(parse(text)))).toEqual([[], []]);
  expect(errors(parse(audits.replace('completionMode: Indexed', 'completionMood: Indexed')))).not.toEqual([]);
});
