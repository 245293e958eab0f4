import { expect, test } from 'vitest';
import { admissionOf } from '../../../../src/node/sources/systemd/admission.js';
import { directives } from '../../../../src/node/sources/systemd/directives.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

test.each([
  ['Deny=8551', '0.0.0.0', 'loopback'],
  ['Deny=ipv4:8551', '0.0.0.0', undefined],
  ['Deny=ipv4:8551', '', undefined],
  ['Deny=ipv4:8551', '::', undefined],
  ['Deny=ipv4:8551', null, undefined],
  ['Deny=ipv4:8551', '10.0.0.1', 'loopback'],
  ['Deny=ipv4:8551', '127.0.0.1', 'loopback'],
  ['Deny=ipv4:8551', 'fd00::1', undefined],
  ['Deny=ipv6:8551', 'fd00::1', 'loopback'],
  ['Deny=ipv6:8551', '0.0.0.0', undefined],
  ['Deny=ipv4:tcp:8000-9000 ipv6:8551', '0.0.0.0', 'loopback'],
  ['Deny=ipv4:udp:8551 ipv6:8551', '0.0.0.0', undefined],
  ['Deny=any\nSocketBindAllow=ipv4:8551', '0.0.0.0', undefined],
  ['Deny=any\nSocketBindAllow=ipv4:8551', 'fd00::1', 'loopback'],
])('SocketBind%j limits a port on %s to %s', (lines, host, expected) => {
  const unit = new LineIndex('ken.service', `[Service]\nSocketBind${lines}\n`);
  expect(admissionOf(directives(unit))?.(8551, host)?.access.open).toBe(expected);
});
