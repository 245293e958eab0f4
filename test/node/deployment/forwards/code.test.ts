/** Programs that forward by their own code are named, with the addresses in it. */
import { expect, test } from 'vitest';
import { forwardsIn } from '../../../../src/node/deployment/forwards.js';

const line = ({ program, to }: ReturnType<typeof forwardsIn>[number]) =>
  `${program} → ${to === null ? '?' : 'socket' in to ? to.socket : 'port' in to ? `${to.host ?? 'here'}:${to.port}` : '*'}`;

const node = 'http://127.0.0.1:8545';

test.each<[name: string, path: string, text: string, ...found: string[]]>([
  [
    'http-proxy',
    'proxy.js',
    `const p = require('http-proxy');\np.createProxyServer({ target: '${node}' }).listen(80);`,
    'http-proxy → 127.0.0.1:8545',
  ],
  [
    'a middleware of express with a default',
    'src/app.mjs',
    `import { createProxyMiddleware } from "http-proxy-middleware";\nconst target = process.env.RPC ?? "${node}/";\n`,
    'http-proxy → 127.0.0.1:8545',
  ],
  [
    'http-proxy to a host and a port',
    'proxy.ts',
    `import httpProxy from 'http-proxy';\nhttpProxy.createServer({ target: { host: 'geth', port: 8545 } });`,
    'http-proxy → here:8545',
  ],
  [
    'a plugin of fastify',
    'server.cjs',
    `fastify.register(require('@fastify/http-proxy'), { upstream: 'http://geth:8545' });`,
    'http-proxy → geth:8545',
  ],
  [
    'http-proxy to the IPC socket',
    'proxy.js',
    `const httpProxy = require('http-proxy');\nconst o = { socketPath: '/data/geth.ipc' };`,
    'http-proxy → /data/geth.ipc',
  ],
  [
    'a server that pipes its requests',
    'relay.js',
    `http.createServer((req, res) => {\n  const out = http.request({ hostname: '127.0.0.1', port: 8545 });\n  req.pipe(out);\n}).listen(80);`,
    'http.createServer → here:8545',
  ],
  [
    'a server of TCP',
    'relay.js',
    `net.createServer((c) => c.pipe(net.connect(8545, '127.0.0.1'))).listen(9000);`,
    'net.createServer → here:8545',
  ],
  [
    'a server of TCP before the IPC socket',
    'relay.js',
    `net.createServer((c) => c.pipe(net.connect('/data/geth.ipc')).pipe(c)).listen(9000);`,
    'net.createServer → /data/geth.ipc',
  ],
  [
    'a reverse proxy in Go',
    'main.go',
    `u, _ := url.Parse("${node}")\nhttp.ListenAndServe(":80", httputil.NewSingleHostReverseProxy(u))`,
    'httputil.ReverseProxy → 127.0.0.1:8545',
  ],
  [
    'a relay in Go',
    'main.go',
    'l, _ := net.Listen("tcp", ":80")\nc, _ := net.Dial("tcp", "127.0.0.1:8545")',
    'net.Listen → 127.0.0.1:8545',
  ],
  [
    'a relay in Python',
    'relay.py',
    `import socket\ns = socket.create_server(("0.0.0.0", 80))\nu = socket.create_connection(("127.0.0.1", 8545))`,
    'socket → 127.0.0.1:8545',
  ],
  [
    'a relay in Python to a socket',
    'relay.py',
    `import socket\ns = socket.socket()\ns.listen()\nu = socket.socket(socket.AF_UNIX)\nu.connect("/d/geth.ipc")`,
    'socket → /d/geth.ipc',
  ],
  [
    'asyncio',
    'relay.py',
    `await asyncio.start_server(on, "", 80)\nr, w = await asyncio.open_connection("127.0.0.1", 8545)`,
    'asyncio → 127.0.0.1:8545',
  ],
  ['a client', 'client.js', `const web3 = new Web3('${node}');`],
  ['a server that asks the node', 'api.js', `express().get('/', () => fetch('${node}'));`],
  ['a package with the library', 'package.json', `{"dependencies": {"http-proxy": "1"}, "proxy": "${node}"}`],
  ['a test of a proxy', 'proxy.test.js', `import p from 'http-proxy';\np({ target: '${node}' });`],
  ['a file of nginx in a string', 'nginx.py', `t = 'proxy_pass ${node};'`],
])('%s', (_, path, text, ...found) => {
  expect(forwardsIn(text, path).map(line)).toEqual(found);
});
