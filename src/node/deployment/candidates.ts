/** Files that name no node and are sources where another file completes them: workloads, and files that run scripts. */
import { basename, dirname, extname } from 'node:path';
import { escapeForRegExp } from '../../util/escape-for-reg-exp.js';
import type { SourceKind } from '../facts/settings.js';
import { configuredNames, referredNames } from '../sources/kubernetes/references.js';

/** `at`: its place among the files that name a node. */
interface Candidate {
  readonly path: string;
  readonly at: number;
}

/** Kinds of files that run scripts. */
const runsScripts = new Set<SourceKind>([
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
  /** The images that commands build. */
  readonly #images = new Set<string>();

  /** Adds a file of a folder. */
  add(kind: SourceKind, namesNode: boolean, text: string, file: Candidate): void {
    if (!namesNode && runsScripts.has(kind)) this.#callers.push(file);
    if (kind !== 'kubernetes') return;
    const names = namesNode ? configuredNames(text) : referredNames(text);
    if (namesNode) for (const name of names) this.#configured.add(name);
    else if (names.length > 0) this.#workloads.push({ ...file, names });
  }

  /** Adds the names that `docker build -t NAME` in any file gives to images. */
  addImages(text: string): void {
    if (text.includes('build')) for (const [, name = ''] of text.matchAll(tagged)) this.#images.add(name);
  }

  /**
   * The candidates that objects of a node configure, that run these scripts, that edit a file which names a node, or that
   * run an image which a script builds.
   * @param sources - the files that name a node
   * @param read - the text of a file; empty if it cannot be read
   */
  completed(
    scripts: readonly string[],
    sources: readonly string[],
    read: (path: string) => string,
  ): Candidate[] {
    const callers = callersOf(scripts, this.#callers, read);
    const others = this.#callers.filter((one) => !callers.includes(one));
    const names = sources.map((path) => escapeForRegExp(basename(path)));
    return [
      ...this.#workloads.filter(({ names }) => names.some((name) => this.#configured.has(name))),
      ...callers,
      ...naming([...this.#images].map(escapeForRegExp), others, read),
      ...naming(names, others, read).filter(({ path }) => edits.test(read(path))),
    ];
  }
}

/** Commands that change a file, or print it changed to `kubectl apply`. */
const edits = /^(?:[^#\n]*[ \t;&|])?(?:sed|yq|perl|patch|envsubst)[ \t]/m;

const tagged =
  /\b(?:docker|podman)\b[^\n]{0,40}\bbuild\b(?:\\\n|[^\n]){0,400}?\s(?:-t|--tag)[ =]([\w./-]{3,})/g;

/** The files whose text has a word that one of these expressions matches. */
function naming(names: readonly string[], files: readonly Candidate[], read: (path: string) => string) {
  if (names.length === 0 || files.length === 0) return [];
  const calls = new RegExp(`(?<![\\w.-])(?:${[...new Set(names)].join('|')})(?![\\w.-])`);
  return files.filter(({ path }) => calls.test(read(path)));
}

/** The files that run scripts, and the files that run these. */
function callersOf(
  scripts: readonly string[],
  files: readonly Candidate[],
  read: (path: string) => string,
): Candidate[] {
  // A name without an ending is often a word too.
  const names = scripts.map((path) => {
    const name = escapeForRegExp(basename(path));
    return name.includes('.') ? name : `(?<=/)${name}`;
  });
  // `cmd/$1.sh` names each script of the folder.
  const folders = scripts.filter((path) => /(?:^|\/)[\w-]+\/[\w.-]+$/.test(path));
  const dispatched = folders.map(
    (path) => `${basename(dirname(path))}/\\$\\{?\\w+\\}?${escapeForRegExp(extname(path))}`,
  );
  const found = naming([...names, ...dispatched], files, read);
  if (found.length === 0) return [];
  const others = files.filter((one) => !found.includes(one));
  const next = found.map(({ path }) => path);
  return [...found, ...callersOf(next, others, read)];
}
