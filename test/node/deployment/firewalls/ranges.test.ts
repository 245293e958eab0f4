/** Sets of addresses and ports. */
import { expect, test } from 'vitest';
import {
  addressesOf,
  difference,
  everywhere,
  intersection,
  others,
  portsOf,
  privateAddresses,
  union,
} from '../../../../src/node/deployment/firewalls/ranges.js';
import { reachOfHost } from '../../../../src/node/facts/reach.js';

/** Addresses at both sides of the ends of the ranges that are private or loopback, and others. */
const addresses =
  '0.0.0.0 9.255.255.255 10.0.0.0 10.255.255.255 11.0.0.0 100.63.255.255 100.64.0.0 100.127.255.255 100.128.0.0 ' +
  '126.255.255.255 127.0.0.1 127.255.255.255 128.0.0.0 169.253.255.255 169.254.0.0 169.254.255.255 169.255.0.0 ' +
  '172.15.255.255 172.16.0.0 172.31.255.255 172.32.0.0 192.167.255.255 192.168.0.0 192.168.255.255 192.169.0.0 ' +
  '::1 ::2 fbff::1 fc00::1 fdff::1 fe00::1 fe7f::1 fe80::1 febf::1 fec0::1 2001:db8::1 255.255.255.255';

// The wildcard is a host to bind to; as a source it is no address.
test.each(addresses.split(' ').slice(1))('%s is private or loopback as for a host', (address) => {
  const one = addressesOf(address) ?? [];
  const isPrivate = intersection(one, privateAddresses).length > 0;
  const isOther = intersection(one, others).length > 0;
  expect(isOther ? (isPrivate ? 'private' : 'any') : 'loopback').toBe(reachOfHost(address).reach);
});

test.each([
  ['10.0.0.9/8', '10.0.0.0-10.255.255.255'],
  ['0.0.0.0/0', '0.0.0.0-255.255.255.255'],
  ['fd00::/8', 'fd00::-fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
  ['1::', '1:0:0:0:0:0:0:0'],
])('%s is %s', (text, same) => {
  expect(addressesOf(text)).not.toBeNull();
  expect(addressesOf(text)).toEqual(addressesOf(same));
});

test.each([
  '',
  'example.org',
  '10.0.0',
  '256.0.0.1',
  '10.0.0.0/33',
  '10.0.0.0/x',
  '10.0.0.9-10.0.0.1',
  '1:2',
  '10.0.0.0/255.0.255.0',
  '10.0.0.0/',
])('the addresses of %s are not known', (text) => {
  expect(addressesOf(text)).toBeNull();
});

test.each([
  ['22', [[22n, 22n]]],
  ['8000-9000', [[8000n, 9000n]]],
  ['8000:9000', null],
  ['9000-8000', null],
  ['ssh', null],
])('the ports of %s', (text, ports) => {
  expect(portsOf(text)).toEqual(ports);
});

test('sets are joined, cut and taken from each other', () => {
  expect(union([[5n, 6n]], [[1n, 2n]], [[3n, 3n]])).toEqual([
    [1n, 3n],
    [5n, 6n],
  ]);
  expect(
    intersection(
      [
        [1n, 5n],
        [8n, 9n],
      ],
      [
        [0n, 1n],
        [4n, 8n],
      ],
    ),
  ).toEqual([
    [1n, 1n],
    [4n, 5n],
    [8n, 8n],
  ]);
  expect(
    difference(
      [[1n, 9n]],
      [
        [0n, 1n],
        [4n, 5n],
      ],
    ),
  ).toEqual([
    [2n, 3n],
    [6n, 9n],
  ]);
  expect(difference(everywhere, everywhere)).toEqual([]);
});
