/** What compose publishes of a service: `ports` in both forms. */
import type { PortHop } from '../../facts/hops.js';
import { portHop } from '../../facts/reach.js';
import { publishedPorts } from '../script/ports.js';
import { isKnown, type Placed } from '../text/placed.js';
import { showText } from '../text/unknown.js';
import type { YamlNode } from '../yaml/node.js';

const because = 'ports publishes it';

/** One entry of `ports`; `fill` expands ${NAME}. */
export function publishedBy(entry: YamlNode, fill: (text: Placed) => Placed): PortHop[] {
  if (entry.isMap) return longForm(entry, fill);
  const { text, at } = entry;
  return text === null ? [] : publishedPorts(fill(text), { text: text.text, at, quote: '"' }, because);
}

function longForm(entry: YamlNode, fill: (text: Placed) => Placed): PortHop[] {
  const field = (name: string) => {
    const text = entry.get(name)?.text ?? null;
    return text === null ? null : fill(text);
  };
  const target = field('target');
  if (field('protocol')?.text === 'udp') return [];
  const bind = field('host_ip');
  const host = bind?.text ?? '0.0.0.0';
  const published = Number(field('published')?.text ?? Number.NaN);
  return [
    portHop({
      ...(/^\d+$/.test(target?.text ?? '')
        ? { to: Number(target?.text) }
        : { to: null, unsure: target === null ? '' : showText(target) }),
      host: isKnown(host) ? host : null,
      port: Number.isInteger(published) ? published : null,
      at: bind?.span() ?? entry.get('published')?.at ?? entry.at,
      because,
      instead: bind === null ? null : '127.0.0.1',
    }),
  ];
}
