/** What is measured at many sizes: confs, inventories, members and journals. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, type FakeGroup, serve, serveChain, survey } from '../survey/fake.js';
import { kaiactl } from './program.js';

/** A command on inputs of growing size. */
export interface Curve {
  readonly title: string;
  readonly unit: string;
  /** As a user would type it. */
  readonly command: string;
  readonly sizes: readonly number[];
  /** How often each size is measured. */
  readonly rounds: number;
  /** Writes the input to an empty folder; `run` is timed, then `close` is called. */
  prepare(size: number, folder: string): Promise<{ run(): Promise<unknown>; close?(): Promise<unknown> }>;
}

/** A tenth and more of the largest. */
const upTo = (most: number, tenths = [1, 2, 4, 6, 8, 10]): number[] =>
  tenths.map((tenth) => Math.round((most * tenth) / 10));
/** For what takes long. */
const fewer = [1, 4, 7, 10];

const conf: Curve = {
  title: 'a conf',
  unit: 'bytes',
  command: 'kaiactl node lint node.conf',
  sizes: [1 << 10, ...upTo(1 << 18)],
  rounds: 3,
  async prepare(size, folder) {
    const file = join(folder, 'kend.conf');
    const note = (n: number) => `NOTE_${n}="written for line ${n}"\n`;
    const demo = readFileSync('fixtures/demo/kend.conf', 'utf8');
    let text = demo.length < size ? demo : '';
    for (let n = 0; text.length + note(n).length <= size; n++) text += note(n);
    writeFileSync(file, text);
    return {
      run: () => kaiactl(folder, ['node', 'lint', file, '--format', 'json', '--quiet', '--exit-zero']),
    };
  },
};

/** A lint of a file that starts `size` nodes. */
const source = (title: string, name: string, head: string, node: (at: number) => string): Curve => ({
  title,
  unit: 'nodes',
  command: `kaiactl node lint ${name}`,
  sizes: [10, 20, 40, 80],
  rounds: 2,
  async prepare(size, folder) {
    const file = join(folder, name);
    writeFileSync(file, `${head}${Array.from({ length: size }, (_, at) => node(at)).join('')}`);
    return {
      run: () => kaiactl(folder, ['node', 'lint', file, '--format', 'json', '--quiet', '--exit-zero']),
    };
  },
});

const words = '--datadir /d --rpc --rpcaddr 0.0.0.0 --rpcapi eth,admin --rpcvhosts a';
const yamlWords = `["${words.replaceAll(' ', '", "')}"]`;
const sources: readonly Curve[] = [
  source(
    'a compose file',
    'compose.yml',
    'services:\n',
    (at) => `  en-${at}:\n    image: kaiachain/kaia\n    command: [ken, ${yamlWords.slice(1)}\n`,
  ),
  source(
    'a manifest of Kubernetes',
    'nodes.yaml',
    '',
    (at) =>
      `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: en-${at}}\nspec:\n  template:\n    spec:\n      containers:\n        - name: en\n          image: kaiachain/kaia\n          command: [ken]\n          args: ${yamlWords}\n`,
  ),
  source('a script', 'start.sh', '#!/bin/sh\n', (at) => `ken ${words} --rpcport ${9000 + at} &\n`),
  source(
    'a unit of systemd',
    'supervisord.conf',
    '',
    (at) => `[program:en-${at}]\ncommand=/usr/bin/ken ${words}\n`,
  ),
  source(
    'tasks of Ansible',
    'tasks.yml',
    '',
    (at) => `- name: start ${at}\n  ansible.builtin.shell: ken ${words} --rpcport ${9000 + at}\n`,
  ),
];

const inventory: Curve = {
  title: 'an inventory, read and planned',
  unit: 'nodes',
  command: 'kaiactl node audit --inventory fleet.ini --plan',
  sizes: upTo(80_000),
  rounds: 3,
  async prepare(size, folder) {
    const file = join(folder, 'fleet.ini');
    const sections = Array.from(
      { length: size },
      (_, n) => `[en-${n}]\nrpc = http://127.0.0.1:${1024 + (n % 60_000)}\n`,
    );
    writeFileSync(file, sections.join(''));
    return { run: () => kaiactl(folder, ['node', 'audit', '--inventory', file, '--plan']) };
  },
};

const list = (count: number): string[] =>
  Array.from({ length: count }, (_, n) =>
    BigInt(`0x${createHash('sha256').update(String(n)).digest('hex').slice(0, 62)}`).toString(),
  );

/** An API and a chain that have the members. */
async function group(
  count: number,
): Promise<{ members: string[]; words: string[]; group: FakeGroup; close(): Promise<unknown> }> {
  const members = list(count);
  const answer = data({ members, groupId: '0' });
  const found: FakeGroup = { groupId: 0n, root: 0n, members };
  const [api, chain] = [await serve(() => answer), await serveChain(found)];
  return {
    members,
    words: ['--api-url', api.url, '--quiet', '--rpc-url', chain.url],
    group: found,
    close: () => Promise.all([api.close(), chain.close()]),
  };
}

const members: Curve = {
  title: 'a list of members',
  unit: 'members',
  command: 'kaiactl survey members <survey>',
  sizes: upTo(200_000),
  rounds: 3,
  async prepare(size, folder) {
    const { words, close } = await group(size);
    return { run: () => kaiactl(folder, ['survey', 'members', survey, ...words]), close };
  },
};

const roots: Curve = {
  title: 'the root of a list, for the first time',
  unit: 'members',
  command: 'kaiactl survey members <survey> --format json',
  sizes: upTo(200_000, fewer),
  rounds: 1,
  async prepare(size, folder) {
    const { words, close } = await group(size);
    return { run: () => kaiactl(folder, ['survey', 'members', survey, '--format', 'json', ...words]), close };
  },
};

const verified: Curve = {
  title: 'a list verified again',
  unit: 'members',
  command: 'kaiactl survey members <survey> --verify --count',
  sizes: upTo(200_000, fewer),
  rounds: 3,
  async prepare(size, folder) {
    const { words, group: found, close } = await group(size);
    const out = join(folder, 'out');
    await kaiactl(folder, ['survey', 'members', survey, '--format', 'json', ...words]);
    found.root = BigInt((JSON.parse(readFileSync(out, 'utf8')) as { root: string }).root);
    return {
      run: () => kaiactl(folder, ['survey', 'members', survey, '--verify', '--count', ...words]),
      close,
    };
  },
};

const journal: Curve = {
  title: 'a journal taken up again',
  unit: 'joins',
  command: 'kaiactl survey join <survey> --batch joins.ndjson --journal journal --dry-run',
  sizes: upTo(200_000),
  rounds: 3,
  async prepare(size, folder) {
    const { members, words, close } = await group(size);
    const file = (name: string, lines: readonly object[]) => {
      writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
        mode: 0o600,
      });
      return join(folder, name);
    };
    const batch = file(
      'joins.ndjson',
      members.map((commitment) => ({ commitment })),
    );
    const entries = members.flatMap((commitment, index) => [
      { commitment, state: 'submitting', at: 1 },
      { commitment, state: 'listed', at: 2, index, transaction: `0x${'0'.repeat(64)}` },
    ]);
    const kept = file('journal', [{ journal: 'kaiactl/join-1', survey }, ...entries]);
    const common = ['--id-token-file', join(folder, 'token'), '--key-file', join(folder, 'key'), '--dry-run'];
    return {
      run: () =>
        kaiactl(folder, ['survey', 'join', survey, '--batch', batch, '--journal', kept, ...common, ...words]),
      close,
    };
  },
};

export const curves: readonly Curve[] = [conf, ...sources, inventory, members, roots, verified, journal];
