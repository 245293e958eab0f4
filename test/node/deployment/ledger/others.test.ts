/** Every other client, in files of formats with readers and in one without, is named or noted by the ledger. */
import { expect, test } from 'vitest';
import { Coverage } from '../../../../src/node/deployment/ledger/coverage.js';
import { openSigns } from '../../../../src/node/deployment/ledger/open.js';
import { vocabularyOf } from '../../../../src/node/deployment/ledger/vocabulary.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { type OtherStart, otherStarts } from '../other-starts.js';

const vocabulary = vocabularyOf(kinds);
/** A file without others. */
const alone = { keyOf: (path: string) => path, holds: () => false };

/** What the ledger says of a start in a file of this name, where no target uses the file. */
function said({ text }: OtherStart, file: string): string[] {
  const { questions, notes } = openSigns(vocabulary, new LineIndex(file, text), new Coverage(alone));
  return [
    ...questions.map(({ rule, reason }) => `${rule}: ${reason}`),
    ...notes.map((note) => `note: ${note}`),
  ];
}

/** True for one line that names the client, or notes it. */
function isRight({ client, isLoopback }: OtherStart, lines: readonly string[]): boolean {
  const [line = ''] = lines;
  const start = isLoopback ? 'note: ' : 'unjudged-node: ';
  return lines.length === 1 && line.startsWith(start) && line.includes(`: ${client} `);
}

test.each([
  ['of its format', ({ file }: OtherStart) => file],
  ['of no known name', () => 'setup'],
])('each start of another client in a file %s is named, or noted where it is on loopback', (_, fileOf) => {
  const wrong = otherStarts.flatMap((start) => {
    const lines = said(start, fileOf(start));
    const { client, file, isLoopback, words } = start;
    return isRight(start, lines)
      ? []
      : [`${client} in ${file}, ${isLoopback}: ${words.join(' ')} → ${lines.join(' | ')}`];
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['run.sh', 'nethermind --JsonRpc.Host=0.0.0.0 --JsonRpc.EnabledModules=[eth,admin] -c mainnet\n'],
  ['task.txt', 'command: ["nethermind", "--JsonRpc.Host=0.0.0.0", "--JsonRpc.EnabledModules=[eth,admin]"]\n'],
])('modules in brackets are named as a list: %s', (file, text) => {
  const { questions } = openSigns(vocabulary, new LineIndex(file, text), new Coverage(alone));
  expect(questions.map(({ reason }) => reason)).toEqual([expect.stringContaining('modules eth,admin,')]);
});

function signsOf(file: string, text: string): string[] {
  const { questions, notes } = openSigns(vocabulary, new LineIndex(file, text), new Coverage(alone));
  return [...questions.map(({ subject }) => subject), ...notes];
}

test.each([
  [
    'package.json',
    '{"name": "ganache", "keywords": ["ganache", "hardhat", "anvil"], "dependencies": {"ganache": "7"}}',
  ],
  ['package.json', '{"browserslist": ["opera", "chrome"]}'],
  ['notes.txt', 'any snooper tool can pick these up; we vouch for it, and erigon is a client'],
  ['type.xml', '<comment xml:lang="sk">Súbor mailbox</comment>\n<comment>bor <b>server</b></comment>'],
  ['ci.yml', 'services:\n  - ganache\njobs:\n  build:\n    name: besu\n    needs: [anvil, vouch]\n'],
  [
    'prometheus.yml',
    'scrape_configs:\n  - job_name: erigon\n    static_configs:\n      - targets: [besu, nitro]\n',
  ],
  ['hardhat.yml', 'run: npx hardhat test\n'],
  ['task.yml', 'command: openssl pkcs12 -export -name besu -passout file:/p\n'],
  ['find.sh', 'find / -name parity -type f\n'],
  ['run.sh', "docker run --mount 'type=volume,src=x,dst=/vol/besu' --mount src=besu,dst=/y util\n"],
  [
    'init.sh',
    'OUT="./config/besu"\nmv genesis.json $OUT/g.json\nbesu operator generate-blockchain-config --to=$OUT\n',
  ],
  ['compose.yml', 'environment:\n  - JSONRPC_VARIANT=besu\n  - LEVEL=1\n'],
])('%s with the name of a client in prose or in a list has no sign: %s', (file, text) => {
  expect(signsOf(file, text)).toEqual([]);
});

test.each([
  ['unit', 'ExecStart=/usr/bin/vouch\n', 'vouch'],
  ['start', 'exec vouch\n', 'vouch'],
  ['start', 'cd /srv && ./vouch &\n', 'vouch'],
  ['x.yml', 'command:\n  - vouch\n', 'vouch'],
  ['x.yml', 'command: ["vouch"]\n', 'vouch'],
  ['x.yml', 'run: vouch\n', 'vouch'],
  ['Dockerfile', 'ENTRYPOINT ["/usr/bin/vouch"]\n', 'vouch'],
  ['x.conf', 'DAEMON=/usr/bin/vouch\n', 'vouch'],
  ['run.sh', 'BIN="/usr/bin/vouch"\nexec "$BIN" $OPTS\n', 'vouch'],
  ['any', 'words before op-node --rpc.addr 0.0.0.0', 'op-node'],
  ['any', 'docker run img hardhat node', 'hardhat'],
])('%s with a command has a sign: %s', (file, text, client) => {
  expect(signsOf(file, text)).toEqual([client]);
});

test('a config file of another client says nothing of loopback', () => {
  expect(
    signsOf('parity/config.toml', '[parity]\nchain = "./g.json"\n\n[rpc]\ninterface = "0.0.0.0"\n'),
  ).toEqual(['parity']);
});

test('a development node outside a container is a note', () => {
  expect(signsOf('package.json', '{"scripts": {"chain": "hardhat node"}}')).toEqual([
    'package.json:1: hardhat runs here, on loopback only · not judged',
  ]);
});

const image = 'image:\n  repository: hyperledger/besu\n  tag: 24.1.0\n';
const template = '    containers:\n    - command: [besu, --rpc-http-enabled, --rpc-http-host=0.0.0.0]\n';

test('an image in the values of a chart leaves the words of its command open, where no template told them', () => {
  expect(signsOf('chart/values.yaml', image)).toEqual(['besu']);
  const coverage = new Coverage(alone);
  const inChart = (file: string, text: string) =>
    openSigns(vocabulary, new LineIndex(file, text), coverage).questions.length;
  expect(inChart('chart/templates/a.yaml', template)).toBe(1);
  expect(inChart('chart/values.yaml', image)).toBe(0);
  expect(inChart('other/values.yaml', image)).toBe(1);
});

test('another client beside a node is told, in a chart of its own and in a chart of which templates are read', () => {
  const coverage = new Coverage({ ...alone, keyOf: (path) => `./${path}` });
  coverage.addWhole('charts/geth/templates/a.yaml');
  for (const file of ['charts/besu/templates/a.yaml', 'charts/geth/templates/b.yaml'])
    expect(openSigns(vocabulary, new LineIndex(file, template), coverage).questions).toHaveLength(1);
});

test('an element of a list is a command by the key of its list', () => {
  const listed = (key: string) => signsOf('x.json', `{\n"${key}": [\n  "besu",\n  "x"\n]}`);
  expect([listed('command'), listed('tags')]).toEqual([[expect.stringContaining('besu')], []]);
});

const quoted = '"server", "--http", "--http.addr", "0.0.0.0", "--http.api", "all"';
const typed = 'bor server --http --http.addr 0.0.0.0 --http.api all';

test.each([
  ['index.ts', `spawn("bor", [${quoted}]);`],
  ['run.py', `subprocess.Popen(["bor", ${quoted}])\nprint("x")`],
  ['run.py', `os.system("cd /d && nohup ${typed} &")`],
  ['main.go', `exec.Command("/usr/bin/bor", ${quoted}).Run()`],
  ['main.rs', `Command::new("bor").args([${quoted}]).spawn();`],
  ['App.java', `new ProcessBuilder("bor", ${quoted}).start();`],
  ['n.ex', `System.cmd("bor", [${quoted}])`],
  ['n.lua', `os.execute("${typed}")`],
  ['run.rb', `system("${typed}")`],
  ['run.js', `run("docker", ["run", "-p", "8545:8545", "0xpolygon/bor:v1.0.0", ${quoted}])`],
  ['pm2.config.js', `module.exports = { apps: [{ script: "bor", args: "${typed.slice(4)}" }] }`],
])('%s that starts another client in quotes names it with what its words open: %s', (file, text) => {
  expect(signsOf(file, text)).toEqual(['bor+all']);
});

test.each([
  ['sdk.ts', 'const clients = ["bor", "besu", "nethermind"]; const flags = ["--http"];'],
  ['sdk.ts', 'const clients = ["reth", "besu", "nethermind"]; const flags = ["--http"];'],
  ['sdk.ts', 'console.log("run bor server --http --http.addr 0.0.0.0");'],
  ['setup.ts', 'spawn("anvil", ["--port", "8545"], options);'],
  ['setup.py', '# subprocess.run(["bor", "server", "--http", "--http.addr", "0.0.0.0"])'],
])('%s that names a client, or starts it on loopback, has no sign: %s', (file, text) => {
  expect(signsOf(file, text)).toEqual([]);
});
