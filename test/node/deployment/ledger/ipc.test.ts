/** A relay to the IPC socket that is understood is judged like any other interface. */
import { expect, test } from 'vitest';
import { lintFiles } from './lint-files.js';

const socat = (to: string) => `#!/bin/sh\nsocat TCP-LISTEN:9000,fork,reuseaddr UNIX-CONNECT:${to}\n`;
const geth = '#!/bin/bash\nexec geth --datadir /d\n';

async function judged(files: Readonly<Record<string, string>>) {
  const { interfaces, findings, verdict } = await lintFiles(files);
  const ipc = interfaces.find(({ transport, role }) => transport === 'ipc' && role === undefined);
  const [first] = findings.filter(
    ({ rule, subject }) => rule !== 'implicit-modules' && /^ipc /.test(subject),
  );
  return `${ipc?.reach} ${verdict} ${first?.severity ?? '-'} ${first?.subject ?? '-'}`;
}

test.each([
  ['geth', { 'start.sh': geth, 'p.sh': socat('/d/geth.ipc') }, 'any fail critical ipc admin'],
  [
    'a link to the socket',
    { 'start.sh': geth, 'p.sh': `${socat('/run/x.sock')}ln -sf /d/geth.ipc /run/x.sock\n` },
    'any fail critical ipc admin',
  ],
  ['a relay to another socket', { 'start.sh': geth, 'p.sh': socat('/d/other.sock') }, 'ipc pass - -'],
  [
    'a relay on loopback',
    { 'start.sh': geth, 'p.sh': socat('/d/geth.ipc').replace('fork', 'fork,bind=127.0.0.1') },
    'ipc pass - -',
  ],
  [
    'a socket that is off',
    { 'start.sh': geth.replace('/d', '/d --ipcdisable'), 'p.sh': socat('/d/geth.ipc') },
    'undefined pass - -',
  ],
  [
    'ken',
    { 'start.sh': '#!/bin/bash\nexec ken --datadir /d --rpc --rpcapi klay\n', 'p.sh': socat('/d/klay.ipc') },
    'any fail critical ipc admin',
  ],
  [
    'nginx with a login',
    {
      'start.sh': geth,
      'nginx.conf':
        'events {}\nhttp { server { auth_basic x; location / { proxy_pass http://unix:/d/geth.ipc; } } }\n',
    },
    'ipc pass - -',
  ],
])('%s', async (_, files, expected) => {
  expect(await judged(files)).toBe(expected);
});

test('debug, unlocked accounts and development accounts count too', async () => {
  const unlocked = '--unlock 0x71562b71999873db5b286df957af199ec94617f7';
  const ken = `#!/bin/bash\nexec ken --datadir /d ${unlocked} --rpc.unsafe-debug.disable\n`;
  const { findings } = await lintFiles({ 'start.sh': ken, 'p.sh': socat('/d/klay.ipc') });
  const rules = findings.map(({ rule, severity, subject }) => `${severity} ${rule} ${subject}`);
  expect(rules).toContain('critical unsafe-debug ipc debug');
  expect(rules).toContain('critical unlocked-account --unlock');
  const { findings: dev } = await lintFiles({
    'start.sh': '#!/bin/bash\nexec geth --dev --datadir /d\n',
    'p.sh': socat('/d/geth.ipc'),
  });
  expect(dev.map(({ rule }) => rule)).toContain('dev-account');
});
