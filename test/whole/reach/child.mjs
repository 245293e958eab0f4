/**
 * A process in a namespace, driven by messages: it runs commands and programs there, serves in place of the node, and
 * calls. It ends with the process that started it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, createServer as createForwarder, isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';

process.on('disconnect', () => process.exit());

/** Ends a connection that hangs; far above what any answer takes. */
const limitMs = 30_000;

const servers = [];
const programs = [];

const does = {
  shell: ({ script }) => execFileSync('sh', ['-ec', script], { encoding: 'utf8' }),

  /** Servers that answer every request with 200 and their own name. */
  async serve({ sockets }) {
    for (const { name, host, port, path } of sockets) {
      const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: name });
      const server = createServer((asked, response) => {
        asked.resume();
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
      });
      server.listen(path === undefined ? { host, port } : { path });
      await once(server, 'listening');
      servers.push(server);
    }
  },

  /** Leads ports to those of containers, whose clients then have the address of this machine. */
  async forward({ forwards }) {
    for (const { host, port, to } of forwards) {
      const server = createForwarder((client) => {
        const inner = connect(to);
        const end = () => {
          client.destroy();
          inner.destroy();
        };
        for (const one of [client, inner]) one.on('error', end).on('close', end);
        client.pipe(inner).pipe(client);
      });
      server.listen({ host, port });
      await once(server, 'listening');
      servers.push(server);
    }
  },

  /** Starts a program; returns once it is ready: it has children, or stderr says so. */
  async start({ words, ready }) {
    const child = spawn(words[0], words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
    programs.push(child);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const hasChildren = () =>
      readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim() !== '';
    while (child.exitCode === null && child.signalCode === null) {
      if (ready === null ? hasChildren() : said.includes(ready)) return;
      await setTimeout(2);
    }
    throw new Error(`${words.join(' ')} ended: ${said}`);
  },

  /** Ends the servers and the programs. */
  async stop() {
    for (const server of servers.splice(0)) {
      server.closeAllConnections?.();
      server.close();
    }
    for (const program of programs.splice(0)) {
      if (program.exitCode !== null || program.signalCode !== null) continue;
      const ended = once(program, 'exit');
      program.kill();
      await ended;
    }
  },

  /** Of these ways to connect, those that end at a listening socket. */
  async connect({ ways }) {
    const found = await Promise.all(ways.map(async (way) => ((await connects(way)) ? [way] : [])));
    return found.flat();
  },

  /** Opens connections, which stay until it stops. */
  async hold({ ways }) {
    for (const { host, port } of ways) {
      const socket = connect({ host, port });
      await once(socket, 'connect');
      // An answer shows that it leads to its end.
      const body = '{"jsonrpc":"2.0","id":1,"method":"rpc_modules","params":[]}';
      const head = ['POST / HTTP/1.1', 'Host: 127.0.0.1', 'Content-Type: application/json'];
      socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
      await once(socket, 'data');
      servers.push({ close: () => socket.destroy() });
    }
  },

  /** What each request gets: { status, body }, or null where the connection ends without an answer. */
  ask: ({ requests, login }) => Promise.all(requests.map((one) => ask(one, login))),
};

function connects({ host, port, from }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, localAddress: from, timeout: limitMs });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('timeout', () => {
      socket.destroy();
      reject(new Error(`no answer from ${host}:${port} to ${from ?? 'any address'}`));
    });
    socket.on('error', ({ code }) => {
      const isRefusal = ['ECONNREFUSED', 'ECONNRESET', 'ENETUNREACH', 'EHOSTUNREACH', 'EACCES'].includes(
        code,
      );
      if (isRefusal) resolve(false);
      else reject(new Error(`${code} from ${host}:${port} to ${from ?? 'any address'}`));
    });
  });
}

function ask({ host, port, from, tls, name, path, method }, login) {
  const body = method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"net_version","params":[]}' : '';
  const headers = {
    ...(name === null ? {} : { Host: name }),
    ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length }),
    ...(login === null ? {} : { Authorization: `Basic ${Buffer.from(login.basic).toString('base64')}` }),
    Connection: 'close',
  };
  const how = { host, port, path, method, headers, localAddress: from, agent: false, timeout: limitMs };
  const { cert, key } = login ?? {};
  const secured = {
    rejectUnauthorized: false,
    cert,
    key,
    ...(name === null || isIP(name) ? {} : { servername: name }),
  };
  return new Promise((resolve, reject) => {
    const asked = tls ? requestTls({ ...how, ...secured }) : request(how);
    asked.on('response', async (response) => {
      let text = '';
      try {
        for await (const part of response.setEncoding('utf8')) text += part;
        resolve({ status: response.statusCode, body: text });
      } catch {
        resolve(null);
      }
    });
    asked.on('timeout', () => {
      asked.destroy();
      reject(new Error(`no answer to ${method} ${host}:${port}${path}`));
    });
    asked.on('error', () => resolve(null));
    asked.end(body);
  });
}

process.on('message', async ({ id, ...message }) => {
  try {
    process.send({ id, value: await does[message.do](message) });
  } catch (error) {
    process.send({ id, error: String(error.stack) });
  }
});
process.send({ id: 0 });
