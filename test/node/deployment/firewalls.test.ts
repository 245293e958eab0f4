/** Which files have rules of a firewall. */
import { expect, test } from 'vitest';
import { mayFilter } from '../../../src/node/deployment/firewalls.js';

test.each([
  ['nftables.conf', 'table inet filter {\n}\n'],
  ['rules.v4', '*filter\n:INPUT DROP [0:0]\nCOMMIT\n'],
  ['fw.sh', '#!/bin/sh\nsudo ufw --force enable\n'],
  ['fw.sh', 'ufw default deny incoming\n'],
  ['fw.sh', '  iptables -P INPUT DROP\n'],
  ['fw.sh', 'ip6tables-restore < /etc/rules.v6\n'],
  ['fw.sh', 'nft add rule inet f input tcp dport 8551 drop\n'],
  ['fw.sh', 'firewall-cmd --add-port=30303/tcp\n'],
  ['tasks.yml', '- community.general.ufw:\n    rule: deny\n'],
  ['etc/firewalld/zones/public.xml', '<zone/>'],
  ['main.tf', 'resource "aws_security_group_rule" "rpc" {\n'],
])('%s with %j', (path, text) => {
  expect(mayFilter(path, text)).toBe(true);
});

test.each([
  ['up.sh', 'apt-get install -y ufw nftables\n'],
  ['up.sh', '# ufw allow 22\nsystemctl enable nftables\n'],
  ['up.sh', 'echo "open 30303 in your firewall"\n'],
  ['kend.conf', 'RPC_ENABLE=1\n'],
])('%s with %j has none', (path, text) => {
  expect(mayFilter(path, text)).toBe(false);
});
