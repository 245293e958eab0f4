/** What compose publishes of a service: `ports` in both forms. */
import type { Published } from '../launch/launch.js';
import { isKnown, type Placed } from '../text/placed.js';
import type { YamlNode } from '../yaml/node.js';

const maxRange = 1_000;
const because = 'ports publishes it';

/** One entry of `ports`; `fill` carries out ${NAME}. */
export function publishedBy(entry: YamlNode, fill: (text: Placed) => Placed): Published[] {
  if (entry.isMap) return longForm(entry, fill);
  const { text } = entry;
  return text === null ? [] : shortForm(fill(text), entry);
}

const short = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]]*):)?(?:(\d+(?:-\d+)?)?:)?(\d+(?:-\d+)?)(?:\/(\w+))?$/;

/** [host address:][host port:]port[/protocol] */
function shortForm(text: Placed, entry: YamlNode): Published[] {
  const at = entry.at;
  if (!isKnown(text.text)) {
    const host = /^(\d+(?:\.\d+){3}|\[[0-9a-fA-F:.]+\]):/.exec(text.text)?.[1] ?? null;
    return [{ port: null, host, hostPort: null, at, because, instead: null }];
  }
  const parts = short.exec(text.text);
  if (parts === null || parts[4] === 'udp') return [];
  const [, first = '', second, target = ''] = parts;
  // One colon: its left side is a port, unless it is an address.
  const alone = second === undefined && /^\d+(?:-\d+)?$/.test(first);
  const host = alone || first === '' ? '0.0.0.0' : first.replace(/^\[|\]$/g, '');
  const published = alone ? first : second;
  return range(target).map((port, index) => {
    const hostPort = published === undefined ? null : (range(published)[index] ?? null);
    return { port, host, hostPort, at, because, instead: `"127.0.0.1:${hostPort ?? port}:${port}"` };
  });
}

function longForm(entry: YamlNode, fill: (text: Placed) => Placed): Published[] {
  const field = (name: string) => {
    const text = entry.get(name)?.text ?? null;
    return text === null ? null : fill(text).text;
  };
  const target = field('target') ?? '';
  if (field('protocol') === 'udp') return [];
  const host = field('host_ip') ?? '0.0.0.0';
  const published = Number(field('published') ?? Number.NaN);
  const { at } = entry;
  return [
    {
      port: /^\d+$/.test(target) ? Number(target) : null,
      host: isKnown(host) ? host : null,
      hostPort: Number.isInteger(published) ? published : null,
      at: entry.get('host_ip')?.at ?? entry.get('published')?.at ?? at,
      because,
      instead: entry.get('host_ip') === null ? null : '127.0.0.1',
    },
  ];
}

function range(text: string): number[] {
  const [first = 0, last = first] = text.split('-').map(Number);
  const size = Math.min(maxRange, last - first + 1);
  return Array.from({ length: Math.max(1, size) }, (_, index) => first + index);
}
