/** Programs that forward and whose files are not read: where their words may lead. */
import { expect, test } from 'vitest';
import { forwardsIn } from '../../../../src/node/deployment/forwards.js';

const line = ({ program, listens, to, from }: ReturnType<typeof forwardsIn>[number]) => {
  const led = to === null ? '?' : 'host' in to ? `${to.host}:${to.port}` : 'socket' in to ? to.socket : '?';
  return `${program} → ${led}${from === undefined ? '' : ` ${from} ${listens}`}`;
};
const told = (text: string) => [...new Set(forwardsIn(text).map(line))];

test.each([
  [
    'xinetd',
    'service n\n{\n type = UNLISTED\n port = 9000\n redirect = 127.0.0.1 8545\n}\n',
    'xinetd → 127.0.0.1:8545',
  ],
  ['inetd', '9000 stream tcp nowait nobody /bin/nc nc 127.0.0.1 8545\n', 'inetd → 127.0.0.1:8545'],
  ['sniproxy', 'listen 443 { table t }\ntable t { .* 127.0.0.1:8545 }\n', 'sniproxy → 127.0.0.1:8545'],
  ['a unit of podman', '[Kube]\nYaml=n.yaml\nPublishPort=0.0.0.0:80:8545\n', 'podman → null:8545'],
  [
    'a reverse tunnel of wstunnel',
    '#!/bin/sh\nwstunnel client -R tcp://9000:localhost:8545 wss://x.example\n',
    'wstunnel → localhost:8545',
  ],
  ['websocketd to a socket', '#!/bin/sh\nwebsocketd nc -U /d/geth.ipc\n', 'websocketd → /d/geth.ipc'],
  ['stunnel', '[n]\naccept = 8546\nconnect = 127.0.0.1:8545\n', 'stunnel → 127.0.0.1:8545'],
  ['stunnel to a port', '[n]\naccept = 8546\nconnect = 8545\n', 'stunnel → null:8545'],
  [
    'varnish',
    'vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "8545"; }\n',
    'varnish → 127.0.0.1:8545',
  ],
  [
    'lighttpd',
    'server.port = 80\nproxy.server = ( "" => (( "host" => "127.0.0.1", "port" => 8545 )) )\n',
    'lighttpd → 127.0.0.1:8545',
  ],
  [
    'kong',
    '_format_version: "3.0"\nservices:\n  - name: n\n    url: http://127.0.0.1:8545\n',
    'kong → 127.0.0.1:8545',
  ],
  ['erpc', 'projects:\n  - upstreams: [{endpoint: "http://127.0.0.1:8545"}]\n', 'erpc → 127.0.0.1:8545'],
  ['proxyd', '[backends.n]\nrpc_url = "http://127.0.0.1:8545"\n', 'proxyd → 127.0.0.1:8545'],
  ['squid', 'cache_peer 127.0.0.1 parent 8545 0 no-query originserver\n', 'squid → 127.0.0.1:8545'],
  [
    'pound',
    'ListenHTTP\n Service\n  BackEnd\n   Address 127.0.0.1\n   Port 8545\n  End\n End\nEnd\n',
    'pound → 127.0.0.1:8545',
  ],
  [
    'an image with variables',
    'services:\n  v:\n    image: varnish\n    environment: {VARNISH_BACKEND_HOST: n, VARNISH_BACKEND_PORT: "8545"}\n    ports: ["80:80"]\n',
    'varnish → n:8545',
  ],
  [
    'a unit',
    '[Service]\nExecStart=/usr/bin/redir --lport=9000 --cport=8545 127.0.0.1:8545\n',
    'redir → 127.0.0.1:8545',
  ],
  [
    'an image of a registry',
    'services:\n  a:\n    image: ghcr.io/x/websockify:1.2\n    command: 80 geth:8546\n',
    'websockify → geth:8546',
  ],
  ['apisix', 'routes:\n  - upstream: {nodes: {"127.0.0.1:8545": 1}}\n', 'apisix → 127.0.0.1:8545'],
  [
    'krakend',
    '{"backend": [{"host": ["http://127.0.0.1:8545"], "url_pattern": "/"}]}',
    'krakend → 127.0.0.1:8545',
  ],
  [
    'dshackle',
    'cluster:\n  upstreams:\n    - id: n\n      connection: {ethereum: {rpc: {url: "http://127.0.0.1:8545"}}}\n',
    'dshackle → 127.0.0.1:8545',
  ],
  ['hitch', 'frontend = "[*]:443"\nbackend = "[127.0.0.1]:8545"\n', 'hitch → [127.0.0.1]:8545'],
  ['pingap', '[upstreams.n]\naddrs = ["127.0.0.1:8545"]\n', 'pingap → 127.0.0.1:8545'],
  [
    'ncat that runs socat',
    'ncat -l -k -p 9000 --sh-exec "socat - UNIX-CONNECT:/d/geth.ipc"\n',
    'nc → /d/geth.ipc bind 9000',
  ],
  ['ncat that runs nc', 'ncat -lk 9000 -c "nc -U /d/geth.ipc"\n', 'nc → /d/geth.ipc bind 9000'],
  [
    'nc in a pipe',
    'while true; do nc -l -p 9000 < /tmp/f | nc 127.0.0.1 8545 > /tmp/f; done\n',
    'nc → 127.0.0.1:8545 bind 9000',
  ],
  ['nc on loopback', 'nc -l 127.0.0.1 9000 | nc 127.0.0.1 8545\n', 'nc → 127.0.0.1:8545 bind 127.0.0.1:9000'],
])('%s', (_, text, expected) => {
  expect(told(text)).toEqual([expected]);
});

test.each([
  [
    'a published port of the node beside it',
    'services:\n  n:\n    image: geth\n    ports: ["127.0.0.1:8545:8545"]\n  v:\n    image: varnish\n    ports: ["80:80"]\n',
  ],
  [
    'a word of another name',
    'services:\n  v:\n    image: my-varnish-docs\n    environment: {URL: "http://n:8545"}\n',
  ],
  ['a client that only connects', 'nc -z 127.0.0.1 8545\n'],
])('%s is none', (_, text) => {
  expect(told(text)).toEqual([]);
});
