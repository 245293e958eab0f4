/** A child process that pretends to be a node: listens where its arguments say, answers JSON-RPC over http. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { WebSocketServer } from 'ws';

const wordsOf = (name) =>
  process.argv.filter((word) => word.startsWith(`${name}=`)).map((word) => word.slice(name.length + 1));
const ports = wordsOf('listen');
const modules = (process.argv.find((word) => word.startsWith('modules=')) ?? 'modules=kaia,net,web3').slice(
  8,
);

const unlocked = wordsOf('unlocked');

function answer({ id, method, params }, offered = modules) {
  const results = {
    rpc_modules: Object.fromEntries(offered.split(',').map((name) => [name, '1.0'])),
    personal_listWallets: unlocked.map((address) => ({ status: 'Unlocked', accounts: [{ address }] })),
    web3_clientVersion: 'Klaytn/v2.2.1/linux-amd64/go1.25.3',
    net_version: '8217',
    kaia_accounts: unlocked,
  };
  const known = method in results || offered.split(',').includes(method.split('_')[0]);
  if (Array.isArray(params) && method in results) return { jsonrpc: '2.0', id, result: results[method] };
  return { jsonrpc: '2.0', id, error: { code: known ? -32602 : -32601, message: 'no' } };
}

const bound = [];
/** `only6/[::]:8551` leaves IPv4 to another socket. */
async function listen(at, answering) {
  const [, only6, bracketed = '', port] = /^(only6\/)?(.*):(\d+)$/.exec(at) ?? [];
  const host = bracketed.replace(/^\[|\]$/g, '');
  const server = createServer(answering);
  // Without a port, `at` is the path of a Unix socket.
  await new Promise((resolve) =>
    server.listen(
      port === undefined ? at : { port: Number(port), host, ipv6Only: only6 !== undefined },
      resolve,
    ),
  );
  if (port !== undefined) bound.push(server.address().port);
  return server;
}
for (const at of ports) {
  await listen(at, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (/\.invalid/.test(request.headers.host)) response.writeHead(403).end();
      // A node answers any GET with an empty 200.
      else if (request.method !== 'POST') response.end();
      else
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(JSON.parse(body))));
    });
  });
}
for (const at of wordsOf('ws')) {
  const server = await listen(at, (_, response) => response.writeHead(400).end());
  new WebSocketServer({ server }).on('connection', (socket) =>
    socket.on('message', (text) => socket.send(JSON.stringify(answer(JSON.parse(String(text)))))),
  );
}
for (const path of wordsOf('ipc')) {
  rmSync(path, { force: true });
  await new Promise((resolve) =>
    createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (text) =>
        socket.write(JSON.stringify(answer(JSON.parse(text), `${modules},personal`))),
      );
    }).listen(path, resolve),
  );
}
for (const at of wordsOf('profiler'))
  await listen(at, ({ url }, response) => {
    if (url === '/debug/pprof/') response.end('<html>\n<head>\n<title>/debug/pprof/</title>\n');
    else response.writeHead(404).end('404 page not found\n');
  });
process.stdout.write(`${JSON.stringify(bound)}\n`);
