/** The places of modules in a conf, by what is written there. */
import { expect, test } from 'vitest';
import { linesIn } from '../../../../src/node/facts/settings.js';
import { readConf } from '../../editables.js';

/** Of each module of http, the line and the text at its place. */
function written(conf: string): string[] {
  const { settings } = readConf(
    'kend.conf',
    Buffer.from(`NETWORK=mainnet\nDATA_DIR=/d\nRPC_ENABLE=1\n${conf}`),
  );
  const listed = settings.listeners.find(({ kind }) => kind === 'http')?.listed ?? [];
  return listed.map(({ at }) => {
    if (at === null || at.line !== at.endLine) return 'no one line';
    const line = linesIn(settings.source, at.file)[at.line - 1] ?? '';
    return `${at.line - 3} ${line.slice(at.column - 1, at.endColumn - 1)}`;
  });
}

test.each([
  ['two words of the same value', 'RPC_API="ethx,eth,net"', ['1 ethx', '1 eth', '1 net']],
  ['blanks that the launcher strips', 'RPC_API="eth, net ,admin"', ['1 eth', '1 net', '1 admin']],
  ['options that echo takes', 'RPC_API="-n eth, net"', ['1 eth', '1 net']],
  ['an escape', 'RPC_API=eth,n\\et', ['1 eth', '1 n\\et']],
  ['quotes within a word', `RPC_API=eth,'n'"et",web3`, ['1 eth', `1 n'"et`, '1 web3']],
  ['a value that is appended to', 'RPC_API=eth\nRPC_API+=",net"', ['1 eth', '2 net']],
  ['a variable that names it again', 'RPC_API=eth\nRPC_API="$RPC_API,net"', ['1 eth', '2 net']],
  ['another variable', 'MORE=net,admin\nRPC_API="eth,$MORE"', ['2 eth', '1 net', '1 admin']],
  ['a variable declared', 'export MORE="net,admin"\nexport RPC_API=eth,$MORE', ['2 eth', '1 net', '1 admin']],
  ['a default', 'RPC_API=${RPC_API:-eth,net}', ['1 eth', '1 net']],
  ['a flag of the extra flags', 'ADDITIONAL="--rpcapi eth,net"', ['1 eth', '1 net']],
  ['the same name in another value', 'WS_API=net\nRPC_API=eth,net', ['2 eth', '2 net']],
])('modules are placed where they are written: %s', (_, conf, expected) => {
  expect(written(conf)).toEqual(expected);
});

test('a value that doubles many times keeps its place as a whole', () => {
  const doubled = Array.from({ length: 14 }, () => 'A="$A$A"').join('\n');
  expect(written(`A=e,\n${doubled}\nRPC_API="$A"`)[0]).toMatch(/ "\$A\$A"$/);
});
