/** The kernel's tables and what other programs print of them, line by line. */
import { expect, test } from 'vitest';
import { readLsof, readSocketTable, readSs } from '../../../../src/node/probe/local/sockets.js';

const head =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, state = '0A', inode = '12345') =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100 0 0 10 0`;

test.each([
  ['0100007F:2167', '127.0.0.1', 8551],
  ['00000000:2168', '0.0.0.0', 8552],
  ['0A00A8C0:EE49', '192.168.0.10', 61001],
  ['00000000000000000000000000000000:7E43', '::', 32323],
  ['00000000000000000000000001000000:2167', '::1', 8551],
  ['0000000000000000FFFF00000100007F:2167', '127.0.0.1', 8551],
  ['B80D0120000000000000000001000000:0050', '2001:db8::1', 80],
  // IPv4 behind ::ffff: and nowhere else.
  ['B80D012000000000FFFF00000100007F:0050', '2001:db8::ffff:7f00:1', 80],
  ['000000000000000000FF00000100007F:0050', '::ff00:7f00:1', 80],
  ['0000000000000000FF0000000100007F:0050', '::ff:7f00:1', 80],
])('%s is %s:%i', (local, address, port) => {
  expect(readSocketTable(`${head}\n${row(local)}\n`)).toEqual([
    { address, port, inode: '12345', uid: '1000' },
  ]);
});

test('only listening sockets count; other lines are ignored', () => {
  const lines = [head, row('0100007F:2167', '01'), 'nonsense', '', row('zz:1'), row('0100007F:2168')];
  expect(readSocketTable(lines.join('\n')).map(({ port }) => port)).toEqual([8552]);
});

test('an endless table is cut at the limit', () => {
  expect(readSocketTable(`${row('0100007F:2167')}\n`.repeat(5000))).toHaveLength(4096);
  expect(readLsof('n*:8551\n'.repeat(5000))).toHaveLength(4096);
  expect(readSs('LISTEN  0  4096   *:8552 *:*\n'.repeat(5000))).toHaveLength(4096);
});

test('the output of lsof is read', () => {
  const text = 'p812\nf12\nn*:8551\nn[::1]:8552\nn127.0.0.1:61001\np9\nn10.0.0.1:53\nnodd\n';
  expect(readLsof(text)).toEqual([
    { address: '::', port: 8551, pid: 812 },
    { address: '::1', port: 8552, pid: 812 },
    { address: '127.0.0.1', port: 61001, pid: 812 },
    { address: '10.0.0.1', port: 53, pid: 9 },
  ]);
});

test('the output of ss is read', () => {
  const text = [
    'LISTEN 0 4096 0.0.0.0:8551 0.0.0.0:*',
    'LISTEN 0 4096 *:8552 *:*',
    'LISTEN 0 128 [::1]:631 [::]:*',
    'LISTEN 0 4096 127.0.0.53%lo:53 0.0.0.0:*',
    'LISTEN 0 50 [::ffff:127.0.0.1]:9000 *:*',
    'LISTEN 0 50 [fe80::1%eth0]:546 *:*',
    'LISTEN 0 50 x127.0.0.1:1 *:*',
    'LISTEN 0 50 127.0.0.1:123456 *:*',
    'what is this',
  ].join('\n');
  expect(readSs(text)).toEqual([
    { address: '0.0.0.0', port: 8551 },
    { address: '::', port: 8552 },
    { address: '::1', port: 631 },
    { address: '127.0.0.53', port: 53 },
    { address: '127.0.0.1', port: 9000 },
    { address: 'fe80::1', port: 546 },
  ]);
});
