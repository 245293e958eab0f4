/** Edits outside of a conf: in the syntax of their source, with all that is around them as it was. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Finding } from '../../../src/node/facts/report.js';
import { seen } from '../../../src/node/facts/seen.js';
import { apply } from '../../../src/node/fix/edits.js';
import { factsOf } from '../judge/facts.js';
import { loadNodes } from '../load.js';
import { judgeTarget } from '../pipeline.js';

async function findings(name: string, text: string, nodeVersion?: string): Promise<readonly Finding[]> {
  const host = { cwd: '/', stdin: Readable.from([Buffer.from(text)]), signal: new AbortController().signal };
  const { nodes } = await loadNodes('-', { stdinFilename: name, nodeVersion }, host);
  return nodes.flatMap(
    ({ conf }) => judgeTarget({ ...factsOf(conf), conf: seen(conf) }, { failOn: 'high' }).findings,
  );
}

const compose = (rest: string) => `services:\n  en:\n    network_mode: host\n${rest}`;
const pod = (args: string) =>
  `apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: true\n  containers:\n    - command: [ken]\n      args:\n${args}`;
const unit = (words: string) => `[Service]\nExecStart=/usr/bin/ken --datadir /d ${words}\nRestart=always\n`;

/** What: file, text, rule, the line that changes, what it becomes (null: it goes; several lines: one is put in). */
test.each<[string, string, string, string, string, string | null]>([
  [
    'an item of a list, without quotes',
    'compose.yml',
    compose('    command:\n      - ken\n      - --rpc\n      - --rpcapi=eth,admin # ours\n'),
    'privileged-module',
    '      - --rpcapi=eth,admin # ours',
    '      - --rpcapi=eth # ours',
  ],
  [
    'an item of its own, in quotes',
    'pod.yaml',
    pod('        - --rpc\n        - --rpcapi\n        - "eth,personal"\n'),
    'privileged-module',
    '        - "eth,personal"',
    '        - "eth"',
  ],
  [
    'the star of a list in quotes',
    'pod.yaml',
    pod('        - --rpc\n        - --rpccorsdomain\n        - "*"\n'),
    'wildcard-cors',
    '        - "*"',
    '        - ""',
  ],
  [
    'a flow list',
    'compose.yml',
    compose('    command: ["ken", "--rpc", "--rpcapi", "eth,admin"]\n'),
    'privileged-module',
    '    command: ["ken", "--rpc", "--rpcapi", "eth,admin"]',
    '    command: ["ken", "--rpc", "--rpcapi", "eth"]',
  ],
  [
    'a flag of a flow list, with its comma',
    'Dockerfile',
    'FROM scratch\nENTRYPOINT ["ken", "--pprof", "--pprofaddr=0.0.0.0", "--verbosity", "3"]\n',
    'open-profiler',
    'ENTRYPOINT ["ken", "--pprof", "--pprofaddr=0.0.0.0", "--verbosity", "3"]',
    'ENTRYPOINT ["ken", "--pprofaddr=0.0.0.0", "--verbosity", "3"]',
  ],
  [
    'the last of a flow list, with the comma before it',
    'Dockerfile',
    'FROM scratch\nENTRYPOINT ["ken", "--pprofaddr=0.0.0.0", "--pprof"]\n',
    'open-profiler',
    'ENTRYPOINT ["ken", "--pprofaddr=0.0.0.0", "--pprof"]',
    'ENTRYPOINT ["ken", "--pprofaddr=0.0.0.0"]',
  ],
  [
    'an item that goes, with its line',
    'pod.yaml',
    pod('        - --pprof # look\n        - --pprofaddr=0.0.0.0\n'),
    'open-profiler',
    '        - --pprof # look',
    null,
  ],
  [
    'a word of a unit',
    'ken.service',
    unit('--rpc --rpcaddr 0.0.0.0 --rpcapi eth'),
    'public-bind',
    'ExecStart=/usr/bin/ken --datadir /d --rpc --rpcaddr 0.0.0.0 --rpcapi eth',
    'ExecStart=/usr/bin/ken --datadir /d --rpc --rpcaddr 127.0.0.1 --rpcapi eth',
  ],
  [
    'a word on a line that goes on',
    'ken.service',
    unit('--pprofaddr=0.0.0.0 \\\n  --pprof \\\n  --verbosity 3'),
    'open-profiler',
    '  --pprof \\',
    null,
  ],
  [
    'the word that ends what goes on',
    'start.sh',
    '#!/bin/sh\nexec ken --pprofaddr=0.0.0.0 \\\n  --pprof\necho done\n',
    'open-profiler',
    '  --pprof',
    ' ',
  ],
  [
    'a variable of a container',
    'compose.yml',
    compose('    command: ken --rpc\n    environment:\n      - KAIA_RPCAPI=eth,admin\n'),
    'privileged-module',
    '      - KAIA_RPCAPI=eth,admin',
    '      - KAIA_RPCAPI=eth',
  ],
  [
    'a line of a conf that a script writes',
    'start.sh',
    '#!/bin/sh\necho \'RPC_API="eth,admin"\' >> /klaytn-docker-pkg/conf/kend.conf\nkend start\n',
    'privileged-module',
    'echo \'RPC_API="eth,admin"\' >> /klaytn-docker-pkg/conf/kend.conf',
    'echo \'RPC_API="eth"\' >> /klaytn-docker-pkg/conf/kend.conf',
  ],
  [
    'a value of a YAML file',
    'kaia.yaml',
    'http-rpc:\n  enable: true\n  cors-domain: "*" # ours\n',
    'wildcard-cors',
    '  cors-domain: "*" # ours',
    '  cors-domain: "" # ours',
  ],
  [
    'an element on a line of its own',
    'compose.yml',
    compose('    command: [\n      "ken",\n      "--pprof",\n      "--pprofaddr=0.0.0.0"\n    ]\n'),
    'open-profiler',
    '      "--pprof",',
    null,
  ],
])('%s', async (_what, name, text, rule, line, after) => {
  const finding = (await findings(name, text)).find((one) => one.rule === rule);
  expect(finding).toMatchObject({ safety: 'unsafe' });
  const lines = text.split('\n').flatMap((one) => (one !== line ? [one] : after === null ? [] : [after]));
  expect(apply(text, finding?.edits ?? [])).toBe(lines.join('\n'));
});

test.each([
  [
    'behind an item',
    pod('        - --rpc\n        - "--rpcapi=eth,debug" # d\n'),
    '        - "--rpcapi=eth,debug" # d\n        - "--rpc.unsafe-debug.disable"\n',
    'pod.yaml',
  ],
  [
    'behind an element',
    compose("    command: ['ken', '--rpc', '--rpcapi=eth,debug' ]\n"),
    "'--rpcapi=eth,debug', '--rpc.unsafe-debug.disable' ]\n",
    'compose.yml',
  ],
  [
    'behind a word',
    unit('--rpc --rpcapi eth,debug'),
    '--rpcapi eth,debug --rpc.unsafe-debug.disable\n',
    'ken.service',
  ],
])('a flag is added, %s', async (_what, text, after, name) => {
  const alternative = async (nodeVersion?: string) => {
    const finding = (await findings(name, text, nodeVersion)).find(({ rule }) => rule === 'unsafe-debug');
    return finding?.alternatives?.[0];
  };
  expect(await alternative()).toMatchObject({
    edits: [],
    fix: expect.stringMatching(/came with klaytn v1\.10\.0/),
  });
  const more = await alternative('v1.12.1');
  expect(apply(text, more?.edits ?? [])).toContain(after);
});

test.each([
  [
    'a star without quotes, which nothing can take the place of',
    'ken.service',
    unit('--rpc --rpccorsdomain * --verbosity 3'),
    'wildcard-cors',
  ],
  [
    'an image, whose ports others publish',
    'Dockerfile',
    'FROM scratch\nENTRYPOINT ["ken", "--rpc", "--rpcaddr=0.0.0.0"]\n',
    'public-bind',
  ],
])('the fix is a sentence without edits: %s', async (_what, name, text, rule) => {
  const all = (await findings(name, text)).filter((one) => one.rule === rule);
  for (const one of all) expect(one).toMatchObject({ edits: [], safety: null });
});
