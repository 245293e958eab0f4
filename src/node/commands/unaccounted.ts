/** Targets for the signs of files that no other target accounts for. */
import { Coverage } from '../deployment/ledger/coverage.js';
import { openSigns } from '../deployment/ledger/open.js';
import { questionAt } from '../deployment/ledger/question.js';
import { vocabularyOf } from '../deployment/ledger/vocabulary.js';
import type { Facts } from '../facts/facts.js';
import { notSeen } from '../facts/seen.js';
import { linesIn, type Settings } from '../facts/settings.js';
import type { OpenSign } from '../facts/sign.js';
import { kinds } from '../kinds/index.js';
import { LineIndex } from '../sources/text/line-index.js';

const vocabulary = vocabularyOf(kinds);

/** What the targets of a run account for. */
export class Ledger {
  readonly #coverage: Coverage;

  /** @param keyOf - the same for all paths of a file */
  constructor(keyOf: (path: string) => string) {
    this.#coverage = new Coverage(keyOf);
  }

  add(targets: readonly Facts[]): void {
    for (const facts of targets) this.#coverage.add(facts);
  }

  /** A file that belongs to a target and that the target does not name, such as its launcher. */
  addPart(path: string): void {
    if (!this.#coverage.isUsed(path)) this.#coverage.addWhole(path);
  }

  /** A target for each cause in a file, and notes on what needs no answer. */
  open(
    file: LineIndex,
    gatheredAt: string,
  ): { readonly targets: Facts[]; readonly notes: readonly string[] } {
    const { questions, notes } = openSigns(vocabulary, file, this.#coverage);
    const nameOf = ({ rule, subject }: OpenSign) =>
      rule === 'unfollowed-start' ? file.file : `${file.file}: ${subject.replace(/[@+].*/, '')}`;
    return { targets: questions.map((sign) => factsOf(nameOf(sign), sign, gatheredAt)), notes };
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

/** Flags that open interfaces in releases of a node that are not known, where the node may be of such a release. */
export function formerFlagsOf({ kind: id, release, start, source, name }: Settings): OpenSign[] {
  const kind = kinds.find((one) => one.id === id);
  const flag = kind?.signs.formerFlag ?? null;
  if (flag === null || kind?.releases.some((one) => one.id === release?.value)) return [];
  const word = start?.find(({ text, at }) => text !== null && at !== null && flag.test(text));
  if (word?.at == null) return [];
  const file = new LineIndex(word.at.file, linesIn(source, word.at.file).join('\n'));
  const why = `${word.text?.replace(/=.*/s, '')} opens an interface in releases before ${kind?.releases[0]?.tag}, which are not known here: what it opens there is not judged`;
  return [questionAt(file, word.at, 'unfollowed-start', name ?? file.file, why)];
}
