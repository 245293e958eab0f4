/** Files that name no node and are sources where another file completes them: workloads, and files that run scripts. */
import { basename } from 'node:path';
import type { SourceKind } from '../facts/settings.js';
import { configuredNames, referredNames } from '../sources/kubernetes/references.js';

/** `at`: its place among the files that name a node. */
interface Candidate {
  readonly path: string;
  readonly at: number;
}

/** Kinds of files that run scripts. */
const runsScripts: ReadonlySet<SourceKind> = new Set([
  'script',
  'command line',
  'systemd',
  'compose',
  'dockerfile',
  'kubernetes',
]);

export class Candidates {
  /** The names in manifests that name a node and configure something. */
  readonly #configured = new Set<string>();
  /** Workloads that other objects configure, and the names of these. */
  readonly #workloads: (Candidate & { readonly names: readonly string[] })[] = [];
  readonly #callers: Candidate[] = [];

  /** Adds a file of a folder. */
  add(kind: SourceKind, namesNode: boolean, text: string, file: Candidate): void {
    if (!namesNode && runsScripts.has(kind)) this.#callers.push(file);
    if (kind !== 'kubernetes') return;
    const names = namesNode ? configuredNames(text) : referredNames(text);
    if (namesNode) for (const name of names) this.#configured.add(name);
    else if (names.length > 0) this.#workloads.push({ ...file, names });
  }

  /**
   * The candidates that objects of a node configure, or that run these scripts.
   * @param read - the text of a file; empty: it cannot be read
   */
  completed(scripts: readonly string[], read: (path: string) => string): Candidate[] {
    return [
      ...this.#workloads.filter(({ names }) => names.some((name) => this.#configured.has(name))),
      ...callersOf(scripts, this.#callers, read),
    ];
  }
}

/** The files that run scripts, and the files that run these. */
function callersOf(
  scripts: readonly string[],
  files: readonly Candidate[],
  read: (path: string) => string,
): Candidate[] {
  const names = [...new Set(scripts.map((path) => basename(path)))].filter((name) => /^[\w.-]+$/.test(name));
  if (names.length === 0 || files.length === 0) return [];
  // A name without an ending is often a word too.
  const quoted = names.map((name) => (name.includes('.') ? name.replaceAll('.', '\\.') : `(?<=/)${name}`));
  const calls = new RegExp(`(?<![\\w.-])(?:${quoted.join('|')})(?![\\w.-])`);
  const found = files.filter(({ path }) => calls.test(read(path)));
  const others = files.filter((one) => !found.includes(one));
  if (found.length === 0) return [];
  return [
    ...found,
    ...callersOf(
      found.map(({ path }) => path),
      others,
      read,
    ),
  ];
}
