/** Forwarders are found in a text of any format, with the addresses they listen on and lead to. */
import { expect, test } from 'vitest';
import { forwardsIn } from '../../../../src/node/deployment/forwards.js';
import type { Destination } from '../../../../src/node/facts/hops.js';
import { isLoopbackAddress } from '../../../../src/node/reach/address.js';
import type { WrittenHop } from '../../../../src/node/reach/hop.js';

function destination(to: Destination): string {
  if (to === null) return 'unknown';
  if ('unknown' in to) return 'anything';
  return 'socket' in to ? to.socket : `${to.host ?? '?'}:${to.port ?? '?'}`;
}

function line({ program, listens, to }: WrittenHop): string {
  const isLoopback = listens !== null && isLoopbackAddress(listens);
  return `${program} ${listens ?? '?'}${isLoopback ? ' (loopback)' : ''} → ${destination(to)}`;
}

/** A text, and the forwards in it. */
const texts: readonly (readonly [name: string, text: string, ...forwards: string[]])[] = [
  [
    'nginx',
    'server {\n  listen 80;\n  location / {\n    proxy_pass http://127.0.0.1:8545;\n  }\n}\n',
    'nginx ? → 127.0.0.1:8545',
  ],
  [
    'nginx on one line in a script',
    `echo 'server { listen 80; location / { proxy_pass http://127.0.0.1:8545/; } }' > /etc/nginx/x`,
    'nginx ? → 127.0.0.1:8545',
  ],
  [
    'nginx that listens on loopback',
    'server { listen 127.0.0.1:8080; location / { proxy_pass http://localhost:8545; } }',
    'nginx ? → localhost:8545',
  ],
  [
    'nginx of which one address is wide',
    'server {\n listen 127.0.0.1:80;\n listen [::]:80;\n location / { proxy_pass http://127.0.0.1:8545; }\n}',
    'nginx ? → 127.0.0.1:8545',
  ],
  [
    'nginx with listen behind the location',
    'server {\n location / { proxy_pass http://geth:8545; }\n listen 8080;\n}',
    'nginx ? → geth:8545',
  ],
  [
    'nginx with an upstream',
    'upstream nodes {\n  server 10.0.0.4:8551 max_fails=1;\n  server unix:/data/klay.ipc;\n}\nserver {\n  listen 443 ssl;\n  location / { proxy_pass http://nodes; }\n}',
    'nginx ? → 10.0.0.4:8551',
    'nginx ? → /data/klay.ipc',
    'nginx ? → nodes:?',
  ],
  ['nginx to a socket', 'proxy_pass http://unix:/data/klay.ipc:/;', 'nginx ? → /data/klay.ipc'],
  [
    'nginx stream',
    'stream { server { listen 9000; proxy_pass 127.0.0.1:8546; } }',
    'nginx ? → 127.0.0.1:8546',
  ],
  ['nginx to gRPC', 'grpc_pass grpc://127.0.0.1:9090;', 'nginx ? → 127.0.0.1:9090'],
  ['nginx to a variable', 'set $node x;\nproxy_pass http://$node:8545;', 'nginx ? → ?:8545'],
  ['nginx to a public URL', 'proxy_pass https://rpc.example.com;', 'nginx ? → rpc.example.com:?'],
  ['Caddyfile', ':80 {\n\treverse_proxy 127.0.0.1:8545\n}\n', 'caddy ? → 127.0.0.1:8545'],
  [
    'Caddyfile with a matcher and two upstreams',
    'rpc.example.com {\n  reverse_proxy /rpc/* node1:8545 node2:8545 {\n    lb_policy first\n  }\n}\n',
    'caddy ? → node1:8545',
    'caddy ? → node2:8545',
  ],
  [
    'Caddyfile that binds loopback',
    'localhost:8080 {\n  bind 127.0.0.1\n  reverse_proxy localhost:8545\n}\n',
    'caddy ? → localhost:8545',
  ],
  [
    'Caddyfile without braces',
    'rpc.example.com\n\nreverse_proxy unix//data/klay.ipc\n',
    'caddy ? → /data/klay.ipc',
  ],
  ['Caddyfile with to', ':80 {\n  reverse_proxy {\n    to 10.0.0.2:8545\n  }\n}', 'caddy ? → 10.0.0.2:8545'],
  [
    'labels of caddy-docker-proxy',
    'labels:\n  caddy.reverse_proxy: "{{upstreams 8545}}"',
    'caddy ? → ?:8545',
  ],
  ['command of caddy', 'caddy reverse-proxy --from :80 --to 127.0.0.1:8545', 'caddy :80 → 127.0.0.1:8545'],
  [
    'command of caddy with a host name, which binds every address',
    'caddy reverse-proxy --from http://localhost:8080 --to 127.0.0.1:8545',
    'caddy :8080 → 127.0.0.1:8545',
  ],
  [
    'JSON of caddy',
    '{"listen": [":443"], "routes": [{"upstreams": [{"dial": "127.0.0.1:8545"}]}]}',
    'caddy ? → 127.0.0.1:8545',
  ],
  [
    'haproxy',
    'frontend rpc\n  bind *:8080\n  default_backend node\nbackend node\n  server n1 127.0.0.1:8545 check\n',
    'haproxy ? → 127.0.0.1:8545',
  ],
  [
    'haproxy listen section on loopback',
    'frontend web\n  bind *:80\nlisten rpc\n  bind 127.0.0.1:9545\n  server n1 127.0.0.1:8545\n',
    'haproxy ? → 127.0.0.1:8545',
  ],
  [
    'envoy',
    [
      'static_resources:',
      '  listeners:',
      '  - address:',
      '      socket_address: { address: 0.0.0.0, port_value: 10000 }',
      '  clusters:',
      '  - name: node',
      '    load_assignment:',
      '      endpoints:',
      '      - lb_endpoints:',
      '        - endpoint:',
      '            address:',
      '              socket_address:',
      '                address: 127.0.0.1',
      '                port_value: 8545',
    ].join('\n'),
    'envoy ? → 127.0.0.1:8545',
  ],
  [
    'apache',
    '<VirtualHost *:80>\n  ProxyPass /rpc http://127.0.0.1:8545/\n  ProxyPassReverse /rpc http://127.0.0.1:8545/\n</VirtualHost>\n',
    'apache ? → 127.0.0.1:8545',
    'apache ? → 127.0.0.1:8545',
  ],
  [
    'apache that rewrites',
    'Listen 8080\nRewriteRule ^/(.*)$ ws://127.0.0.1:8546/$1 [P,L]\n',
    'apache ? → 127.0.0.1:8546',
  ],
  ['apache balancer', 'BalancerMember http://node:8545\n', 'apache ? → node:8545'],
  [
    'traefik YAML',
    'entryPoints:\n  web:\n    address: ":80"\nhttp:\n  services:\n    node:\n      loadBalancer:\n        servers:\n          - url: "http://127.0.0.1:8545"\n',
    'traefik ? → 127.0.0.1:8545',
  ],
  [
    'traefik TOML',
    '[[http.services.node.loadBalancer.servers]]\n  url = "http://geth:8545"\n',
    'traefik ? → geth:8545',
  ],
  [
    'traefik TCP',
    'tcp:\n  services:\n    n:\n      loadBalancer:\n        servers:\n          - address: "node:8546"\n',
    'traefik ? → node:8546',
  ],
  ['socat', 'socat TCP-LISTEN:8080,fork,reuseaddr TCP:127.0.0.1:8545', 'socat 8080 → 127.0.0.1:8545'],
  [
    'socat over lines',
    'socat \\\n  TCP4-LISTEN:8080,fork \\\n  TCP4:localhost:8545',
    'socat 8080 → localhost:8545',
  ],
  [
    'socat to a socket',
    'exec socat TCP-L:9000,fork UNIX-CONNECT:/data/klay.ipc',
    'socat 9000 → /data/klay.ipc',
  ],
  [
    'socat with the destination first',
    'socat UNIX-CLIENT:/data/klay.ipc TCP6-LISTEN:9000,fork',
    'socat 9000 → /data/klay.ipc',
  ],
  [
    'socat from a socket',
    'socat UNIX-LISTEN:/tmp/rpc.sock,fork TCP:127.0.0.1:8545',
    'socat unix:/tmp/rpc.sock (loopback) → 127.0.0.1:8545',
  ],
  [
    'socat that binds loopback',
    'socat TCP-LISTEN:9000,bind=127.0.0.1,fork TCP:127.0.0.1:8545',
    'socat 127.0.0.1:9000 (loopback) → 127.0.0.1:8545',
  ],
  [
    'socat in a manifest',
    'image: alpine/socat\nargs:\n  - TCP-LISTEN:8080,fork\n  - TCP:127.0.0.1:8545\n',
    'socat 8080 → 127.0.0.1:8545',
  ],
  ['socat in JSON', '["socat", "tcp-listen:8080,fork", "tcp:geth:8545"]', 'socat 8080 → geth:8545'],
  ['socat from a variable', 'socat "$LISTEN" TCP:127.0.0.1:8545', 'socat ? → 127.0.0.1:8545'],
  ['ssh -R', 'ssh -N -R 8545:127.0.0.1:8545 user@gate', 'ssh ? → 127.0.0.1:8545'],
  ['ssh -R with an address', 'autossh -M 0 -fNR 0.0.0.0:80:localhost:8545 gate', 'ssh ? → localhost:8545'],
  ['ssh -R to a socket', 'ssh -R 8545:/data/klay.ipc gate', 'ssh ? → /data/klay.ipc'],
  ['ssh -L', 'ssh -L 8545:127.0.0.1:8545 node', 'ssh localhost:8545 (loopback) → 127.0.0.1:8545'],
  ['ssh -g -L', 'ssh -g -L 8545:127.0.0.1:8545 node', 'ssh localhost:8545 (loopback) → 127.0.0.1:8545'],
  ['ssh -L -g', 'ssh -gL 8545:127.0.0.1:8545 node', 'ssh *:8545 → 127.0.0.1:8545'],
  ['ssh -L with an address', 'ssh -L 0.0.0.0:8545:127.0.0.1:8545 node', 'ssh 0.0.0.0:8545 → 127.0.0.1:8545'],
  ['ssh -L to IPv6', 'ssh -L [::]:8545:[::1]:8545 node', 'ssh [::]:8545 → [::1]:8545'],
  ['ssh in JSON', '["ssh", "-R", "8545:localhost:8545", "gate"]', 'ssh ? → localhost:8545'],
  ['ssh_config', 'Host gate\n  RemoteForward 8545 127.0.0.1:8545\n', 'ssh ? → 127.0.0.1:8545'],
  [
    'iptables',
    'iptables -t nat -A PREROUTING -p tcp --dport 80 -j DNAT --to-destination 127.0.0.1:8545',
    'iptables 80 → 127.0.0.1:8545',
  ],
  [
    'iptables REDIRECT',
    '-A PREROUTING -p tcp --dport 80 -j REDIRECT --to-ports 8545',
    'iptables 80 → ?:8545',
  ],
  ['nftables', 'chain prerouting { tcp dport 80 dnat ip to 127.0.0.1:8545 }', 'nftables 80 → 127.0.0.1:8545'],
  ['nftables redirect', 'tcp dport 80 redirect to :8545', 'nftables 80 → ?:8545'],
  ['nftables to the same port', 'tcp dport 8545 dnat to 10.0.0.5', 'nftables 8545 → 10.0.0.5:8545'],
  [
    'iptables to the same port',
    '-A PREROUTING -p tcp --dport 8545 -j DNAT --to-destination 10.0.0.5',
    'iptables 8545 → 10.0.0.5:8545',
  ],
  [
    'firewalld',
    'firewall-cmd --add-forward-port=port=80:proto=tcp:toport=8545:toaddr=10.0.0.5',
    'firewalld 80 → 10.0.0.5:8545',
  ],
  [
    'systemd-socket-proxyd',
    '[Service]\nExecStart=/usr/lib/systemd/systemd-socket-proxyd 127.0.0.1:8545\n',
    'systemd-socket-proxyd ? → 127.0.0.1:8545',
  ],
  [
    'systemd-socket-proxyd to a socket',
    'ExecStart=/lib/systemd/systemd-socket-proxyd --exit-idle-time=5 /data/klay.ipc\n',
    'systemd-socket-proxyd ? → /data/klay.ipc',
  ],
  [
    'cloudflared file',
    'tunnel: abc\ningress:\n  - hostname: rpc.example.com\n    service: http://localhost:8545\n  - service: http_status:404\n',
    'cloudflared ? → localhost:8545',
  ],
  ['cloudflared command', 'cloudflared tunnel --url http://localhost:8545', 'cloudflared ? → localhost:8545'],
  [
    'cloudflared with a token in a container',
    'services:\n  tunnel:\n    image: cloudflare/cloudflared\n    command: tunnel run\n    environment:\n      - TUNNEL_TOKEN=${TOKEN}\n',
    'cloudflared ? → anything',
  ],
  [
    'cloudflared with a token',
    'cloudflared tunnel --no-autoupdate run --token x',
    'cloudflared ? → anything',
  ],
  [
    'cloudflared with a token in a list',
    'image: cloudflare/cloudflared\nargs:\n  - tunnel\n  - run\n  - --token\n  - x\n',
    'cloudflared ? → anything',
  ],
  ['cloudflared as a service', 'sudo cloudflared service install eyJh', 'cloudflared ? → anything'],
  ['ngrok', 'ngrok http 8545', 'ngrok ? → 127.0.0.1:8545'],
  ['ngrok with an address', 'ngrok tcp --region eu node:8545', 'ngrok ? → node:8545'],
  [
    'ngrok file',
    'version: 2\nauthtoken: x\ntunnels:\n  rpc:\n    proto: http\n    addr: 8545\n',
    'ngrok ? → 127.0.0.1:8545',
  ],
  ['frp INI', '[rpc]\ntype = tcp\nlocal_ip = 10.0.0.3\nlocal_port = 8545\n', 'frp ? → 10.0.0.3:8545'],
  ['frp TOML', '[[proxies]]\nlocalPort = 8545\nremotePort = 80\n', 'frp ? → 127.0.0.1:8545'],
  ['rathole', 'local_addr = "127.0.0.1:8545"', 'rathole ? → 127.0.0.1:8545'],
  ['tailscale funnel', 'tailscale funnel --bg 8545', 'tailscale ? → 127.0.0.1:8545'],
  ['tailscale serve', 'tailscale serve https / http://127.0.0.1:8545', 'tailscale ? → 127.0.0.1:8545'],
  [
    'tailscale file',
    '{"Handlers": {"/": {"Proxy": "http://127.0.0.1:8545"}}}',
    'tailscale ? → 127.0.0.1:8545',
  ],
  [
    'kubectl',
    'kubectl -n rpc port-forward --address 0.0.0.0 svc/geth 8080:8545 8546',
    'kubectl 0.0.0.0 → geth:8545',
    'kubectl 0.0.0.0 → geth:8546',
  ],
  ['kubectl on loopback', 'kubectl port-forward pod/ken-0 8551', 'kubectl localhost (loopback) → ken-0:8551'],
  ['bore', 'bore local 8545 --to bore.example', 'bore ? → ?:8545'],
  ['localtunnel', 'npx localtunnel --port 8545', 'localtunnel ? → ?:8545'],
  ['chisel', 'chisel client gate:80 R:8545:localhost:8545', 'chisel ? → localhost:8545'],
  ['gost', 'gost -L=tcp://:8080/127.0.0.1:8545', 'gost ? → 127.0.0.1:8545'],
  ['rinetd', '0.0.0.0 8080 127.0.0.1 8545\n', 'rinetd ? → 127.0.0.1:8545'],
  [
    'netsh',
    'netsh interface portproxy add v4tov4 listenport=80 listenaddress=0.0.0.0 connectport=8545 connectaddress=127.0.0.1',
    'netsh ? → 127.0.0.1:8545',
  ],
  [
    'tcp-services of ingress-nginx',
    'kind: ConfigMap\nmetadata:\n  name: tcp-services\ndata:\n  "8545": "rpc/geth:8545"\n  8546: rpc/geth:ws\n',
    'ingress-nginx 8545 → geth:8545',
    'ingress-nginx 8546 → geth:?',
  ],
];

test.each(texts)('%s', (_, text, ...forwards) => {
  expect(forwardsIn(text).map(line)).toEqual(forwards);
});

/** Other ways to write a forwarder, and who takes it at most. */
const taken: readonly (readonly [name: string, text: string, ...forwards: string[]])[] = [
  ['ssh -R', 'ssh -R 80:a:1 gate', 'ssh ? → a:1 bind'],
  ['ssh -R without a destination', 'ssh -R 80:a gate'],
  ['ssh -L from a socket', 'ssh -L /run/a.sock:b:1 node', 'ssh /run/a.sock (loopback) → b:1 bind'],
  [
    'ssh -L from a socket to a socket',
    'ssh -L /run/a.sock:/run/b.sock node',
    'ssh /run/a.sock (loopback) → /run/b.sock bind',
  ],
  ['ssh -L to a socket', 'ssh -L 80:/run/b.sock node', 'ssh localhost:80 (loopback) → /run/b.sock bind'],
  ['ssh -L with an empty address', 'ssh -L :80:b:1 node', 'ssh :80 → b:1 bind'],
  ['ssh -L before -g', 'ssh -L 80:b:1 -Ng node', 'ssh *:80 → b:1 bind'],
  ['ssh in a list of YAML', 'command:\n  - ssh\n  - -R\n  - 80:a:1\n', 'ssh ? → a:1 bind'],
  [
    'LocalForward',
    'LocalForward 80 a:1\nLocalForward 0.0.0.0:81 a:2\n',
    'ssh localhost:80 (loopback) → a:1 bind',
    'ssh 0.0.0.0:81 → a:2 bind',
  ],
  ['RemoteForward', 'RemoteForward 0.0.0.0:80 a:1\n', 'ssh ? → a:1 bind'],
  ['socat', 'socat TCP-LISTEN:80 TCP:a:1', 'socat 80 → a:1 bind'],
  ['socat with TLS', 'socat OPENSSL-LISTEN:443,cert=x TCP:a:1', 'socat 443 → a:1 '],
  ['socat with an old name of TLS', 'socat SSL-L:443 TCP:a:1', 'socat 443 → a:1 '],
  [
    'socat on IPv6 loopback',
    'socat TCP6-LISTEN:80,bind=[::1],fork TCP:a:1',
    'socat [::1]:80 (loopback) → a:1 bind',
  ],
  [
    'socat on localhost',
    'socat TCP-LISTEN:80,bind=localhost TCP:a:1',
    'socat localhost:80 (loopback) → a:1 bind',
  ],
  [
    'socat on an address',
    'socat TCP-LISTEN:80,bind=10.127.0.1 TCP:a:1,retry=3',
    'socat 10.127.0.1:80 → a:1 bind',
  ],
  ['socat to a file', 'socat TCP-LISTEN:80 GOPEN:/run/b.sock', 'socat 80 → /run/b.sock bind'],
  [
    'two of socat',
    'socat TCP-LISTEN:80 TCP:a:1\nsocat TCP-LISTEN:81 TCP:a:2',
    'socat 80 → a:1 bind',
    'socat 81 → a:2 bind',
  ],
  [
    'two of socat, one of them from a variable',
    'socat $A TCP:a:1\nsocat $A TCP:a:2',
    'socat ? → a:1 bind',
    'socat ? → a:2 bind',
  ],
  ['socat from its input', 'socat STDIO TCP:a:1'],
  ['socat far from an address', `socat TCP-LISTEN:80${' '.repeat(300)}TCP:a:1`],
  ['kubectl', 'kubectl port-forward svc/a 80:1', 'kubectl localhost (loopback) → a:1 bind'],
  [
    'kubectl on two addresses',
    'kubectl port-forward --address localhost,10.0.0.4 a :1',
    'kubectl 10.0.0.4 → a:1 bind',
  ],
  [
    'kubectl on two addresses of loopback',
    'kubectl port-forward --address=127.0.0.1,::1 a 1',
    'kubectl 127.0.0.1 (loopback) → a:1 bind',
  ],
  [
    'kubectl with an option before',
    'kubectl --context x port-forward -n b deploy/a 80:1; echo 2',
    'kubectl localhost (loopback) → a:1 bind',
  ],
  [
    'kubectl in JSON',
    '["kubectl", "port-forward", "--address", "0.0.0.0", "svc/a", "80:1"]',
    'kubectl 0.0.0.0 → a:1 bind',
  ],
  ['ngrok', 'ngrok http 8545', 'ngrok ? → 127.0.0.1:8545 any'],
  ['ngrok with a variable', 'ngrok http $PORT', 'ngrok ? → unknown any'],
  [
    'the image of ngrok',
    'image: ngrok/ngrok:3\n  command: http --domain=x.example en:8545\n',
    'ngrok ? → en:8545 any',
  ],
  [
    'the image of ngrok with a list',
    'image: ngrok/ngrok\n  command:\n    - http\n    - "http://en:8545"\n  ports: [80]\n',
    'ngrok ? → en:8545 any',
  ],
  [
    'the image of ngrok with words in brackets and a login',
    'image: ngrok/ngrok\n  args: ["http", "en:8545", "--basic-auth=a:b"]\n',
    'ngrok ? → en:8545 ',
  ],
  ['ngrok to a URL', 'ngrok tcp tcp://a:1 --log x | cat', 'ngrok ? → a:1 any'],
  ...['--basic-auth a:b', '--oauth google', '--cidr-allow 10.0.0.0/8', '--mutual-tls-cas x'].map(
    (option): (typeof texts)[number] => [
      `ngrok ${option}`,
      `ngrok http ${option} 8545`,
      'ngrok ? → 127.0.0.1:8545 ',
    ],
  ),
  [
    'an endpoint of ngrok',
    'agent:\n  authtoken: x\nendpoints:\n  - upstream:\n      url: http://localhost:1\n',
    'ngrok ? → localhost:1 any',
  ],
  [
    'an endpoint of ngrok with a policy',
    'endpoints:\n  - upstream:\n      url: 8545\n    traffic_policy: x\n',
    'ngrok ? → 127.0.0.1:8545 ',
  ],
  ['frp', 'localPort = 8545\n', 'frp ? → 127.0.0.1:8545 any'],
  ['frp with a secret', 'type = "stcp"\nlocalIP = "10.0.0.3"\nlocalPort = 8545\n', 'frp ? → 10.0.0.3:8545 '],
  ['frp with a password', 'httpPassword = "x"\nlocalPort = 8545\n', 'frp ? → 127.0.0.1:8545 '],
  ['tailscale serve', 'tailscale serve --bg 8545', 'tailscale ? → 127.0.0.1:8545 private'],
  ['tailscale funnel', 'tailscale funnel tcp://localhost:1', 'tailscale ? → localhost:1 any'],
  ['a file of tailscale', '{"TCPForward": "127.0.0.1:1"}', 'tailscale ? → 127.0.0.1:1 private'],
  [
    'a file of tailscale for everyone',
    '{"AllowFunnel": {"a:443": true}, "Proxy": "http://127.0.0.1:1"}',
    'tailscale ? → 127.0.0.1:1 any',
  ],
  ['cloudflared', 'tunnel: x\nservice: tcp://a:1\n', 'cloudflared ? → a:1 any'],
  [
    'cloudflared with logins',
    'tunnel: x\nservice: tcp://a:1\naccess:\n  required: true\n',
    'cloudflared ? → a:1 ',
  ],
  ['cloudflared in JSON', '["cloudflared", "tunnel", "--url", "http://a:1"]', 'cloudflared ? → a:1 any'],
  ['rinetd', '127.0.0.1 80/tcp a 1/tcp\n', 'rinetd ? → a:1 '],
  ['firewalld to a port of its own', 'port=80:proto=tcp:toport=8545', 'firewalld 80 → 127.0.0.1:8545 '],
  ['iptables with a list of ports', '--dports 80,81 -j DNAT --to-destination=a:1', 'iptables 80,81 → a:1 '],
  [
    'iptables behind another line',
    '--dport 80 -j ACCEPT\n-j REDIRECT --to-port 8545',
    'iptables ? → ?:8545 ',
  ],
  ['nftables without a port', 'dnat to a1:1', 'nftables ? → a1:1 '],
  [
    'nftables with a set of ports',
    'tcp dport { 80, 81 } counter dnat ip6 to [fd00::1]:1',
    'nftables 80 → [fd00::1]:1 ',
  ],
  ['nftables with a variable', 'redirect to $PORT', 'nftables ? → unknown '],
  ['systemd-socket-proxyd to a port', 'systemd-socket-proxyd 8545', 'systemd-socket-proxyd ? → ?:8545 '],
  [
    'labels of caddy-docker-proxy',
    'caddy: a\n caddy.reverse_proxy: "{{upstreams http 8545}}"',
    'caddy ? → ?:8545 ',
  ],
  ['a command of caddy', 'caddy reverse-proxy --to a:1 --to b:2', 'caddy ? → a:1 bind', 'caddy ? → b:2 bind'],
  [
    'a command of caddy from a name',
    'caddy reverse-proxy --from a.example.com --to a:1',
    'caddy :443 → a:1 bind',
  ],
  [
    'a command of caddy from a name without TLS',
    'caddy reverse-proxy --from "http://a.example.com" --to a:1',
    'caddy :80 → a:1 bind',
  ],
  [
    'a Caddyfile with a variable',
    ':80 {\n  reverse_proxy {$NODE} a:1\n}\n',
    'caddy ? → unknown ',
    'caddy ? → a:1 ',
  ],
  [
    'envoy in JSON',
    '{"static_resources": {"listeners": [{"address": {"socket_address": {"address": "::", "port_value": 80}}}], "clusters": [{"a": {"socket_address": {"address": "a", "port_value": 10}}}]}}',
    'envoy ? → a:10 ',
  ],
  ['ingress-nginx', '"8545": "rpc/a:1"', 'ingress-nginx 8545 → a:1 any'],
];

test.each(taken)('%s is taken', (_, text, ...forwards) => {
  expect(forwardsIn(text).map((one) => `${line(one)} ${one.from ?? ''}`)).toEqual(forwards);
});

test.each(texts)('the place of %s lies in the text', (_, text) => {
  for (const { at } of forwardsIn(text)) expect(text.slice(at.start, at.end).trim()).not.toBe('');
});

/** Quotes have a backslash in a string. */
const unquoted = texts.filter(([, text]) => !text.includes('"'));

test.each(unquoted)('%s in a string of JSON', (_, text, ...forwards) => {
  const json = JSON.stringify({ script: `#!/bin/sh\n${text}\n` });
  const found = forwardsIn(json).map(line);
  for (const forward of forwards) expect(found).toContain(forward);
});

test.each(texts)('%s as a comment forwards nothing', (_, text) => {
  const comment = text.replace(/^/gm, '# ');
  expect(forwardsIn(comment)).toEqual([]);
});

const harmless: readonly (readonly [name: string, text: string])[] = [
  ['an nginx of files', 'server { listen 80; root /var/www; location / { try_files $uri /index.html; } }'],
  ['an nginx with fastcgi', 'location ~ \\.php$ { fastcgi_pass unix:/run/php.sock; }'],
  ['a Caddyfile of files', ':80 {\n  root * /srv\n  file_server\n}\n'],
  ['a compose file', 'services:\n  node:\n    image: ken\n    ports: ["8545:8545"]\n    command: --http'],
  [
    'an Ingress',
    'kind: Ingress\nspec:\n  rules:\n  - http:\n      paths:\n      - backend:\n          service:\n            name: geth\n            port: { number: 8545 }',
  ],
  ['a Service', 'kind: Service\nspec:\n  ports:\n  - port: 8545\n    targetPort: 8545'],
  ['a client of socat', 'echo x | socat - UNIX-CONNECT:/data/klay.ipc'],
  ['ssh without forwards', 'ssh -i key.pem -o StrictHostKeyChecking=no user@node uptime'],
  ['scp and rsync', 'rsync -avR -e "ssh -p 22" a b\nscp -r x node:/srv'],
  ['iptables that drops', 'iptables -A INPUT -p tcp --dport 8545 -j DROP'],
  ['masquerading', 'iptables -t nat -A POSTROUTING -o eth0 -j MASQUERADE'],
  ['nftables that accepts', 'tcp dport { 22, 8545 } accept'],
  ['a URL of an application', 'const provider = new JsonRpcProvider("http://localhost:8545")'],
  ['a .env file', 'RPC_URL=http://127.0.0.1:8545\nPROXY=http://proxy:3128\n'],
  ['a hosts file', '127.0.0.1 localhost\n10.0.0.1 node\n'],
  ['a Makefile', 'serve:\n\tgo run ./cmd/server -listen :8545\n'],
  ['prose', 'The upstream server listens; we redirect to the docs. Use ssh to log in.'],
  ['a Go import', 'import "net/http/httputil"\n// ReverseProxy to 127.0.0.1:8545'],
  ['kubectl without a forward', 'kubectl apply -f node.yaml && kubectl logs geth-0'],
  ['tailscale up', 'tailscale up --authkey x'],
  ['cloudflared login', 'cloudflared tunnel login'],
  ['ngrok configuration', 'ngrok config add-authtoken x'],
  ['code that redirects', 'expect(`redirect to http:${port}`)'],
  ['prose on proxies', 'The frontend\n  bind *:80\nis served by a\n server within the network'],
  ['a test of socat', 'socat - UNIX-LISTEN:$ts'],
  ['a table of numbers', '1 2 3 4\n10 20 30 40\n'],
  ['apache that redirects', 'RewriteRule ^/(.*)$ https://www.example.com/$1 [R=301,L]\n'],
];

test.each(harmless)('%s forwards nothing', (_, text) => {
  expect(forwardsIn(text)).toEqual([]);
});

test.each([
  [
    'a web application',
    'server { listen 80; location / { proxy_pass http://web:3000; } }',
    'nginx ? → web:3000',
  ],
  ['a public URL', 'rpc { reverse_proxy https://rpc.example.com }', 'caddy ? → rpc.example.com:?'],
])('%s behind a proxy is no address of a node', (_, text, forward) => {
  const found = forwardsIn(text);
  expect(found.map(line)).toHaveLength(1);
  expect(found.map(({ to }) => destination(to))).toEqual([forward.split(' → ')[1]]);
});

test('a comment behind a statement is no forward, and a pattern of paths is no comment', () => {
  expect(forwardsIn('x # proxy_pass http://127.0.0.1:8545;')).toEqual([]);
  expect(
    forwardsIn('/* proxy_pass http://127.0.0.1:1;\n */ proxy_pass http://127.0.0.1:2;').map(line),
  ).toEqual(['nginx ? → 127.0.0.1:2']);
  const caddy = ':80 {\n  handle /rpc/* {\n    reverse_proxy 127.0.0.1:8545\n  }\n}\n';
  expect(forwardsIn(caddy).map(({ to }) => destination(to))).toEqual(['127.0.0.1:8545']);
});

/** Parts of forwarders that repeat without an end: steps per character stay bounded. */
test.each([
  'proxy_pass ',
  'server ',
  'upstream x',
  'reverse_proxy a ',
  '--dport 1 DNAT ',
  'tcp dport 1 dnat ',
  'socket_address ',
  'socat TCP-LISTEN:1 ',
  'ssh -R a:',
  'ProxyPass a ',
  'kubectl port-forward ',
  'local_port ',
  'local_ip = a ',
  '\n/*',
  ' ',
  '[',
  '1:a/',
])('%j repeated 20,000 times is scanned to its end', (part) => {
  const text = `${part.repeat(20_000)}\nproxy_pass http://127.0.0.1:8545;\n`;
  expect(forwardsIn(text).length).toBeGreaterThan(0);
});
