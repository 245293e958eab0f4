/** Which release a node is, as far as that is known. */

/** How a release is known, the best evidence first; `script`: by its launcher's script; `settings`: only these releases take them; `none`: nothing tells it. */
export const releaseBases = [
  'option',
  'build',
  'client',
  'image',
  'package',
  'script',
  'settings',
  'none',
] as const;
export type ReleaseBasis = (typeof releaseBases)[number];

/** The releases that a piece of evidence leaves. */
export interface ReleaseRange {
  /** `kaia/v1.0.3`, which need not be a release known here; null if it is not known. */
  readonly value: string | null;
  /** The first and the last of the releases known that it may be; a value newer than all is judged as the last. */
  readonly since: string;
  readonly until: string;
  /** A fork that descends from these releases, and of which no more is known: they are a guess. */
  readonly fork?: string;
}

export interface ReleaseFound extends ReleaseRange {
  readonly by: ReleaseBasis;
  /** The name of its image, or the fork that this says: the flags of the start are those of another. Absent: they agree. */
  readonly unlike?: string;
  /** Flags, without dashes, that the releases after the last one refuse; absent if none is known. */
  readonly refused?: readonly string[];
}

/** Whether the node, or whoever runs it, says which release it is; false where that is inferred. */
export function isStated({ value, by }: ReleaseFound): boolean {
  return value !== null && (by === 'option' || by === 'build' || by === 'client');
}

/** The releases in which something is there, both ends included; no end: the first or the last release known. */
export interface Period<Tag extends string = string> {
  readonly since?: Tag;
  readonly until?: Tag;
}
