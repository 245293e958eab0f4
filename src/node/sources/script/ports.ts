/** Published ports in the short form of compose, docker and podman. */
import type { PortHop } from '../../facts/hops.js';
import { portHop } from '../../facts/reach.js';
import type { Span } from '../../facts/span.js';
import { isKnown, type Placed } from '../text/placed.js';
import { showText } from '../text/unknown.js';
import { pairOf } from '../text/words.js';

const maxRange = 1_000;

const short = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]]*):)?(?:(\d+(?:-\d+)?)?:)?(\d+(?:-\d+)?)(?:\/(\w+))?$/;

/** A text before its variables were expanded, which an edit keeps. */
interface Written {
  readonly text: string;
  readonly at: Span;
  /** The quotes that a new text needs. */
  readonly quote: '"' | '';
}

/** [host address:][host port:]port[/protocol]. `because`: a clause such as "ports publishes it". */
export function publishedPorts(text: Placed, written: Written, because: string): PortHop[] {
  if (!isKnown(text.text)) return unknownPorts(text, written, because);
  if (text.text.includes('=')) return portsOfFields(text, because);
  const parts = short.exec(text.text);
  if (parts === null || parts[4] === 'udp') return [];
  const [, first = '', second, target = ''] = parts;
  // One colon: its left side is a port, unless it is an address.
  const alone = second === undefined && /^\d+(?:-\d+)?$/.test(first);
  const address = alone ? '' : first;
  const host = address === '' ? '0.0.0.0' : address.replace(/^\[|\]$/g, '');
  const published = alone ? first : second;
  const bind = address === '' ? null : text.slice(0, address.length);
  return portRange(target).map((to, index) => {
    const port = published === undefined ? null : (portRange(published)[index] ?? null);
    const whole =
      published === undefined && target === written.text ? `${to}:${to}` : written.text.replace(/^:/, '');
    const instead = bind === null ? `${written.quote}127.0.0.1:${whole}${written.quote}` : '127.0.0.1';
    return portHop({ to, host, port, at: bind?.span() ?? written.at, because, instead });
  });
}

/** `published=8545,target=8545,mode=host`, as `docker service` has it. */
function portsOfFields(text: Placed, because: string): PortHop[] {
  const fields = new Map(text.split(/,/).map((field) => pairOf(field)));
  const numberOf = (name: string) => Number(fields.get(name)?.text ?? Number.NaN);
  const to = numberOf('target');
  if (fields.get('protocol')?.text === 'udp' || !Number.isInteger(to)) return [];
  const port = Number.isInteger(numberOf('published')) ? numberOf('published') : null;
  return [portHop({ to, host: '0.0.0.0', port, at: text.span(), because, instead: null })];
}

/** The host address and the port in the container, as far as they are known. */
function unknownPorts(placed: Placed, { at }: Written, because: string): PortHop[] {
  const { text } = placed;
  const host = /^(\d+(?:\.\d+){3}|\[[0-9a-fA-F:.]+\]):/.exec(text)?.[1]?.replace(/^\[|\]$/g, '') ?? null;
  const [, target, protocol] = /:(\d+(?:-\d+)?)(?:\/(\w+))?$/.exec(text) ?? [];
  if (protocol === 'udp') return [];
  const own = { host, port: null, at, because, instead: null };
  if (target === undefined) {
    const from = text.lastIndexOf(':') + 1;
    return [portHop({ ...own, to: null, unsure: showText(placed.slice(from)).replace(/\/.*/, '') })];
  }
  return portRange(target).map((to) => portHop({ ...own, to }));
}

/** `8551-8553` as numbers. */
function portRange(text: string): number[] {
  const [first = 0, last = first] = text.split('-').map(Number);
  const size = Math.min(maxRange, last - first + 1);
  return Array.from({ length: Math.max(1, size) }, (_, index) => first + index);
}
