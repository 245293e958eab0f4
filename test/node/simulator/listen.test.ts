import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listenAt } from '../../../src/node/simulator/listen.js';

/** A server for which the system refuses to listen at one address. */
function serverWithout(refused: string, code: string) {
  const server = createServer();
  const listen = server.listen.bind(server);
  return Object.assign(server, {
    listen: (at: { readonly host: string }, done: () => void) =>
      at.host === refused ? server.emit('error', Object.assign(new Error(code), { code })) : listen(at, done),
  });
}

test.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('without IPv6 (%s), ::1 is 127.0.0.1', async (code) => {
  const listening = await listenAt(serverWithout('::1', code), 'http', '::1', 0);
  expect([listening.host, listening.port > 0]).toEqual(['127.0.0.1', true]);
  await listening.close();
});

test.each([
  ['::1', 'EADDRINUSE', 'port 8551 on ::1 is in use'],
  ['127.0.0.1', 'EACCES', 'port 8551 on 127.0.0.1 needs higher privileges'],
  ['127.0.0.1', 'EADDRNOTAVAIL', 'port 8551 on 127.0.0.1 cannot be used (EADDRNOTAVAIL)'],
])('an address %s that fails with %s is an error', async (host, code, said) => {
  await expect(listenAt(serverWithout(host, code), 'http', host, 8551)).rejects.toMatchObject({
    message: `cannot simulate http: ${said}`,
    hint: expect.stringContaining('--free-ports'),
  });
});
