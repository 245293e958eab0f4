/** What a scan of a text of any format finds: starts of nodes, and words that open their interfaces. */
import { expect, test } from 'vitest';
import { signsIn } from '../../../../src/node/deployment/ledger/signs.js';
import { vocabularyOf } from '../../../../src/node/deployment/ledger/vocabulary.js';
import { kinds } from '../../../../src/node/kinds/index.js';

const vocabulary = vocabularyOf(kinds);

function said(path: string, text: string): string[] {
  return signsIn(vocabulary, path, text).map(({ type, word }) => `${type} ${word}`);
}

test.each<[string, readonly string[]]>([
  ['x: wrapper "ken --rpc"', ['program ken']],
  ['["ken", "--rpcapi=eth"]', ['program ken']],
  ['run ken --nosuch', []],
  ['run ken --nosuch\nrun kcn -rpc', ['program kcn']],
  ['run my-ken --rpc and ken.x --rpc', []],
  ["['kend', 'restart']", ['program kend']],
  ['systemctl enable kend', ['program kend']],
  ['kend stop', []],
  ["docker inspect geth --format '{{json .Args}}'", []],
  ['if docker compose -f x.yml logs geth $X; then', []],
  ['kubectl -n eth logs geth $X | grep x; sudo systemctl stop geth $X', []],
  ['which geth $X && cp build/bin/geth $TARGET', []],
  ['docker logs x; geth $X', ['program geth']],
  ['docker run --name stop geth $X', ['program geth']],
  ['exec ken $FLAGS', ['program ken']],
  ['exec ken --datadir /d', []],
  ['ken --datadir /d init --rpc genesis.json', []],
  ['ken.exe --rpc', ['program ken.exe']],
  ['command:\n  - geth\n  - --datadir=/d\n  - --http.addr=0.0.0.0', ['program geth']],
  ['geth --datadir /d \\\n  --unlock 0', ['program geth']],
  ['args: --http-rpc.api eth', ['flag --http-rpc.api']],
  ['args: --wsorigins "*"', ['flag --wsorigins']],
  ['args: --rpc.api eth', []],
  ['  # ken --rpc\n// ken --rpc', []],
  ['x # ken --rpc', []],
  ['geth and ken --rpc', ['program ken']],
  ['echo "usage: ken --rpc"', []],
  ['echo "ken --rpc" > start', ['program ken']],
  ['image = "kaiachain/kaia:v2.2.1"', ['image kaiachain/kaia:v2.2.1']],
  ['docker run -p 8551:8551 \\\n  klaytn/klaytn:v1.8.1', ['image klaytn/klaytn:v1.8.1']],
  ['docker run ethereum/client-go:v1.13.14 version', []],
  ['image = "ethereum/client-go"', ['image ethereum/client-go']],
  ['image = "ethereum/client-go:alltools-latest"', []],
  ['A=$(docker run --rm ethereum/client-go:v1.13.14 account list)', []],
  ['docker run ethereum/client-go:v1.13.14 $ARGS', ['image ethereum/client-go:v1.13.14']],
  ['FROM ethereum/client-go:v1.13.14', ['image ethereum/client-go:v1.13.14']],
  ['- image: ethereum/client-go:alltools-v1.8.7\n  command: [bootnode]\n  args: [--nodekey=/k]', []],
  ['- image: ethereum/client-go:alltools-v1.8.7\n  command:\n  - /usr/local/bin/evm\n', []],
  [
    '- image: ethereum/client-go:alltools-v1.8.7\n  command: [clef]',
    ['image ethereum/client-go:alltools-v1.8.7'],
  ],
  ['geth --datadir=/d --password <(echo -n 1)  account new', []],
  ['geth --datadir="./db"+$1 init genesis.json', []],
  ['bsc --datadir $D/node init $D/genesis.json', []],
  ['kcn --datadir "$D" init "$D/genesis.json"', []],
  ['  "geth --datadir ${local.d} account new --password ${local.p}",\n  "echo done",', []],
  ['geth --datadir $D --http', ['program geth']],
  ['geth --datadir $D console', ['program geth']],
  ['geth --datadir=$D $OPTS', ['program geth']],
  ['docker run image --l2.enginekind=geth $X', []],
  ['sonicd \\\n  --datadir=/data/geth \\\n  --http.addr=0.0.0.0', ['flag --http.addr']],
  ['wrapper --exec=geth --http', ['program geth']],
  ['build() {\n  docker build -t "$2" .\n}\nbuild "op-geth" "$TAG"', []],
  ['build() {\n  docker build \\\n    $MORE -t "$2" .\n}\nbuild "op-geth" "$TAG"', []],
  ['start() {\n  exec "$@"\n}\nstart "op-geth" "$ARGS"', ['program op-geth']],
  ['start "op-geth" "$ARGS"', ['program op-geth']],
  ['geth --http --http.addr 0.0.0.0 init genesis.json', []],
  ['geth attach --http.addr 0.0.0.0', []],
  ['geth --rpc init genesis.json', []],
  ['geth --help', []],
  ['docker exec node erigon --version', []],
  ['docker ps --filter name=erigon --format json', []],
  ['docker ps -q --filter "name=geth" --http', []],
  ['services:\n  init:\n    image: ethereum/client-go\n    command: --datadir /d init /g.json\n', []],
  ['services:\n  init:\n    image: ethereum/client-go\n    command: [init, /g.json]\n', []],
  ['docker run --name geth ethereum/client-go --http.addr 0.0.0.0 account list', []],
  ['geth --http.addr 0.0.0.0 init x && $RUN --http.addr 0.0.0.0', ['flag --http.addr']],
  ['wrapper geth run --http.addr 0.0.0.0', ['flag --http.addr']],
  ['import "github.com/klaytn/klaytn/node"', []],
  ['RPC_ENABLE = "1"\nRPC_API = "eth"', ['variable RPC_ENABLE', 'variable RPC_API']],
  ['RPC_API = "eth"', []],
  ['RPC_API = "eth,personal"', ['variable RPC_API', 'key RPC_API']],
  ['RPC_ADDR=https://node.example\nRPC_ENABLE=https://x', []],
  ['KAIA_RPCAPI: eth', ['variable KAIA_RPCAPI']],
  ['GETH_HTTP=true', ['variable GETH_HTTP']],
  ['spec:\n  rpcAPI: [admin, eth]\n', ['key rpcAPI']],
  ['spec:\n  rpcAPI:\n    - eth\n    - admin\n', ['key rpcAPI']],
  ['HTTPModules = ["eth", "personal"]', ['key HTTPModules']],
  ['rpcAPI: [read, admin]', []],
  ['api: admin', []],
  [`{"method":"admin_startHTTP","params":["0.0.0.0"]}`, ['call admin_startHTTP']],
  ['admin.startWS("0.0.0.0", 8552)', ['call admin.startWS']],
  ['web3.eth.personal.unlockAccount(a)', []],
])('%j has the signs %j', (text, expected) => {
  expect(said('start', text)).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  ['README.md', 'ken --rpc --rpcapi admin', []],
  ['start.test.ts', "spawn('ken', ['--rpc']);", []],
  ['test/start.ts', "spawn('ken', ['--rpc']);", ['program ken']],
  ['sdk.ts', "const methods = ['admin_startHTTP', 'personal_unlockAccount'];", []],
  ['sdk.ts', "run('ken', ['version'])", []],
  ['start.go', 'exec.Command("geth", "--http", "--http.addr=0.0.0.0")', ['program geth']],
  ['start.py', 'subprocess.run(["kend", "start"])', ['program kend']],
  ['conf.py', 'CONF = """\nRPC_API="klay,personal"\n"""', ['variable RPC_API']],
  ['unlock.js', 'personal.unlockAccount(eth.accounts[0])', []],
  ['net.py', 'cmd = "{} --datadir {} --http --http.addr 127.0.0.1".format(geth, d)', ['flag {}']],
  ['datadir/history', 'geth --http --http.api admin', []],
  ['open.js', 'admin.startRPC("0.0.0.0", 8545)', ['call admin.startRPC']],
  ['Token.bin', 'personal.unlockAccount(eth.accounts[0])', []],
  ['api.json', '{"name": "admin.startHTTP("}', []],
  ['issue tracker.txt', 'issues\n2. personal.unlockAccount(account) does not work', []],
  ['notes.txt', 'When I call admin.startRPC() it works', []],
  ['unlock.txt', 'personal.unlockAccount(eth.accounts[0], "x")', []],
  ['run.txt', 'attach --exec "personal.unlockAccount(eth.coinbase)" ipc', ['call personal.unlockAccount']],
  ['task.json', '{"image": "kaiachain/kaia:v2.2.1"}', ['image kaiachain/kaia:v2.2.1']],
])('a file named %s counts by its family: %j', (path, text, expected) => {
  expect(said(path, text)).toEqual(expected);
});

const cell = (...source: string[]) => JSON.stringify({ cells: [{ cell_type: 'code', source }] });
const stack = (...list: unknown[]) => JSON.stringify({ UserData: { 'Fn::Join': ['', list] } });

test.each<[string, string, readonly string[]]>([
  ['notes.ipynb', cell('!geth --http --http.api eth,admin &\n'), ['program geth']],
  ['notes.ipynb', cell('import os\n', '!cd /d && geth \\\n', '  --http --http.api admin'), ['program geth']],
  ['notes.ipynb', cell('%%bash\n', 'cd "/d"\n', 'geth --http'), ['program geth']],
  ['notes.ipynb', cell('run geth --http with admin.startHTTP()\n', '# geth --http\n'), []],
  ['notes.ipynb', `{"outputs": [{"text": ["!geth --http\\n"]}], ${cell('x').slice(1)}`, []],
  [
    'stack.json',
    stack(
      '#!/bin/bash\n',
      'docker run -d --net=host ethereum/client-go:v1.13.14 ',
      '--http --http.api admin\n',
    ),
    ['image ethereum/client-go:v1.13.14'],
  ],
  ['stack.json', stack('geth --datadir ', { Ref: 'D' }, ' --http', ' --http.api admin\n'), ['program geth']],
  ['stack.json', stack('geth --datadir ', { Ref: 'D' }, ' version\n', 'echo done\n'), []],
])('the commands in the strings of %s are read: %s', (path, text, expected) => {
  expect(said(path, text)).toEqual(expected);
});

test('the words of a statement with many programs are read for the first of them', () => {
  const signs = signsIn(vocabulary, 'x.hcl', `x = "${'geth --http '.repeat(60)}"`);
  const known = signs.filter(({ type, words }) => type === 'program' && !words.includes(null));
  expect([signs.filter(({ type }) => type === 'program').length, known.length]).toEqual([60, 51]);
});
