/** A script with a start that is followed, and beside it a part that may be another start: each is accounted for by its place. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../offline.js';

const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-open-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The places of open questions, and the exit code. */
async function openIn(script: string): Promise<{ places: string[]; code: number }> {
  const folder = mkdtempSync(join(scratch, 'x-'));
  writeFileSync(join(folder, 'run.sh'), `#!/bin/bash\n${script}`);
  const { code, out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  const { targets } = JSON.parse(out) as { targets: { undetermined: { rule: string; reason: string }[] }[] };
  const open = targets.flatMap(({ undetermined }) => undetermined);
  const places = open.flatMap(({ rule, reason }) =>
    rule === 'unfollowed-start' ? (/^run\.sh:\d+(?::\d+)|\d+ more places?/g.exec(reason) ?? []) : [],
  );
  return { places, code };
}

const followed = 'geth --datadir /d --http --http.addr 127.0.0.1 --http.api eth';

test.each([
  ['docker run -d -P my-geth --rpc --rpcaddr 0.0.0.0 --rpcapi personal', 32],
  ['/opt/node/bin/l2node --http --http.addr 0.0.0.0 --http.api admin', 29],
  ['kubectl run x --image=my-geth -- --http --http.api eth,admin', 41],
  ['ssh host "./start --http --http.api admin"', 26],
  ['/opt/l2node --http.api=admin', 13],
])('%s beside a start that is followed is an open question', async (line, column) => {
  const { places, code } = await openIn(`${followed}\n${line}\n`);
  expect([places, code]).toEqual([[`run.sh:3:${column}`], 3]);
});

test('a command behind another one of its line, and flags in a variable that no start reads, are open questions', async () => {
  expect((await openIn(`${followed} & /opt/l2node --http.addr 0.0.0.0 --http.api eth\n`)).places).toEqual([
    'run.sh:2:77',
  ]);
  const variable = 'OPTS="--http.addr 0.0.0.0 --http.api eth"\n/opt/l2node $OPTS\n';
  expect((await openIn(`${followed}\n${variable}`)).places).toEqual(['run.sh:3:7']);
});

test.each([
  ['a comment', '# l2node --http.addr 0.0.0.0 --http.api admin'],
  ['one flag', '/opt/health --http.addr 0.0.0.0'],
  ['a pattern', 'pgrep -f "l2node --http.addr 0.0.0.0 --http.api" && exit 1'],
  ['a replacement', "sed -i 's/--http.addr 0.0.0.0 --http.api/--http/' /etc/other"],
  ['a text over several lines', 'echo "usage:\n  l2node --http.addr 0.0.0.0 --http.api admin\n"'],
  ['a here-document', 'cat >&2 <<X\nusage: l2node --http.addr 0.0.0.0 --http.api admin\nX'],
  ['a help', 'help() {\n  cat <<X\nl2node --http.addr 0.0.0.0 --http.api eth\nX\n}\n[ -n "$1" ] || help'],
  ['a usage on one line', "usage() { echo 'l2node --http.addr 0.0.0.0 --http.api eth'; }\nusage"],
  ['a branch', `if [ "$NET" = a ]; then\n  geth --sepolia --http.addr ::1 --http.api eth\nfi\n${followed}`],
  ['a function', 'up() {\n  geth --sepolia --http --http.addr ::1 "$@"\n}\nup --http.api eth'],
  ['a variable', 'OPTS="--http --http.addr ::1"\nOPTS="$OPTS --http.api eth"\ngeth --sepolia $OPTS'],
  ['a command', 'O="--http.addr ::1 --http.api eth"\nC="geth --sepolia --http $O"\neval "$C"'],
  ['an array', 'A=(\n  --http\n  --http.addr ::1\n)\ngeth --sepolia "${A[@]}" --http.api eth'],
])('%s beside a start that is followed is no open question', async (_, lines) => {
  expect((await openIn(`${lines}\n${followed}\n`)).places).toEqual([]);
});

test.each([
  [
    'geth.service',
    `[Service]\nExecStartPre=/opt/l2node --http.addr 0.0.0.0 --http.api admin\nExecStart=/bin/${followed}\n`,
  ],
  [
    'Dockerfile',
    `FROM ethereum/client-go:v1.13.15\nRUN /opt/l2node --http.addr 0.0.0.0 --http.api admin\nENTRYPOINT ${followed}\n`,
  ],
])('a start beside that of a %s is an open question', async (name, text) => {
  const folder = mkdtempSync(join(scratch, 'x-'));
  writeFileSync(join(folder, name), text);
  const { code, out } = await run(['node', 'lint', '.', '--format', 'concise'], { cwd: folder });
  expect([code, out]).toEqual([
    3,
    expect.stringMatching(new RegExp(`^${name}:2:\\d+ undetermined unfollowed-start `, 'm')),
  ]);
});

test('a start in a command that bash cannot read says where bash stops, and the start above it is judged', async () => {
  const broken = 'if [ "$A" ]; then\n  geth --http --http.addr ::1 --http.api admin\nelse\n\nfi\n';
  const folder = mkdtempSync(join(scratch, 'x-'));
  const said = async (script: string) => {
    writeFileSync(join(folder, 'run.sh'), script);
    const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
    const { targets } = JSON.parse(out) as {
      targets: { verdict: string; undetermined: { reason: string }[] }[];
    };
    return targets.flatMap(({ verdict, undetermined }) => [
      verdict,
      ...undetermined.map(({ reason }) => reason),
    ]);
  };
  const stops =
    'in a way that is not followed, with --http --http.addr ::1 --http.api admin: bash stops at line 5 (unexpected fi). Correct the line, or';
  expect(await said(broken)).toEqual(['undetermined', expect.stringContaining(stops)]);
  expect(await said(`${followed}\n${broken}`)).toEqual([
    'pass',
    'undetermined',
    expect.stringContaining('run.sh:6:1: the file is not read to its end: unexpected fi'),
    'undetermined',
    expect.stringContaining('bash stops at line 6 (unexpected fi)'),
  ]);
});

const node = 'ken --rpc --rpcapi eth';
const container =
  '  - name: en\n    image: kaiachain/kaia:v2.0.3\n    command: [ken, --rpc, --rpcapi, eth]\n';
const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n`;
const variables = '{RPC_ENABLE: 1, RPC_ADDR: 0.0.0.0, RPC_API: "klay,admin"}';

/** The places where lint says that something is not followed. */
async function placesIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(scratch, 'x-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { out } = await run(['node', 'lint', '.', '--format', 'concise'], { cwd: folder });
  return [...out.matchAll(/^(\S+?:\d+):\d+ undetermined unfollowed-start /gm)].map(([, place = '']) => place);
}

test.each([
  ['a command', { 'a.sh': `${node} &\nGETH_HTTP=true GETH_HTTP_ADDR=0.0.0.0 $BIN &\n` }, 'a.sh:2'],
  ['a program', { 'a.sh': `${node} &\nRPC_ENABLE=1 RPC_API=klay,admin /opt/thing start\n` }, 'a.sh:2'],
  [
    'docker',
    { 'a.sh': `${node} &\ndocker run -d -e RPC_ENABLE=1 -e RPC_API=klay,admin x/node:1\n` },
    'a.sh:2',
  ],
  [
    'a service',
    {
      'compose.yaml': `services:\n  en: {image: "kaiachain/kaia:v2.0.3", command: ${node}}\n  my:\n    image: x/node:1\n    environment: ${variables}\n`,
    },
    'compose.yaml:5',
  ],
  [
    'a container',
    {
      'pod.yaml': `${pod}${container}  - name: my\n    image: x/node:1\n    env:\n    - {name: RPC_ENABLE, value: "1"}\n    - name: RPC_API\n      value: klay,admin\n`,
    },
    'pod.yaml:12',
  ],
  [
    'a play',
    {
      'play.yml': `- hosts: a\n  tasks:\n  - shell: ${node}\n- hosts: b\n  vars: {geth_http_api: "eth,admin"}\n  roles: [galaxy.geth]\n`,
    },
    'play.yml:5',
  ],
  [
    'a group',
    {
      'play.yml': `- hosts: a\n  tasks:\n  - shell: ${node}\n- hosts: b\n  roles: [galaxy.geth]\n`,
      'group_vars/all.yml': 'geth_http_api: eth,admin\n',
    },
    'group_vars/all.yml:1',
  ],
])(
  'variables of a node given to %s beside a start that is followed are an open question',
  async (_, files, place) => {
    expect(await placesIn(files)).toEqual([place]);
  },
);

test.each([
  ['a followed command', { 'a.sh': `RPC_ENABLE=1 RPC_API=klay,admin ${node}\n` }],
  ['a script', { 'a.sh': `RPC_ENABLE=1\nexport RPC_API=klay,admin\n${node}\n` }],
  [
    'a followed service',
    {
      'compose.yaml': `services:\n  en:\n    image: "kaiachain/kaia:v2.0.3"\n    command: ${node}\n    environment: ${variables}\n`,
    },
  ],
  [
    'a service that is built',
    {
      'compose.yaml': `services:\n  en:\n    image: my/en\n    build: .\n    environment: ${variables}\n`,
      Dockerfile: `FROM kaiachain/kaia:v2.0.3\nCMD ${node}\n`,
    },
  ],
  [
    'a play whose tasks read another value',
    {
      'play.yml': `- hosts: a\n  vars: {http_api: eth}\n  tasks:\n  - shell: ken --rpc --rpcapi {{ http_api }}\n`,
      'group_vars/all.yml': 'http_api: eth,admin\n',
    },
  ],
])('variables of a node given to %s are no open question', async (_, files) => {
  expect(await placesIn(files)).toEqual([]);
});
