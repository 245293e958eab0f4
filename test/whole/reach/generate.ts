/** Generated deployments of a node on one machine: its address or published ports, a proxy in front of it, a port that leads to it. */
import type { Random } from '../../node/sources/random.js';
import { addCaddy } from './caddy.js';
import { addCompose, publishNode } from './compose.js';
import { Draft } from './draft.js';
import { addHaproxy } from './haproxy.js';
import { addTranslation } from './nftables.js';
import { addNginx } from './nginx.js';

const proxies = { nginx: addNginx, caddy: addCaddy, haproxy: addHaproxy };

export function generate(random: Random): Draft {
  const draft = new Draft(random);
  draft.placing = random.weighted([
    [7, 'machine'],
    [2.5, 'bridge'],
    [0.5, 'host'],
  ] as const);
  const proxy = random.weighted([
    [6, 'nginx'],
    [4, 'caddy'],
    [3, 'haproxy'],
    [draft.placing === 'bridge' ? 6 : 2, null],
  ] as const);
  draft.isProxyOutside = draft.placing === 'bridge' && random.chance(0.4);
  const node = addNode(draft, proxy !== null);
  if (draft.placing === 'bridge') publishNode(draft, draft.isProxyInside && proxy !== null);
  // Behind the first, where the first leads to it.
  const inner = random.pick(['nginx', 'caddy', 'haproxy'] as const);
  draft.hasSeveral = proxy !== null && inner !== proxy && !draft.isProxyInside && random.chance(0.1);
  if (draft.hasSeveral) proxies[inner](draft);
  if (proxy !== null) proxies[proxy](draft);
  if (draft.placing !== 'machine') addCompose(draft, node);
  if (draft.placing === 'machine' && random.chance(0.1)) addTranslation(draft);
  return draft;
}

/**
 * Chooses the interfaces of the node. Returns its lines in a compose file. On loopback in a container of its own, no
 * proxy gets to it, which no reader asks for.
 */
function addNode(draft: Draft, isProxied: boolean): readonly string[] {
  const { random, services } = draft;
  const isApart = draft.placing === 'bridge';
  const host = random.weighted([
    [isApart ? (isProxied ? 0 : 0.7) : 8, '127.0.0.1'],
    [isApart ? 8 : 4, '0.0.0.0'],
    [isApart ? 0 : 1.5, '10.77.0.1'],
    [isApart ? 0 : 0.7, '203.0.113.1'],
    [0.5, '::'],
    [isApart ? 0 : 0.5, '::1'],
  ]);
  const isOn = random.chance(0.95);
  const http = { name: 'http', host, port: random.chance(0.85) ? 8551 : 7551 } as const;
  if (isOn) services.push(http);
  const hasWs = !isOn || random.chance(0.25);
  if (hasWs)
    services.push({ name: 'ws', host: isApart || random.chance(0.7) ? host : '127.0.0.1', port: 8552 });
  services.push({ name: 'other', host: isApart ? '0.0.0.0' : '127.0.0.1', port: 3000 });
  const ws = services.find(({ name }) => name === 'ws');
  const image = 'image: kaiachain/kaia:v2.1.0';
  if (draft.placing !== 'machine' && random.chance(0.6)) {
    const flags = [
      ...(isOn
        ? ['--rpc', '--rpcaddr', host, '--rpcport', http.port, '--rpcvhosts', '*', '--rpcapi', 'klay,eth,net']
        : []),
      ...(ws === undefined ? [] : ['--ws', '--wsaddr', ws.host, '--wsport', ws.port]),
    ];
    return [image, `command: ${JSON.stringify(['ken', ...flags.map(String)])}`];
  }
  const lines = [
    'NETWORK=mainnet',
    'DATA_DIR=/var/kend/data',
    `RPC_ENABLE=${isOn ? 1 : 0}`,
    'RPC_API="klay,eth,net,web3"',
    `RPC_PORT=${http.port}`,
    `RPC_ADDR="${host}"`,
    'RPC_CORSDOMAIN=""',
    // The server in place of the node answers every Host.
    'RPC_VHOSTS="*"',
    `WS_ENABLE=${hasWs ? 1 : 0}`,
    'WS_API="klay,eth,net,web3"',
    `WS_ADDR="${ws?.host ?? '127.0.0.1'}"`,
    'WS_PORT=8552',
    'WS_ORIGINS="https://app.example.com"',
  ];
  const read = random.pick(['kend.conf', 'etc/kend/conf/kend.conf']);
  const isMounted = draft.placing !== 'machine';
  draft.write('/etc/kend/conf/kend.conf', isMounted ? 'conf/kend.conf' : read, `${lines.join('\n')}\n`);
  const command = 'command: sh -c "kend start && tail -f /var/kend/logs/kend.out"';
  return [image, command, 'volumes:', '  - ./conf:/klaytn-docker-pkg/conf:ro'];
}
