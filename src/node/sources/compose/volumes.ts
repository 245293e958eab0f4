/** What a volume of a service brings. */
import { isKnown, type Placed } from '../text/placed.js';
import type { YamlNode } from '../yaml/node.js';

/** The source of a volume that brings `path`, where that is a file beside the compose file. */
export function sourceOf(entry: YamlNode, path: string): Placed | null {
  const { text } = entry;
  const target = text === null ? entry.get('target')?.text?.text : text.text.split(':')[1];
  const source = text === null ? (entry.get('source')?.text ?? null) : text.slice(0, text.text.indexOf(':'));
  if (target === undefined || source === null || !isKnown(source.text)) return null;
  const relative = /^\.{0,2}\//.test(source.text);
  if (!relative) return null;
  if (target === path) return source;
  const folder = target.endsWith('/') ? target : `${target}/`;
  return path.startsWith(folder)
    ? source.as(`${source.text.replace(/\/$/, '')}/${path.slice(folder.length)}`)
    : null;
}
