/** Starts whose script or image is not among the files. */
import { blockAt } from '../blocks.js';
import { containersIn } from '../containers.js';
import { scriptsIn } from '../scripts.js';
import type { Vocabulary } from '../vocabulary.js';
import { inComment } from './found.js';
import { otherSign } from './other-start.js';
import { type Sign, signAt } from './sign.js';

/** The start of a script by whose name it starts a node. */
export function scriptSigns({ words }: Vocabulary, path: string, text: string): Sign[] {
  const kinds = words().map(({ kind }) => kind);
  return scriptsIn(kinds, path, text).flatMap(({ start, key, path: word, tail, starts }): Sign[] => {
    if (inComment(text, start)) return [];
    const block = blockAt(text, key);
    const isStage = /^[ \t]*(?:ENTRYPOINT|CMD)\b/.test(text.slice(key, key + 100));
    const within = isStage ? { start: 0, end: text.length } : block;
    const sign = { ...signAt('script', start, word, { within, words: [null] }), tail };
    return 'signs' in starts ? [{ ...sign, kind: starts }] : otherSign(text, sign, starts, block);
  });
}

/** A container whose image is not known, with words of a node. */
export function containerSigns(vocabulary: Vocabulary, text: string): Sign[] {
  return containersIn(vocabulary, text).flatMap(({ start, image, within, words, starts }): Sign[] => {
    if (inComment(text, start)) return [];
    const sign = signAt('container', start, image, { within, words: [...words, null] });
    if (starts === null || 'signs' in starts) return [{ ...sign, kind: starts }];
    return otherSign(text, sign, starts, within);
  });
}
