/** Flags that few other programs have, where neither the program nor its image is named. */
import { posix } from 'node:path';
import { type OtherClient, otherOfFlags } from '../../../kinds/others.js';
import { blockAt, commandAt, statementAt, wordsIn } from '../blocks.js';
import type { Vocabulary, Words } from '../vocabulary.js';
import { otherSign } from './other-start.js';
import { listsPrivate } from './settings.js';
import { flagName, matchesIn, type Sign, signAt } from './sign.js';

/** Flags that only another client has. */
export function otherFlagSigns({ otherFlag }: Vocabulary, text: string): Sign[] {
  return [...matchesIn(text, otherFlag())].flatMap(({ 0: word, index }): Sign[] => {
    const within = blockAt(text, index);
    const words = wordsIn(text.slice(within.start, within.end));
    const client = otherOfFlags(words);
    if (client === null || !hasFlagOf(client, words, word)) return [];
    return otherSign(text, signAt('flag', index, word, { within, words }), client, within);
  });
}

/** Whether another flag of the client is beside the first one: other software may have one. */
export function hasFlagOf({ own, interfaces }: OtherClient, words: readonly (string | null)[], first = '') {
  const settings = interfaces.flatMap((one) => [one.enable, one.addr, one.port, one.api].flat());
  const known = new Set([...own, ...settings.map((name) => name.replace(/^-+/, ''))]);
  return words.some(
    (word) => word !== null && flagName(word) !== flagName(first) && known.has(flagName(word)),
  );
}

export function flagSigns({ flag, words }: Vocabulary, text: string): Sign[] {
  // The words of a command are read once for all its flags.
  let last = { end: 0, isOther: false };
  return [...matchesIn(text, flag())].flatMap(({ 0: word, index }): Sign[] => {
    const within = statementAt(text, index);
    if (index >= last.end && index < within.end) {
      const { start, end } = commandAt(text, { start: index, end: index + word.length, within });
      last = { end, isOther: runsOther(words(), wordsIn(text.slice(start, end))) };
    }
    if (last.isOther && index < last.end) return [];
    const [own = null, other] = words().filter(({ flags }) => flags.has(flagName(word)));
    const kind = other === undefined ? (own?.kind ?? null) : null;
    return [
      signAt('flag', index, word, { within, words: wordsIn(text.slice(within.start, within.end)), kind }),
    ];
  });
}

/** Whether it is a sub-command that starts no node, behind a node's program or image: `geth --http.addr x attach`. */
function runsOther(all: readonly Words[], own: readonly (string | null)[]): boolean {
  return own.some((word, at) => {
    if (word === null || word.startsWith('-') || /^--?[\w.-]+$/.test(own[at - 1] ?? '')) return false;
    // Behind a flag only a known sub-command is one.
    const behind = ['--datadir=.', ...own.slice(at + 1).filter((one) => one !== null)];
    return all.some(
      ({ kind }) =>
        (kind.programs.includes(posix.basename(word)) || kind.signs.image.test(word)) &&
        !kind.startsNode(behind),
    );
  });
}

/** Whether there are two flags of one interface, or a flag and a list with a private module after it. */
export function opensInterface(vocabulary: Vocabulary, own: readonly (string | null)[]): boolean {
  const names = own.map((word) => flagName(word ?? ''));
  return vocabulary.words().some(({ interfaces }) =>
    interfaces.some((flags) => {
      const places = names.flatMap((name, index) => (flags.has(name) ? [index] : []));
      return (
        new Set(places.map((index) => names[index])).size > 1 ||
        places.some((index) =>
          listsPrivate(vocabulary, own[index]?.split('=')[1] ?? own[index + 1]?.replace(/^-.*/, '') ?? ''),
        )
      );
    }),
  );
}
