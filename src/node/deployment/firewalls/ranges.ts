/** Sets of numbers: of addresses and of ports. */
import ipaddr from 'ipaddr.js';

/** Sorted and disjoint, both ends of each range included. */
export type Ranges = readonly (readonly [low: bigint, high: bigint])[];

const [maxIp4, maxIp6] = [(1n << 32n) - 1n, (1n << 128n) - 1n];
/** Addresses of IPv4 follow those of IPv6, so that one set holds both. */
const ip4Start = maxIp6 + 1n;

/** Every address of a family. */
export const ip4: Ranges = [[ip4Start, ip4Start + maxIp4]];
export const ip6: Ranges = [[0n, maxIp6]];
export const everywhere: Ranges = [[0n, ip4Start + maxIp4]];
export const everyPort: Ranges = [[0n, 65_535n]];

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

export function union(...all: readonly Ranges[]): Ranges {
  const merged: [bigint, bigint][] = [];
  for (const [low, high] of all.flat().sort(([a], [b]) => compare(a, b))) {
    const last = merged.at(-1);
    if (last === undefined || low > last[1] + 1n) merged.push([low, high]);
    else if (high > last[1]) last[1] = high;
  }
  return merged;
}

export function intersection(a: Ranges, b: Ranges): Ranges {
  const found: [bigint, bigint][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [[lowA, highA], [lowB, highB]] = [a[i] as Ranges[0], b[j] as Ranges[0]];
    const low = compare(lowA, lowB) < 0 ? lowB : lowA;
    const high = compare(highA, highB) < 0 ? highA : highB;
    if (low <= high) found.push([low, high]);
    if (highA < highB) i += 1;
    else j += 1;
  }
  return found;
}

/** The numbers of `a` that are not in `b`. */
export function difference(a: Ranges, b: Ranges): Ranges {
  let next = 0n;
  const gaps: [bigint, bigint][] = [];
  for (const [low, high] of b) {
    if (low > next) gaps.push([next, low - 1n]);
    next = high + 1n;
  }
  return intersection(a, [...gaps, [next, ip4Start + maxIp4]]);
}

/** The set of `22` and `8000-9000`; null for a name, or for no port. */
export function portsOf(text: string): Ranges | null {
  const [, low, high = low] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  if (low === undefined || high === undefined || Number(low) > Number(high)) return null;
  return [[BigInt(low), BigInt(high)]];
}

/** The set of `10.0.0.1`, `10.0.0.0/8`, `10.0.0.1-10.0.0.9` and the same of IPv6; null for none of them. */
export function addressesOf(text: string): Ranges | null {
  const [first = '', last] = text.split('-');
  if (last !== undefined) {
    const [low, high] = [addressOf(first), addressOf(last)];
    return low === null || high === null || low > high ? null : [[low, high]];
  }
  const [address = '', prefix] = first.split('/');
  const at = addressOf(address);
  if (at === null) return null;
  const bits = at < ip4Start ? 128 : 32;
  const length = Number(prefix ?? bits);
  if (prefix === '' || !(length <= bits)) return null;
  const size = 1n << BigInt(bits - length);
  const low = (at / size) * size;
  return [[low, low + size - 1n]];
}

function addressOf(text: string): bigint | null {
  const isIp4 = ipaddr.IPv4.isValidFourPartDecimal(text);
  if (!isIp4 && !ipaddr.IPv6.isValid(text)) return null;
  const number = BigInt(`0x${Buffer.from(ipaddr.parse(text).toByteArray()).toString('hex')}`);
  return isIp4 ? number + ip4Start : number;
}

const setOf = (subnets: string): Ranges => union(...subnets.split(' ').map((one) => addressesOf(one) ?? []));

const loopback = setOf('127.0.0.0/8 ::1');
/** The addresses that facts/reach.ts calls private. */
export const privateAddresses = setOf(
  '10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 fc00::/7 fe80::/10',
);
/** The addresses of other machines. */
export const others = difference(everywhere, loopback);
