/** Values of options as clap 4 and Rust's standard library parse them. */
import { isIP } from 'node:net';
import type { FlagType, Parsed } from '../flag.js';

const largest = (1n << 64n) - 1n;

export function parseValue(type: FlagType, text: string): Parsed {
  switch (type) {
    case 'bool':
    case 'count':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { refused: 'it takes no value' };
    case 'int':
    case 'int64':
      return parseInteger(text, -(1n << 63n), (1n << 63n) - 1n);
    case 'uint':
    case 'uint64':
      return parseInteger(text, 0n, largest);
    case 'port':
      return parseInteger(text, 0n, 65_535n);
    case 'max':
      return text === 'max' ? { value: text } : parseInteger(text, 0n, largest);
    case 'float':
      return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$|^[-+]?(?:inf|infinity|nan)$/i.test(text)
        ? { value: Number(text) }
        : { refused: 'it is not a number' };
    case 'ip':
      return isAddress(text) ? { value: text } : { refused: 'it is not an IP address' };
    case 'socket':
      return socketAddress(text) === null ? { refused: 'it is not an address with a port' } : { value: text };
    case 'path':
      return text === '' ? { refused: 'it is empty' } : { value: text };
    default:
      return { value: text };
  }
}

/** Why the host cannot be bound; null if it can. Only IP addresses are accepted, and no brackets. */
export function unbindable(host: string): string | null {
  return isAddress(host) ? null : `${host} is not an IP address`;
}

/** Whether it is what `std::net::IpAddr` accepts: an IPv6 address has no zone. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

/** Decimal digits behind a sign: neither prefixes nor underscores. */
function parseInteger(text: string, least: bigint, most: bigint): Parsed {
  if (!/^[-+]?\d+$/.test(text) || (text.startsWith('-') && least === 0n))
    return { refused: 'it is not a whole number' };
  const value = BigInt(text.replace('+', ''));
  if (value < least || value > most) return { refused: 'it is out of range' };
  const number = Number(value);
  return { value: Number.isSafeInteger(number) ? number : value.toString() };
}

/**
 * A socket address as reth reads it (crates/cli/util/src/parsers.rs): a port alone is on 127.0.0.1, and another host is
 * looked up. Returns null if it is none.
 */
export function socketAddress(text: string): { readonly host: string; readonly port: number } | null {
  const [, host = '', digits = ''] = /^(?:(.*):)?\+?(\d+)$/s.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return null;
  if (host === '' || host === 'localhost') return { host: '127.0.0.1', port };
  const [, bracketed] = /^\[(.*)\]$/.exec(host) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host, port } : null;
  return /^[A-Za-z0-9._-]+$/.test(host) ? { host, port } : null;
}
