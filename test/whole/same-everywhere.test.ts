/** One argument list in every source of settings gives the same settings, each word at its place. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Settings } from '../../src/node/facts/settings.js';
import type { Span } from '../../src/node/facts/span.js';
import { kaia } from '../../src/node/kinds/kaia/index.js';
import { loadNodes } from '../node/load.js';
import { Random } from '../node/sources/random.js';
import { seed } from '../seed.js';

const count = Number(process.env.KAIACTL_TEST_COMMAND_LINES ?? 40);
const flags = kaia.flags.of('ken').flags.filter(({ name }) => name !== 'conf');
const shaping = flags.filter(({ name }) =>
  /^(?:rpc|ws|grpc|ipc|pprof|metrics|prometheus|unlock|mainbridge)/.test(name),
);

/** Words without blanks and quotes: a conf cannot carry others to the node. */
function word(random: Random): string {
  const alphabet = 'abcdehiklnoprstuwyz0159-_.,:/*=%@+~^[]{}#ü日'.split('');
  const modules = ['klay', 'eth', 'admin', 'debug', 'personal', 'net', 'Kaia', 'nosuch', ''];
  return random.weighted([
    [3, () => Array.from({ length: random.below(6) + 1 }, () => random.pick(modules)).join(',') || 'eth'],
    [
      2,
      () =>
        random.pick([
          '0.0.0.0',
          '127.0.0.1',
          '*',
          '8551',
          '0x10',
          '30s',
          'true',
          'false',
          '10.0.0.7',
          '[::]',
        ]),
    ],
    [2, () => Array.from({ length: random.below(12) + 1 }, () => random.pick(alphabet)).join('')],
  ])();
}

function fitting(type: string, random: Random): string {
  if (random.chance(0.03)) return word(random);
  if (type === 'bool') return random.pick(['true', 'false', '1', 'T']);
  if (type === 'duration') return random.pick(['30s', '1h2m', '0']);
  if (/int/.test(type) || type === 'float') return String(random.below(70_000));
  return word(random);
}

function flagWords(random: Random): string[] {
  const { name, aliases, type } = random.pick(random.chance(0.7) ? shaping : flags);
  const written = `${random.chance(0.1) ? '-' : '--'}${random.chance(0.15) ? random.pick([name, ...aliases]) : name}`;
  if (type === 'bool' && random.chance(0.8)) return [written];
  const value = fitting(type, random);
  return type === 'bool' || random.chance(0.5) ? [`${written}=${value}`] : [written, value];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const json = (words: readonly string[]) => JSON.stringify(words);

/** The same argument list, as each source writes it. */
const sources: Readonly<Record<string, (words: readonly string[], random: Random) => string>> = {
  'compose.yml': (words) =>
    `services:\n  en:\n    network_mode: host\n    command: ${json([['ken', ...words].map(quoted).join(' ').replaceAll('$', '$$$$')]).slice(1, -1)}\n`,
  'list.compose.yml': (words) =>
    `services:\n  en:\n    network_mode: host\n    entrypoint:\n${['ken', ...words].map((one) => `      - ${quoted(one).replaceAll("'\\''", "''")}\n`).join('')}`,
  'pod.yaml': (words) =>
    `apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: true\n  containers:\n    - command: [ken]\n      args:\n${words.map((one) => `        - ${JSON.stringify(one)}\n`).join('')}`,
  'ken.service': (words) =>
    `[Service]\nExecStart=/usr/bin/ken ${words.map((one) => quoted(one.replaceAll('%', '%%'))).join(' \\\n  ')}\n`,
  Dockerfile: (words) => `FROM scratch\nENTRYPOINT ["ken"]\nCMD ${json(words)}\n`,
  'start.sh': (words) => `#!/bin/sh\nexec ken ${words.map(quoted).join(' \\\n  ')}\n`,
  'command.txt': (words) => `ken --verbosity 3 ${words.map(quoted).join(' ')}\n`,
};

async function read(name: string, text: string): Promise<Settings> {
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal: new AbortController().signal };
  const { nodes, problems } = await loadNodes('-', { stdinFilename: name, launcher: 'kend' }, host);
  expect(problems).toEqual([]);
  expect(nodes).toHaveLength(1);
  return (nodes[0] as (typeof nodes)[number]).conf.settings;
}

/** What the settings say, wherever they stand. */
function said({ values, listeners, startable, problems, start }: Settings) {
  return {
    start: (start ?? []).map(({ text }) => text),
    values: Object.fromEntries(
      Object.entries(values).map(([name, { value, indeterminate }]) => [name, indeterminate ?? value]),
    ),
    listeners: listeners.map(({ listed, decidedBy, ...listener }) => ({
      ...listener,
      listed: listed?.map(({ name }) => name) ?? null,
    })),
    startable,
    problems: problems.filter(({ fatal }) => fatal).map(({ kind }) => kind),
  };
}

function textAt(text: string, { line, column, endLine, endColumn }: Span): string {
  const lines = text.split('\n').slice(line - 1, endLine);
  return lines.length === 1
    ? (lines[0] ?? '').slice(column - 1, endColumn - 1)
    : lines.join('\n').slice(column - 1);
}

/** The same words as a conf and as every other source writes them: the same settings, each word at its place. */
async function compare(run: number): Promise<void> {
  const random = new Random(seed * 1_000_003 + run);
  const own = Array.from({ length: random.below(8) + 1 }, () => flagWords(random)).flat();
  const conf = `NETWORK=mainnet\nDATA_DIR=/data\nADDITIONAL='${own.join(' ')}'\n`;
  const expected = await read('kend.conf', conf);
  const words = (expected.start ?? []).map(({ text }) => text ?? '');
  const before = said(expected);
  for (const [name, write] of Object.entries(sources)) {
    const text = write(words, random);
    const found = await read(name, text);
    const lead = name === 'command.txt' ? ['--verbosity', '3'] : [];
    const after = said(found);
    const context = `seed ${seed}, run ${run}, ${name}:\n${text}`;
    expect(after.start, context).toEqual([...lead, ...before.start]);
    if (lead.length === 0) expect(after, context).toEqual(before);
    else expect({ ...after.listeners }, context).toEqual({ ...before.listeners });
    for (const { text: word, at } of found.start ?? []) {
      if (word === null || at === null || /['%\\$"]/.test(word)) continue;
      expect(textAt(text, at), context).toBe(word);
    }
  }
}

// Few a test, so that what breaks one is met early; a few tens of milliseconds each, on a slow machine.
const each = Math.max(5, Math.ceil(count / 100));
const first = Array.from({ length: Math.ceil(count / each) }, (_, at) => at * each);

test.each(first)(
  'argument lists are the same settings in every source, each word at its place: from the %dth',
  async (from) => {
    for (let run = from; run < Math.min(from + each, count); run++) await compare(run);
  },
  30_000 + each * 100,
);
