/** What is a secret by its name or its place stands in no output: a canary is planted in every kind of source. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { formats } from '../../src/node/report/index.js';
import { Random } from '../node/sources/random.js';
import { childNode, closeChildren } from '../peers/child-node.js';
import { kaiactl } from '../peers/run.js';
import { isLong, seed, shareOf } from '../seed.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-redaction-'));
afterAll(async () => {
  await closeChildren();
  rmSync(folder, { recursive: true, force: true });
});

const random = new Random(seed);
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789_-';
const canary = `c4${Array.from({ length: 6 + random.below(30) }, () => letters[random.below(letters.length)]).join('')}x`;
const url = random.pick([
  `https://up.example/${canary}`,
  `https://up.example:8443/v3/${canary}/rpc`,
  `wss://up.example/ws?key=${canary}`,
  `https://up.example?apikey=${canary}&x=1`,
  `https://up.example/#${canary}`,
]);
const open = ['--rpc', '--rpcapi', 'admin', '--rpcaddr', '0.0.0.0'];
/** Words of a command line that hold a secret each. */
const planted: readonly (readonly string[])[] = [
  ['--upstream-en', url],
  [`--upstream-en=${url}`],
  ['--brand-api-token', canary],
  [`--brand-password=${canary}`],
  ['--x.secret', canary],
  [`--signing-key=${canary}`],
  [`--kas.secretkey`, canary],
  ['--brand-passphrase', canary, '--rpcport', '8551'],
];
/** Variables that hold one. */
const variables: readonly (readonly [string, string])[] = [
  ['KAIA_UPSTREAM_EN', url],
  ['KLAYTN_BRAND_TOKEN', canary],
  ['BRAND_PASSWORD', canary],
  ['SIGNING_KEY', canary],
  ['UPSTREAM_URL', url],
  ['MY_API_KEY', canary],
];

const quoted = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(', ');
const confOf = (lines: string) => `RPC_ENABLE=1\nRPC_API=admin\nRPC_ADDR=0.0.0.0\n${lines}\n`;

/** Each kind of file, with the words or the variable in it. */
const files: readonly (readonly [string, string])[] = [
  ...planted.flatMap((words): (readonly [string, string])[] => {
    const all = [...open, ...words, '--no-such-flag', 'x'];
    return [
      ['kend.conf', confOf(`ADDITIONAL="${words.join(' ')}"`)],
      ['start.sh', `#!/bin/sh\nken ${all.join(' ')}\n`],
      ['long.sh', `#!/bin/sh\nken ${all.join(' \\\n  ')}\n`],
      ['quoted.sh', `#!/bin/sh\nken ${all.map((word) => `'${word}'`).join(' ')}\n`],
      ['Dockerfile', `FROM kaia\nENTRYPOINT [${quoted(['ken', ...all])}]\n`],
      ['node.service', `[Service]\nExecStart=/usr/bin/ken ${all.join(' ')}\n`],
      ['compose.yaml', `services:\n  en:\n    image: kaia\n    command: [${quoted(['ken', ...all])}]\n`],
      [
        'compose.yml',
        `services:\n  en:\n    image: kaia\n    command:\n${['ken', ...all].map((word) => `      - "${word}"\n`).join('')}`,
      ],
      [
        'plain/compose.yml',
        `services:\n  en:\n    image: kaia\n    command:\n${['ken', ...all].map((word) => `      - ${word}\n`).join('')}`,
      ],
      [
        'pod.yaml',
        `kind: Pod\napiVersion: v1\nmetadata: {name: x}\nspec:\n  containers:\n  - name: en\n    args:\n${all.map((word) => `    - ${word}\n`).join('')}    command: [ken]\n`,
      ],
    ];
  }),
  ...variables.flatMap(([name, value]): (readonly [string, string])[] => [
    ['kend.conf', confOf(`${name}=${value}`)],
    ['quoted/kend.conf', confOf(`export ${name}="${value}"\n${name} = "${value}"`)],
    ['start.sh', `#!/bin/sh\nexport ${name}=${value}\n${name}=${value} ken ${open.join(' ')}\n`],
    ['node.env', `KAIA_RPC=true\nKAIA_RPCAPI=admin\n${name}=${value}\n`],
    ['node.service', `[Service]\nEnvironment="${name}=${value}"\nExecStart=/usr/bin/ken ${open.join(' ')}\n`],
    ['Dockerfile', `FROM kaia\nENV ${name}=${value}\nENTRYPOINT [${quoted(['ken', ...open])}]\n`],
    [
      'compose.yaml',
      `services:\n  en:\n    image: kaia\n    environment:\n      ${name}: ${value}\n    command: [${quoted(['ken', ...open])}]\n`,
    ],
    [
      'list/compose.yaml',
      `services:\n  en:\n    image: kaia\n    environment: ["${name}=${value}"]\n    command: [${quoted(['ken', ...open])}]\n`,
    ],
    [
      'pod.yaml',
      `kind: Pod\napiVersion: v1\nmetadata: {name: x}\nspec:\n  containers:\n  - name: en\n    env:\n    - name: ${name}\n      value: ${value}\n    command: [${quoted(['ken', ...open])}]\n`,
    ],
  ]),
  [
    'node.yaml',
    `rpc: true\nrpcapi: admin\nrpcaddr: 0.0.0.0\nupstream-en: ${url}\nbrand-token: ${canary}\nsigning-key: "${canary}"\n`,
  ],
];

/** In a short run a tenth of the files, which the seed chooses, meet lint and one other command each. */
const chosenFiles = files
  .map(([name, text], at) => [at, name, text] as const)
  .filter(([at]) => isLong || (at + Math.floor(at / 9)) % 10 === seed % 10);

/** Each format into a file; text also goes to stdout. */
const reports = Object.keys(formats).map((format) => [format, join(folder, `report.${format}`)] as const);
const facts = join(folder, 'facts.json');

/** All that commands about one file print, and write to files. */
async function outputsOf(path: string, turn: number): Promise<Record<string, string>> {
  const lint = reports.flatMap(([format, file]) => ['--report', `${format}=${file}`]);
  const others = [
    ['node', 'lint', '--diff', path],
    ['node', 'settings', path],
    ['node', 'settings', '--format', 'json', path],
    ...['nginx', 'caddy', 'nftables', 'systemd', 'compose'].map((what) => [
      'node',
      'harden',
      '--for',
      what,
      path,
    ]),
    ['node', 'audit', path, '--timeout', '200ms', '--save-facts', facts, 'http://127.0.0.1:1'],
  ];
  const outputs: Record<string, string> = {};
  const chosen = others.filter((_, at) => isLong || at === turn % others.length);
  for (const command of [['node', 'lint', '--verbose', ...lint, path], ...chosen]) {
    const { stdout, stderr } = await kaiactl(command, { cwd: folder });
    outputs[command.join(' ')] = stdout + stderr;
  }
  for (const [format, file] of reports) outputs[format] = readFileSync(file, 'utf8');
  if (existsSync(facts)) outputs.facts = readFileSync(facts, 'utf8');
  return outputs;
}

describe('no output contains a secret', () => {
  test.each(chosenFiles)('%i %s', async (at, name, text) => {
    const path = join(folder, String(at), name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    expect(text).toContain(canary);
    const outputs = await outputsOf(path, at + Math.floor(at / 9));
    const leaks = Object.entries(outputs).flatMap(([from, output]) =>
      output.split('\n').flatMap((line) => (line.includes(canary) ? [[from, line]] : [])),
    );
    expect(leaks).toEqual([]);
    if (text.includes('up.example') && !/\d\/(?:quoted\/)?kend.conf|Dockerfile/.test(path))
      expect(Object.values(outputs).some((one) => one.includes('up.example'))).toBe(true);
  });

  test.each(
    shareOf(
      4,
      planted.map((words) => [words[0], words] as const),
    ),
  )('of a running process: %s', async (_, words) => {
    const { pid } = await childNode(['127.0.0.1:0'], [...open, ...words]);
    for (const format of ['text', 'json', 'html']) {
      const { stdout, stderr } = await kaiactl(['node', 'audit', '--format', format, `pid:${pid}`]);
      expect((stdout + stderr).includes(canary)).toBe(false);
    }
  });
});

test('a file of a key that a script prints is not read', async () => {
  const place = join(folder, 'printed');
  mkdirSync(place);
  writeFileSync(join(place, 'nodekey'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
  writeFileSync(join(place, 'start.sh'), '#!/bin/sh\nexec ken --nodekeyhex $(cat nodekey)\n', {
    mode: 0o600,
  });
  const { stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json'], { cwd: place });
  const [target] = (JSON.parse(stdout) as Report).targets;
  expect(target?.files).toEqual(['start.sh']);
  expect(target?.findings.filter(({ rule }) => rule === 'secret-in-conf')).toEqual([]);
});
