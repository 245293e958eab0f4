/** systemd-socket-proxyd with its socket units, their drop-ins and other names. */
import { expect, test } from 'vitest';
import { lintFiles } from './lint-files.js';

const unit = (name: string) => `etc/systemd/system/${name}`;
const node = { [unit('geth.service')]: '[Service]\nExecStart=/usr/bin/geth --http --http.api eth,admin\n' };
const own = {
  ...node,
  [unit('p.service')]: '[Service]\nExecStart=/usr/lib/systemd/systemd-socket-proxyd 127.0.0.1:8545\n',
};

test.each([
  ['a socket of its name', { [unit('p.socket')]: '[Socket]\nListenStream=0.0.0.0:80\n' }, 'any'],
  [
    'one that names the service',
    { [unit('a.socket')]: '[Socket]\nListenStream=8080\nService=p.service\n' },
    'any',
  ],
  [
    'one that names another service',
    {
      [unit('p.socket')]: '[Socket]\nListenStream=8080\nService=x.service\n',
      [unit('b.socket')]: '[Socket]\nListenStream=127.0.0.1:1\nService=p.service\n',
    },
    'loopback',
  ],
  [
    'a drop-in that adds an address',
    {
      [unit('p.socket')]: '[Socket]\nListenStream=127.0.0.1:8080\n',
      [unit('p.socket.d/o.conf')]: '[Socket]\nListenStream=8081\n',
    },
    'any',
  ],
  [
    'a drop-in that clears the addresses',
    {
      [unit('p.socket')]: '[Socket]\nListenStream=8080\n',
      [unit('p.socket.d/o.conf')]: '[Socket]\nListenStream=\nListenStream=127.0.0.1:8081\n',
    },
    'loopback',
  ],
])('%s', async (_, files, reach) => {
  const { interfaces, undetermined } = await lintFiles({ ...own, ...files });
  expect(interfaces.find(({ transport }) => transport === 'http')?.reach).toBe(reach);
  expect(undetermined).toEqual([]);
});

test.each([
  [
    'a socket that starts socat for each connection',
    {
      [unit('s.socket')]: '[Socket]\nListenStream=8080\nAccept=yes\n',
      [unit('s@.service')]:
        '[Service]\nExecStart=/usr/bin/socat - TCP:127.0.0.1:8545\nStandardInput=socket\n',
    },
    'any',
  ],
  [
    'a socket that starts nc for each connection',
    {
      [unit('s.socket')]: '[Socket]\nListenStream=10.0.0.5:8080\nAccept=yes\n',
      [unit('s@.service')]: '[Service]\nExecStart=-/usr/bin/nc 127.0.0.1 8545\nStandardInput=socket\n',
    },
    'private',
  ],
  [
    'a variable of the unit in the place of the address',
    {
      [unit('p.socket')]: '[Socket]\nListenStream=8080\n',
      [unit('p.service')]:
        '[Service]\nEnvironment="TO=127.0.0.1:8545"\nExecStart=/usr/lib/systemd/systemd-socket-proxyd $TO\n',
    },
    'any',
  ],
])('%s', async (_, files, reach) => {
  const { interfaces } = await lintFiles({ ...node, ...files });
  expect(interfaces.find(({ transport }) => transport === 'http')?.reach).toBe(reach);
});
