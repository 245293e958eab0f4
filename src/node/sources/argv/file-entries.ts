/** Files whose keys are names of flags, and whose values the node reads as those of the command line. */
import type { Dialect } from '../../dialect/dialect.js';
import type { Span } from '../../facts/span.js';
import type { FlagSet } from '../../kinds/kind.js';
import type { FileLayer } from './layers.js';

/** A key and its value. */
export interface FileEntry {
  /** With dots for the tables that it is in. */
  readonly key: string;
  readonly at: Span;
  /** The value as a text; the items of a list. */
  readonly texts: readonly string[];
  /** Why the value is not known; null if it is. */
  readonly unknown: string | null;
}

type Values = FileLayer['values'] extends ReadonlyMap<string, infer One> ? Map<string, One> : never;

/** The flags that the entries set. The items of a list are joined with commas. */
export function layerOfEntries(
  file: Pick<FileLayer, 'format' | 'path' | 'problem'>,
  entries: readonly FileEntry[],
  flags: FlagSet,
  dialect: Dialect,
): FileLayer {
  const values: Values = new Map();
  const unknownKeys: { readonly key: string; readonly at: Span }[] = [];
  for (const { key, at, texts, unknown } of entries) {
    const flag = flags.byName.get(key);
    if (flag === undefined) {
      unknownKeys.push({ key, at });
      continue;
    }
    const parsed = dialect.value(flag.type, texts.join(','));
    const read = unknown === null && 'value' in parsed ? parsed.value : null;
    const refused = unknown === null && 'refused' in parsed ? parsed.refused : null;
    values.set(flag.name, { key, value: read, refused, unknown, at });
  }
  return { ...file, values, unknownKeys };
}
