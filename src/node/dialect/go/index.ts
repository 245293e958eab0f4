/** Programs on urfave/cli and Go's flag package. */

import { isIPv6 } from 'node:net';
import { commandIn } from '../command.js';
import type { Dialect } from '../dialect.js';
import type { Flag, FlagRules } from '../flag.js';
import { joinOccurrences, type Occurrence } from '../occurrence.js';
import { parseValue, parseVariable } from './values.js';
import { parseWords } from './words.js';

export const go: Dialect = {
  parse: parseWords,
  effective,
  value: parseValue,
  variable: parseVariable,
  flagIn: (word) => /^--?([A-Za-z][^=]*)/.exec(word)?.[1] ?? null,
  commandIn,
  unbindable,
  addressIn,
};

/**
 * The uses of flags that have an effect. A switch that the node looks for as it is written stays on: a later
 * --prometheus=false does not turn it off. A list keeps every value.
 */
function effective(rules: FlagRules, all: readonly Occurrence[]): Occurrence[] {
  const occurrences = rules.counting?.(all) ?? all;
  const literal = occurrences.filter((one) => one.literal && rules.literal.has(one.flag.name));
  const counting = occurrences.filter((one) => one.literal || !literal.some(({ flag }) => flag === one.flag));
  const lists = new Map<Flag, Occurrence>();
  for (const one of counting.filter(({ flag }) => flag.type === 'list')) {
    const before = lists.get(one.flag);
    lists.set(one.flag, before === undefined ? one : joinOccurrences(before, one));
  }
  return [...counting.filter(({ flag }) => flag.type !== 'list'), ...lists.values()];
}

/** Why Go's net.Listen rejects the host; null if it accepts it. */
function unbindable(host: string): string | null {
  const bracketed = /^\[(.*)\]$/.exec(host)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? null : `${host} is not an IPv6 address`;
  // Node.js compiles its pattern of an IPv6 address at the first call.
  if (host.includes(':')) {
    const bare = isIPv6(host);
    return bare
      ? `an IPv6 address must be in brackets: [${host}]`
      : `${host} holds a port, which another setting names`;
  }
  return /^[A-Za-z0-9._-]*$/.test(host) ? null : `${host} is not a host name`;
}

/** `tcp://host:port` or `host:port`, where an empty host is every address, or `unix:///path`. */
function addressIn(text: string) {
  const [, path] = /^unix:\/\/(.+)$/.exec(text.trim()) ?? [];
  if (path !== undefined) return { path };
  const [, host = '', port] = /^(?:tcp[46]?:\/\/)?(\[[^\]]*\]|[^:/]*):(\d{1,5})\/?$/.exec(text.trim()) ?? [];
  return port === undefined ? null : { host: host === '' ? '0.0.0.0' : host, port: Number(port) };
}
