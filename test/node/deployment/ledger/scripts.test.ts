/** Starts of scripts that are not among the files: named where the script's name tells the node, and quiet elsewhere. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scriptsIn, writesScript } from '../../../../src/node/deployment/ledger/scripts.js';
import type { Report } from '../../../../src/node/facts/report.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { run } from '../../offline.js';

const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-scripts-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** What a run says of a folder with these files: "rule file:line:column word", and its exit code. */
async function said(files: Readonly<Record<string, string>>): Promise<unknown[]> {
  const folder = mkdtempSync(join(scratch, 'folder-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { code, out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  const { targets }: Report = JSON.parse(out);
  const open = targets.flatMap(({ undetermined }) =>
    undetermined.map(({ rule, reason }) => `${rule} ${reason.split(/ (?:seems to start|is not) /, 1)[0]}`),
  );
  return [code, ...open];
}

const compose = (service: string) => `services:\n  node:\n    image: example/app:1\n    ${service}\n`;
const pod = (container: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: node\nspec:\n  containers:\n    - name: c\n      image: example/app:1\n      ${container}\n`;

test.each<[string, string, string]>([
  [
    'node.service',
    '[Service]\nUser=x\nExecStart=/opt/run-besu.sh\n',
    'unjudged-node node.service:3:11: run-besu.sh',
  ],
  [
    'node.service',
    '[Service]\nUser=x\nExecStart=/opt/run-reth.sh\n',
    'unfollowed-start node.service:3:11: run-reth.sh',
  ],
  [
    'node.service',
    '[Service]\nExecStart=-/usr/bin/sudo -u geth /bin/bash -c "/opt/start-bsc.sh --x"\n',
    'unfollowed-start node.service:2:48: start-bsc.sh',
  ],
  [
    'node.service',
    '[Service]\nExecStart=/opt/geth/start.sh\n',
    'unfollowed-start node.service:2:11: start.sh',
  ],
  [
    'node.service',
    '[Service]\nExecStart=/usr/bin/python3 /opt/start_lighthouse.py\n',
    'unjudged-node node.service:2:28: start_lighthouse.py',
  ],
  [
    'compose.yaml',
    compose('entrypoint: sh ./geth-entrypoint'),
    'unfollowed-start compose.yaml:4:20: geth-entrypoint',
  ],
  [
    'compose.yaml',
    compose('command: ["/scripts/start-bsc.sh"]'),
    'unfollowed-start compose.yaml:4:16: start-bsc.sh',
  ],
  [
    'compose.yaml',
    compose('command: op-node-entrypoint'),
    'unjudged-node compose.yaml:4:14: op-node-entrypoint',
  ],
  [
    'compose.yaml',
    compose('command:\n      # first\n      - /bin/sh\n      - -c\n      - /x/run-besu.sh --full'),
    'unjudged-node compose.yaml:8:9: run-besu.sh',
  ],
  [
    'compose.yaml',
    compose('command: |\n      apk add curl\n      exec /x/run_op_node.sh'),
    'unjudged-node compose.yaml:6:12: run_op_node.sh',
  ],
  [
    'node.conf',
    '[program:node]\ncommand=/opt/kaia/start-ken.sh\n',
    'unfollowed-start node.conf:2:9: start-ken.sh',
  ],
  ['Procfile', 'web: npm start\nchain: ./run-geth.sh\n', 'unfollowed-start Procfile:2:8: run-geth.sh'],
  ['pod.yaml', pod('command: ["/entrypoint-besu.sh"]'), 'unjudged-node pod.yaml:9:18: entrypoint-besu.sh'],
  [
    'pod.yaml',
    pod('command: ["sh", "-c"]\n      args: ["wait.sh && /start-klaytn.sh"]'),
    'unfollowed-start pod.yaml:10:26: start-klaytn.sh',
  ],
  ['crontab', '@reboot /opt/geth/start.sh\n', 'unfollowed-start crontab:1:9: start.sh'],
  [
    'ecosystem.config.js',
    'module.exports = { apps: [{ name: "n", script: "./run-geth.sh" }] };\n',
    'unfollowed-start ecosystem.config.js:1:49: run-geth.sh',
  ],
  [
    'Dockerfile',
    'FROM alpine:3\nCOPY start-geth.sh /\nENTRYPOINT ["/start-geth.sh"]\n',
    'unfollowed-start Dockerfile:3:14: start-geth.sh',
  ],
  [
    'task.json',
    '{\n  "command": [\n    "/run-nethermind.sh"\n  ]\n}\n',
    'unjudged-node task.json:3:6: run-nethermind.sh',
  ],
  ['start', 'export A=1\nexec ./geth.sh "$@"\n', 'unfollowed-start start:2:6: geth.sh'],
])('a start of a script that is not there is open in %s: %j', async (name, text, expected) => {
  expect(await said({ [name]: text })).toEqual([3, expected]);
});

test.each<[string, string]>([
  ['node.service', '[Service]\nExecStart=/opt/app/start.sh\nExecStartPre=/opt/check-geth.sh\n'],
  ['node.service', '[Service]\nExecStart=/opt/bin/start-web.sh\nExecStop=/opt/stop-geth.sh\n'],
  ['backup.service', '[Service]\nExecStart=/opt/geth-backup.sh\n'],
  ['node.service', '# ExecStart=/opt/run-reth.sh\n[Service]\nExecStart=/opt/geth-watch\n'],
  ['crontab', '* * * * * /opt/check-geth.sh\n0 3 * * * /opt/geth-backup.sh\n@reboot /opt/geth-exporter.sh\n'],
  [
    '.github/workflows/ci.yml',
    'jobs:\n  a:\n    steps:\n      - run: ./start-geth.sh\n        args: ./start-geth.sh\n',
  ],
  ['compose.yaml', compose('command: ["python", "bsc.py"]')],
  ['compose.yaml', compose('command: ["bsc-mainnet"]')],
  ['compose.yaml', compose('command: ["--chain", "bsc", "--data", "/data/geth-main"]')],
  ['compose.yaml', compose('command: sh /app/run-bsc-indexer.sh')],
  ['compose.yaml', compose('command: sh -c "sh /wait-for-geth.sh && node server.js"')],
  ['compose.yaml', compose('healthcheck:\n      test: ["CMD", "/geth-up.sh"]')],
  ['compose.yaml', compose('volumes:\n      - ./start-geth.sh:/start-geth.sh\n    entrypoint: sleep 1d')],
  ['pod.yaml', pod('livenessProbe:\n        exec:\n          command: ["sh", "/scripts/geth-up.sh"]')],
  ['Procfile', 'web: node dist/bsc.js\nworker: ./bsc-worker.sh\n'],
  ['Dockerfile', 'FROM alpine:3\nCOPY install-geth.sh /\nRUN /install-geth.sh\nCMD ["/test_geth.py"]\n'],
  ['notes.txt', 'Then run /opt/start-geth.sh; the command is start-geth.sh or ./run-reth.sh\n'],
  ['README.md', '```\nExecStart=/opt/run-reth.sh\n```\n'],
  ['app.ts', 'spawn({ command: "./start-geth.sh" });\n'],
  ['run.sh', '#!/bin/sh\nexec docker run --rm klaytn/tool:1 sh\ncommand="$1"\nexec ./app base\n'],
])('other scripts and other places are quiet in %s: %j', async (name, text) => {
  expect(await said({ [name]: text })).toEqual([2]);
});

const unit = '[Service]\nExecStart=/opt/geth/start.sh\n';
const sets = pod('command: ["/s/start-geth.sh"]');

test.each<[string, Readonly<Record<string, string>>]>([
  ['it is beside', { 'start.sh': 'echo\n', 'a.service': unit }],
  [
    'it is a template',
    { 'r/templates/run-reth.sh.j2': 'echo\n', 'r/a.service': unit.replace('geth/start', 'run-reth') },
  ],
  [
    'a ConfigMap holds it',
    { 'a.yaml': `${sets}---\nkind: ConfigMap\ndata:\n  start-geth.sh: |\n    echo\n`, 'b.sh': '' },
  ],
  [
    'another file holds it',
    { 'a.yaml': sets, 'b.yaml': 'kind: ConfigMap\ndata:\n  start-geth.sh: |\n    echo\n' },
  ],
  [
    'a task writes it',
    { 'a.service': unit.replace('start', 'run-geth'), 'b.yml': '- copy:\n    dest: /opt/run-geth.sh\n' },
  ],
])('a script is among the files where %s', async (_, files) => {
  expect(await said(files)).toEqual([2]);
});

test('a script of the same name in another folder is a different script', async () => {
  const files = { 'app/start.sh': 'npm start\n', 'units/a.service': unit };
  expect(await said(files)).toEqual([3, 'unfollowed-start units/a.service:2:11: start.sh']);
});

test.each([
  ['ethereum/client-go:v1.16.4', '/start-geth.sh'],
  ['ethereum/client-go:v1.16.4', '\n      - /bin/sh\n      - /start-geth.sh'],
  ['hyperledger/besu', '/start-besu.sh --rpc-http-enabled'],
  ['hyperledger/besu', '\n      - sh\n      - -c\n      - /start-besu.sh --rpc-http-enabled'],
  ['hyperledger/besu', '/start-besu.sh --rpc-http-enabled --rpc-http-host 0.0.0.0'],
])('a service with the image %s and the entrypoint %s has one entry', async (image, entrypoint) => {
  const text = `services:\n  n:\n    image: ${image}\n    entrypoint: ${entrypoint}\n`;
  const [code, ...open] = await said({ 'compose.yaml': text });
  expect([code, open.length, /more start/.test(String(open))]).toEqual([3, 1, false]);
});

test('a file that is named alone has its scripts beside it', async () => {
  const folder = mkdtempSync(join(scratch, 'alone-'));
  writeFileSync(join(folder, 'a.service'), unit);
  const code = async () => (await run(['node', 'lint', 'a.service'], { cwd: folder })).code;
  expect(await code()).toBe(3);
  writeFileSync(join(folder, 'start.sh'), 'echo\n');
  expect(await code()).toBe(2);
});

test.each<[string, boolean]>([
  ['cat > /opt/run-geth.sh <<EOF', true],
  ['COPY <<EOF /run-geth.sh', true],
  ['echo x | tee -a /opt/run-geth.sh', true],
  ['path: /opt/run-geth.sh', true],
  ['"run-geth.sh": "echo"', true],
  ['COPY run-geth.sh /opt/run-geth.sh', false],
  ['chmod +x run-geth.sh', false],
])('the text %j writes the script: %j', (text, expected) => {
  expect(writesScript(text, 'run-geth.sh')).toBe(expected);
});

// A search that is quadratic takes hours on it, and the test's timeout ends it.
test('a long text of keys ends the search without a script', () => {
  expect(scriptsIn(kinds, 'x.yml', 'command: '.repeat(10_000))).toEqual([]);
});
