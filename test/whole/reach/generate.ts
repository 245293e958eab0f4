/** Generated deployments of a node on one machine: its address, a proxy in front of it, a firewall. */
import type { Random } from '../../node/sources/random.js';
import { addCaddy } from './caddy.js';
import { Draft } from './draft.js';
import { addHaproxy } from './haproxy.js';
import { addNftables } from './nftables.js';
import { addNginx } from './nginx.js';

const proxies = { nginx: addNginx, caddy: addCaddy, haproxy: addHaproxy };

export function generate(random: Random): Draft {
  const draft = new Draft(random);
  addNode(draft);
  const proxy = random.weighted([
    [6, 'nginx'],
    [4, 'caddy'],
    [3, 'haproxy'],
    [2, null],
  ] as const);
  // Behind the first, where the first leads to it.
  const inner = random.pick(['nginx', 'caddy', 'haproxy'] as const);
  draft.hasSeveral = proxy !== null && inner !== proxy && random.chance(0.1);
  if (draft.hasSeveral) proxies[inner](draft);
  if (proxy !== null) proxies[proxy](draft);
  if (random.chance(proxy === null ? 0.8 : 0.4)) addNftables(draft);
  return draft;
}

function addNode(draft: Draft): void {
  const { random, services } = draft;
  const host = random.weighted([
    [8, '127.0.0.1'],
    [4, '0.0.0.0'],
    [1.5, '10.77.0.1'],
    [0.7, '203.0.113.1'],
    [0.5, '::'],
    [0.5, '::1'],
  ]);
  const isOn = random.chance(0.95);
  const http = { name: 'http', host, port: random.chance(0.85) ? 8551 : 7551 } as const;
  if (isOn) services.push(http);
  const hasWs = !isOn || random.chance(0.25);
  if (hasWs) services.push({ name: 'ws', host: random.chance(0.7) ? host : '127.0.0.1', port: 8552 });
  services.push({ name: 'other', host: '127.0.0.1', port: 3000 });
  const ws = services.find(({ name }) => name === 'ws');
  const lines = [
    'NETWORK=mainnet',
    'DATA_DIR=/var/kend/data',
    `RPC_ENABLE=${isOn ? 1 : 0}`,
    'RPC_API="klay,eth,net,web3"',
    `RPC_PORT=${http.port}`,
    `RPC_ADDR="${host}"`,
    'RPC_CORSDOMAIN=""',
    'RPC_VHOSTS="localhost"',
    `WS_ENABLE=${hasWs ? 1 : 0}`,
    'WS_API="klay,eth,net,web3"',
    `WS_ADDR="${ws?.host ?? '127.0.0.1'}"`,
    'WS_PORT=8552',
    'WS_ORIGINS="https://app.example.com"',
  ];
  draft.write(
    '/etc/kend/conf/kend.conf',
    random.pick(['kend.conf', 'etc/kend/conf/kend.conf']),
    `${lines.join('\n')}\n`,
  );
}
