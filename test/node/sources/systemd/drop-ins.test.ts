/** Which files of a unit count. systemd.unit(5), systemd.service(5) */
import { expect, test } from 'vitest';
import { gravely } from '../../deployment/lint-folder.js';

const unit = (api: string, prefix = '') =>
  `[Service]\nEnvironment=API=eth,admin\nExecStart=${prefix}/usr/bin/geth --http --http.addr 0.0.0.0 --http.api ${api}\n`;

test.each([
  ['etc/systemd/system', 'usr/lib/systemd/system', 'exit 0'],
  ['usr/lib/systemd/system', 'etc/systemd/system', 'critical at etc/systemd/system/geth.service:3\nexit 1'],
  [
    'a/etc/systemd/system',
    'b/usr/lib/systemd/system',
    'critical at b/usr/lib/systemd/system/geth.service:3\nexit 1',
  ],
  ['etc/systemd/system', 'usr/lib/systemd/user', 'critical at usr/lib/systemd/user/geth.service:3\nexit 1'],
])('a unit in %s and one with the admin module in %s', async (plain, other, expected) => {
  const files = { [`${plain}/geth.service`]: unit('eth'), [`${other}/geth.service`]: unit('eth,admin') };
  expect(await gravely(files)).toBe(expected);
});

test.each([
  ['', true],
  [':', false],
])('a command after %j has a variable expanded: %s', async (prefix, expected) => {
  expect((await gravely({ 'geth.service': unit('$API', prefix) })).includes('critical')).toBe(expected);
});
