/** Targets for the signs of files that no other target accounts for. */

import { resolve } from 'node:path';
import { once } from '../../util/once.js';
import type { UnreadPart } from '../deployment/found.js';
import { Coverage, type Folder } from '../deployment/ledger/coverage.js';
import { familyOf } from '../deployment/ledger/family.js';
import { questionAt } from '../deployment/ledger/question.js';
import type { Facts } from '../facts/facts.js';
import { notSeen } from '../facts/seen.js';
import { accountKeys, type SecretFile } from '../facts/settings.js';
import type { OpenSign } from '../facts/sign.js';
import { secretsIn } from '../judge/settings/secrets.js';
import { looseKeys, namedSecrets } from '../sources/named-secrets.js';
import { commentsOf, LineIndex } from '../sources/text/line-index.js';

/** What the lines of a file hold, which are judged where a target uses it. */
const keysOfLines: ReadonlySet<string> = new Set([...accountKeys, 'private keys']);

/** The search for signs: loaded when a file needs it, and a file that is read as a whole does not. */
const signSearch = once(async () => {
  const [{ openSigns }, { vocabularyOf }, { kinds }] = await Promise.all([
    import('../deployment/ledger/open.js'),
    import('../deployment/ledger/vocabulary.js'),
    import('../kinds/index.js'),
  ]);
  const vocabulary = vocabularyOf(kinds);
  return (file: LineIndex, coverage: Coverage) => openSigns(vocabulary, file, coverage);
});

/** What the targets of a run account for. */
export class Ledger {
  readonly #coverage: Coverage;
  readonly #parts = new Set<string>();
  readonly #cwd: string;
  /** The absolute paths of the keys that targets name. */
  readonly #keys = new Set<string>();
  /** Files whose lines the rules read, by absolute path. */
  readonly #judged = new Set<string>();
  #isEmpty = true;
  /** Whether a client is named that is not judged. */
  #hasOther = false;

  constructor(folder: Folder, cwd: string) {
    this.#coverage = new Coverage(folder);
    this.#cwd = cwd;
  }

  add(targets: readonly Facts[]): void {
    this.#isEmpty &&= targets.length === 0;
    for (const facts of targets) {
      this.#coverage.add(facts);
      const settings = facts.conf?.state === 'seen' ? facts.conf.value.settings : null;
      const named = settings?.secretFiles ?? facts.keys?.files ?? [];
      for (const { path } of named) this.#keys.add(resolve(this.#cwd, path));
      const { path = null, others = {} } = settings?.source ?? {};
      for (const one of [path ?? [], Object.keys(others)].flat()) this.#judged.add(resolve(this.#cwd, one));
    }
  }

  /** The tracked keys of nodes that no target names, as one target. */
  looseKeys(paths: readonly string[], gatheredAt: string): Facts[] {
    const found = looseKeys(paths, this.#cwd, !this.#isEmpty || this.#hasOther);
    // The lines of a file that a target uses are told with the target.
    const isTold = ({ path, holds }: SecretFile) =>
      keysOfLines.has(holds) && this.#judged.has(resolve(this.#cwd, path));
    const files = found.filter((one) => !this.#keys.has(resolve(this.#cwd, one.path)) && !isTold(one));
    const [first] = files;
    if (first === undefined) return [];
    const at = new LineIndex(first.path, '').span({ start: 0, end: 0 });
    const source = { path: first.path, lines: [], comments: [], multiline: [] };
    const keys = { files: files.map((one) => ({ ...one, at })), source };
    return [{ name: first.path, role: null, conf: null, live: null, keys, gatheredAt }];
  }

  /** Beside a node, parts of the folder that are not read are open questions. */
  askUnread(parts: readonly UnreadPart[], gatheredAt: string): Facts[] {
    return (this.#isEmpty ? [] : parts).map(({ path, why }) => {
      const file = new LineIndex(path, '');
      const sign = questionAt(file, file.span({ start: 0, end: 0 }), 'unfollowed-start', path, why);
      return factsOf(path, sign, gatheredAt);
    });
  }

  /** A file that belongs to a target and that the target does not name, such as its launcher. */
  addPart(path: string): void {
    this.#parts.add(path);
  }

  /** A target for each cause in a file, with the keys that the file names, and notes on what needs no answer. */
  async open(
    file: LineIndex,
    gatheredAt: string,
  ): Promise<{ readonly targets: Facts[]; readonly notes: readonly string[] }> {
    // Known when all targets are added.
    for (const part of this.#parts) if (!this.#coverage.isUsed(part)) this.#coverage.addWhole(part);
    this.#parts.clear();
    if (this.#coverage.isWhole(file.file)) return { targets: [], notes: [] };
    const { questions, notes } = (await signSearch())(file, this.#coverage);
    const nameOf = ({ rule, subject }: OpenSign) =>
      rule === 'unfollowed-start' ? file.file : `${file.file}: ${subject.replace(/[@+].*/, '')}`;
    const targets = questions.map((sign) => factsOf(nameOf(sign), sign, gatheredAt));
    this.#hasOther ||= targets.length + notes.length > 0;
    const files = targets.length + notes.length === 0 ? [] : namedSecrets([file], this.#cwd);
    // The lines of a target's file are those of the target, and a program has words that look like secrets.
    const isOwn = targets.length > 0 && !this.#coverage.isUsed(file.file);
    const isCode = familyOf(file.file) === 'code';
    const lines = (isOwn ? file.lines() : []).map((line) => (isCode && !/key-?hex/i.test(line) ? '' : line));
    if (files.length === 0 && secretsIn(lines).length === 0) return { targets, notes };
    for (const { path } of files) this.#keys.add(resolve(this.#cwd, path));
    const comments = commentsOf(file.text, file);
    const source = { path: file.file, lines, comments, multiline: [] };
    const conf = notSeen('unfollowed', 'its clients are not judged');
    const [first = { name: file.file, role: null, conf, live: null, gatheredAt }, ...others] = targets;
    return { targets: [{ ...first, keys: { files, source } }, ...others], notes };
  }
}

/** A target of which only an open question is known. */
export function factsOf(name: string, sign: OpenSign, gatheredAt: string): Facts {
  return {
    name,
    role: null,
    conf: notSeen('unfollowed', sign.reason),
    live: null,
    signs: [sign],
    gatheredAt,
  };
}
