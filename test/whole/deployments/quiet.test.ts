/** A hundred folders of applications, SDKs, documents and dashboards that only use a node: no target, no open question. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../cli/run.js';
import { shareOf } from '../../seed.js';

type Files = Readonly<Record<string, string>>;

/** Parts of projects that talk to a node, by what they are. */
const parts: Readonly<Record<string, Files>> = {
  'a dApp': {
    '.env': 'RPC_URL=http://127.0.0.1:8545\nNETWORK=mainnet\nPORT=3000\nWS_URL=wss://node.example\n',
    'src/client.ts':
      "import { JsonRpcProvider } from 'ethers';\nexport const node = new JsonRpcProvider(process.env.RPC_URL);\n",
    'package.json': '{ "name": "dapp", "scripts": { "start": "node server.js", "test": "hardhat test" } }',
  },
  'an SDK': {
    'lib/methods.js':
      "module.exports = ['admin_startHTTP', 'admin_startWS', 'personal_unlockAccount', 'debug_traceCall', 'txpool_content'];\n",
    'lib/personal.js': "const web3 = require('web3');\nweb3.eth.personal.unlockAccount(account, password);\n",
    'README.md': '# SDK\n\n```sh\ngeth --http --http.addr 0.0.0.0 --http.api eth,admin\n```\n',
  },
  'a Go client': {
    'go.mod': 'module example.org/app\n\nrequire github.com/ethereum/go-ethereum v1.16.4\n',
    'main.go':
      'package main\n\nimport "github.com/klaytn/klaytn/client"\n\nfunc main() { client.Dial("http://node.example:8551") }\n',
  },
  contracts: {
    'hardhat.config.js':
      'module.exports = { networks: { kairos: { url: process.env.RPC_URL }, hardhat: { chainId: 1001 } } };\n',
    'foundry.toml': '[profile.default]\nsrc = "src"\n[rpc_endpoints]\nmainnet = "${RPC_URL}"\n',
    'contracts/Token.sol': 'contract Token { function mint() public {} }\n',
  },
  'an indexer': {
    'compose.yml':
      'services:\n  indexer:\n    image: example/indexer:1\n    environment:\n      ETH_RPC_URL: http://node.example:8545\n      RPC_PORT: 8545\n  postgres:\n    image: postgres:16\n    ports: ["5432:5432"]\n',
  },
  dashboards: {
    'prometheus.yml':
      'scrape_configs:\n  - job_name: geth\n    metrics_path: /debug/metrics/prometheus\n    static_configs:\n      - targets: ["en-1:6060", "reth:9001", "lighthouse:5054"]\n',
    'grafana/geth.json':
      '{ "title": "geth and reth", "panels": [{ "expr": "rpc_duration{module=\\"admin\\"}" }] }',
    'alerts.yml':
      'groups:\n  - name: kaia\n    rules:\n      - alert: KaiaNodeDown\n        expr: up{job="ken"} == 0\n',
  },
  'an explorer': {
    'deploy.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: explorer }\nspec:\n  template:\n    spec:\n      containers:\n        - name: web\n          image: blockscout/blockscout:6\n          env:\n            - { name: ETHEREUM_JSONRPC_VARIANT, value: geth }\n            - { name: ETHEREUM_JSONRPC_HTTP_URL, value: "http://node:8545" }\n',
  },
  'a web server': {
    'nginx.conf': 'server {\n  listen 80;\n  location / { proxy_pass http://127.0.0.1:3000; }\n}\n',
    Caddyfile: 'app.example {\n  reverse_proxy app:3000\n}\n',
  },
  'a pipeline': {
    '.github/workflows/ci.yml':
      'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test -- --reporter dot\n      - run: geth version\n',
    Makefile: 'build:\n\tgo build ./...\nlint:\n\tgolangci-lint run\n',
  },
  documents: {
    'docs/run.md': 'Run `ken --rpc --rpcapi eth,admin`.\n',
    'docs/geth.rst': '``geth --http --http.api personal``\n',
    'site/index.html': '<pre>reth node --http --http.addr 0.0.0.0</pre>\n',
    'CHANGELOG.md': '- `--http.api` now lists modules\n',
  },
  'a word list': {
    'clients.yml': 'clients:\n  - geth\n  - reth\n  - besu\n  - lighthouse\n  - op-node\n',
    'chains.json': '[{ "name": "Kaia", "rpc": ["https://public-en.node.kaia.io"] }]',
  },
};

const names = Object.keys(parts);
/** Each pair and each triple of neighbours: more than a hundred folders. */
const folders = names.flatMap((first, at) => [
  [first],
  ...names.slice(at + 1).map((second) => [first, second]),
  ...names
    .slice(at + 1)
    .map((second, next) => [first, second, names[(at + next + 2) % names.length] as string]),
]);

const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-quiet-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

test('there are more than a hundred folders', () => {
  expect(folders.length).toBeGreaterThan(100);
});

test.each(names)('%s alone holds no node’s settings', async (name) => {
  const folder = join(scratch, 'alone', name);
  write(folder, parts[name] ?? {});
  const { code, out, err } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  expect([code, (JSON.parse(out) as { targets: object[] }).targets]).toEqual([2, []]);
  expect(err).toMatch(/(?:holds no|no file holds a) node/);
});

test('beside a node the folders add no target and no open question', async () => {
  for (const [index, kinds] of shareOf(4, folders).entries()) {
    const folder = join(scratch, String(index));
    for (const [at, name] of kinds.entries()) write(join(folder, `app-${at}`), parts[name] ?? {});
    write(folder, {
      'start.sh':
        '#!/bin/sh\nexec ken --datadir /d --rpc --rpcaddr 127.0.0.1 --rpcvhosts localhost --rpcapi eth\n',
    });
    const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
    const { targets } = JSON.parse(out) as { targets: { name: string; undetermined: object[] }[] };
    expect([kinds, targets.map(({ name }) => name)]).toEqual([kinds, ['start.sh']]);
    expect([kinds, targets[0]?.undetermined]).toEqual([kinds, []]);
  }
});
