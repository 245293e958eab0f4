/** Flags that no release known here has, and words that the node refuses: they hide nothing, in no kind of source. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Conf } from '../../../../src/node/facts/facts.js';
import type { Finding, TargetReport } from '../../../../src/node/facts/report.js';
import { seen } from '../../../../src/node/facts/seen.js';
import { compareSeverity, mostSevere } from '../../../../src/node/facts/severity.js';
import { isLong, seed, shareOf } from '../../../seed.js';
import { readConf } from '../../editables.js';
import { loadNodes } from '../../load.js';
import { judgeTarget } from '../../pipeline.js';
import { Random } from '../random.js';

function judged(conf: Conf): TargetReport {
  const facts = {
    name: 'node',
    role: null,
    conf: seen(conf),
    live: null,
    gatheredAt: '2026-01-01T00:00:00Z',
  };
  return judgeTarget(facts, { failOn: 'high', edits: 'none' });
}

async function read(name: string, text: string): Promise<Conf> {
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal: new AbortController().signal };
  const { nodes } = await loadNodes('-', { stdinFilename: name, launcher: 'kend' }, host);
  expect(nodes).toHaveLength(1);
  return nodes[0]?.conf as Conf;
}

const additional = (words: string): Conf =>
  readConf('kend.conf', Buffer.from(`NETWORK=mainnet\nDATA_DIR=/d\nADDITIONAL="${words}"\n`));

const list = (words: string): string => JSON.stringify(words.split(' '));

const sources: Readonly<Record<string, (words: string) => Conf | Promise<Conf>>> = {
  'kend.conf': additional,
  'compose.yml': (words) =>
    read(
      'compose.yml',
      `services:\n  en:\n    network_mode: host\n    entrypoint: ken\n    command: ${list(words)}\n`,
    ),
  'pod.yaml': (words) =>
    read(
      'pod.yaml',
      `apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: true\n  containers:\n    - command: [ken]\n      args: ${list(words)}\n`,
    ),
  'ken.service': (words) => read('ken.service', `[Service]\nExecStart=/usr/bin/ken ${words}\n`),
  Dockerfile: (words) => read('Dockerfile', `FROM scratch\nENTRYPOINT ["ken"]\nCMD ${list(words)}\n`),
  'start.sh': (words) => read('start.sh', `#!/bin/sh\nexec ken ${words}\n`),
  'command.txt': (words) => read('command.txt', `ken ${words}\n`),
};

const open = '--rpc --rpcaddr 0.0.0.0 --rpcvhosts localhost';
const personal = '--rpcapi klay,personal';

/** The words, the kinds of what is wrong with them, and whether the start is refused for certain. */
const rows: readonly (readonly [string, readonly string[], boolean])[] = [
  [`${open} --brand-new 3 ${personal}`, ['unknown-flag'], false],
  [`${open} --brand-new=3 ${personal}`, ['unknown-flag'], false],
  [`--brand-new 3 ${open} ${personal}`, ['unknown-flag'], false],
  [`--brand-new ${open} ${personal}`, ['unknown-flag'], false],
  [
    `-brand-new ${open} -other 3 ${personal} --third`,
    ['unknown-flag', 'unknown-flag', 'unknown-flag'],
    false,
  ],
  [`${open} --first --second --third ${personal}`, ['unknown-flag', 'unknown-flag', 'unknown-flag'], false],
  [`${open} ${personal} --brand-new --rpcapi=klay --typo`, ['unknown-flag', 'unknown-flag'], false],
  [`${open} ${personal} --brand-new --other --rpcapi=klay`, ['unknown-flag', 'unknown-flag'], false],
  [`--rpcaddr 0.0.0.0 ${personal} --brand-new --verbosity --rpc`, ['unknown-flag', 'bad-value'], true],
  [`${open} --subbridgeport 5 ${personal}`, ['unknown-flag'], false],
  [`${open} --port abc ${personal}`, ['bad-value'], true],
  [`${open} --port --rpcapi=klay,personal`, ['bad-value'], true],
  [`${open} ---x ${personal}`, ['bad-syntax'], true],
  [`${open} ---rpcapi klay,personal`, ['bad-syntax'], true],
  [`--rpc true --rpcaddr 0.0.0.0 ${personal}`, ['stray-word'], true],
  [`--rpc=yes --rpcaddr 0.0.0.0 ${personal}`, ['bad-value'], true],
  [`${open} stray words here ${personal}`, ['stray-word'], true],
  [`${open} -- ${personal}`, ['stray-word'], true],
  [`${open} ${personal} -- --rpcapi klay`, ['stray-word'], true],
  [`${personal} -- ${open}`, ['stray-word'], true],
  [`--help ${open} ${personal}`, ['ending-flag'], true],
  [`${open} ${personal} --rpcapi`, ['missing-value'], true],
  [`${open} ${personal} --http-rpc.api klay`, ['conflicting-flags'], true],
  [`--rpc --rpcaddr 0.0.0.0:8551 ${personal}`, ['bad-value'], true],
];

const cases = rows.flatMap((row) => Object.keys(sources).map((kind) => [kind, ...row] as const));

describe('a start with such a word', () => {
  test.each(shareOf(3, cases))('in %s: %s', async (kind, words, kinds, refused) => {
    const conf = (await sources[kind]?.(words)) as Conf;
    expect(conf.settings.problems.map((one) => one.kind)).toEqual(kinds);
    expect(conf.settings.startable).toBe(false);
    const { findings, verdict } = judged(conf);
    expect(verdict).toBe('fail');
    const [worst, ...others] = findings.filter(({ rule }) => rule === 'privileged-module');
    expect([worst?.severity, worst?.subject, others]).toEqual(['critical', 'http personal', []]);
    expect(worst?.message.includes('once it starts')).toBe(refused);
  });
});

test('a switch that closes something may be taken for the value of the flag before it, or be meant off', () => {
  const debug = `${open} --rpcapi klay,debug`;
  const said = (words: string) =>
    judged(additional(words)).findings.flatMap(({ rule, severity, message }) =>
      rule === 'unsafe-debug' ? `${severity} ${/^When [^:]*/.exec(message)?.[0] ?? ''}` : [],
    );
  expect(said(`${debug} --rpc.unsafe-debug.disable`)).toEqual(['medium ']);
  expect(said(`${debug} --brand-new --rpc.unsafe-debug.disable`)).toEqual([
    'critical When --brand-new takes a value',
  ]);
  expect(said(`${debug} --brand-new=1 --rpc.unsafe-debug.disable`)).toEqual(['medium ']);
  expect(said(`${debug} --brand-new 1 --rpc.unsafe-debug.disable`)).toEqual(['medium ']);
  expect(said(`${debug} --brand-new --rpc.unsafe-debug.disable false`)).toEqual([
    'critical When --rpc.unsafe-debug.disable gets false',
  ]);
  expect(said(`${debug} --rpc.unsafe-debug.disable=yes`)).toEqual(['critical ']);
});

const others = ['--brand-new', '-other', '--third.flag', '--fourth'];

function options(random: Random): string[][] {
  const lists = ['klay', 'eth', 'klay,personal', 'admin', 'debug', 'klay,txpool', 'governance'];
  const one = (): string[] =>
    random.weighted<() => string[]>([
      [3, () => [`--rpcapi=${random.pick(lists)}`]],
      [2, () => ['--rpcapi', random.pick(lists)]],
      [3, () => [`--rpcaddr=${random.pick(['0.0.0.0', '127.0.0.1', '10.0.0.1'])}`]],
      [1, () => [random.pick(['--rpc', '--rpc=false', '--ws', '--grpc', '--rpc.unsafe-debug.disable'])]],
      [1, () => [`--rpccorsdomain=${random.pick(['*', 'https://a.example'])}`]],
      [1, () => [`--unlock=${random.pick(['0', '0x0', ''])}`]],
      [1, () => ['--identity', random.pick(['a', '--rpc'])]],
    ])();
  return [['--rpc'], ...Array.from({ length: 1 + random.below(6) }, one)];
}

const rounds = Number(process.env.KAIACTL_TEST_COMMAND_LINES ?? (isLong ? 40 : 15));
const severities = (findings: readonly Finding[]) =>
  mostSevere(['info', ...findings.map((one) => one.severity)]);

test(`unknown flags anywhere in ${rounds} command lines: nothing is less severe, and no reading is worse`, () => {
  for (let round = 0; round < rounds; round += 1) {
    const random = new Random(seed * 31_000_003 + round);
    const given = options(random);
    const extended = given.flatMap((option) => {
      if (random.chance(0.55)) return [option];
      return [[random.pick(others), ...(random.chance(0.2) ? ['3'] : [])], option];
    });
    const words = extended.flat();
    const report = judged(additional(words.join(' ')));
    const told = `KAIACTL_TEST_SEED=${seed}, round ${round}: ${words.join(' ')}`;
    const without = judged(additional(given.flat().join(' ')));
    expect(
      compareSeverity(severities(report.findings), severities(without.findings)),
      told,
    ).toBeLessThanOrEqual(0);
    for (const reading of readingsOf(words)) {
      const conf = additional(reading.join(' '));
      if (conf.settings.problems.some(({ kind }) => kind === 'stray-word')) continue;
      for (const { rule, subject, severity } of judged(conf).findings) {
        if (!/^(?:privileged-module|unsafe-debug|unlocked-account)$/.test(rule)) continue;
        const ours = report.findings.filter((one) => one.rule === rule && one.subject === subject);
        expect(
          [ours.length, told, rule, subject, reading.join(' ')].slice(0, 1),
          `${told}: ${reading.join(' ')}: ${rule} ${subject}`,
        ).toEqual([1]);
        expect(
          // Beside a graver one a finding is low at most.
          severity === 'medium' ? 0 : compareSeverity(ours[0]?.severity ?? 'info', severity),
          `${told}: ${reading.join(' ')}: ${subject}`,
        ).toBeLessThanOrEqual(0);
      }
    }
  }
});

/** Every way to read the unknown flags among the words: what is left of the words then. */
function readingsOf(words: readonly string[], at = 0): string[][] {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined) return [[]];
  if (!others.includes(word)) {
    const size = /^--(?:rpcapi|identity)$/.test(word) ? 2 : 1;
    return readingsOf(words, at + size).map((rest) => [...words.slice(at, at + size), ...rest]);
  }
  return [...readingsOf(words, at + 1), ...(next === undefined ? [] : readingsOf(words, at + 2))];
}

test('any number of unknown flags is read in one pass', () => {
  const words = Array.from(
    { length: 300 },
    (_, at) => `--new${at} --rpcapi=${at % 2 === 0 ? 'klay' : 'personal'}`,
  );
  const { findings } = judged(additional(`${open} ${words.join(' ')} --last --rpcapi=klay`));
  const messages = findings.filter(({ rule }) => rule === 'privileged-module').map(({ message }) => message);
  expect(messages).toEqual([
    expect.stringMatching(/^When --new0 takes a value, .* and 298 more: http offers personal/),
  ]);
  expect(findings.filter(({ rule }) => rule === 'unknown-flag')).toHaveLength(50);
});

test('a finding in another reading fails its check; a flag of another release never passes', () => {
  const target = judged(additional(`${open} ${personal} --brand-new --rpcapi=klay`));
  expect(target.checks).toContainEqual({ rule: 'privileged-module', verdict: 'fail' });
  const blind = (words: string) => {
    const { verdict, undetermined, findings } = judged(additional(words));
    return [verdict, ...findings.map(({ severity }) => severity), ...undetermined.map(({ rule }) => rule)];
  };
  expect(blind(`${open} --rpcapi klay --rpc.brand-new`)).toEqual([
    'undetermined',
    'medium',
    'medium',
    'unknown-flag',
  ]);
  expect(blind('--rpc --rpcapi klay --rpc.brand-new')).toEqual(['undetermined', 'medium', 'unknown-flag']);
  // Whatever it does, it opens no interface.
  expect(blind('--rpc --rpcapi klay --brand-new')).toEqual(['pass', 'medium']);
  expect(blind(`${open} --rpcapi klay,brandnew`)).toEqual([
    'undetermined',
    'medium',
    'low',
    'unknown-module',
  ]);
  const [twice] = judged(additional('--rpc --rpcapi klay --ws.brand-new --ws.brand-new')).undetermined;
  expect(twice?.reason.split('--ws.brand-new')).toHaveLength(2);
  expect(blind('--rpc --rpcapi klay,brandnew')).toEqual(['undetermined', 'low', 'unknown-module']);
  expect(blind('--rpc --rpcapi klay,admim')).toEqual(['undetermined', 'medium', 'unknown-module']);
  const conf = (lines: string) => {
    const text = `NETWORK=mainnet\nDATA_DIR=/d\nRPC_BRAND_NEW=1\nRPC_ENABLE=1\nRPC_API=klay\n${lines}\n`;
    const { verdict, findings } = judged(readConf('kend.conf', Buffer.from(text)));
    return [verdict, findings.find(({ rule }) => rule === 'unknown-setting')?.severity];
  };
  expect(conf('RPC_ADDR=0.0.0.0')).toEqual(['undetermined', 'medium']);
  expect(conf('RPC_ADDR=127.0.0.1')).toEqual(['undetermined', 'low']);
});
