/** Programs and launchers with words that start a node with an interface, or with words that are not known. */
import { type OtherClient, otherOfProgram } from '../../../kinds/others.js';
import { blockAt, commandAt, commandIn, statementAt, wordsIn } from '../blocks.js';
import { isArgument, isCommandPlace, isFlagValue } from '../command-place.js';
import type { Vocabulary, Words } from '../vocabulary.js';
import { otherSign } from './other-start.js';
import { flagName, matchesIn, type Sign, signAt } from './sign.js';

/** The programs of one statement whose words are read. The words of further programs count as unknown. */
const maxPrograms = 50;

export function programSigns({ program, words }: Vocabulary, text: string): Sign[] {
  let last = { start: -1, count: 0 };
  return [...matchesIn(text, program())].flatMap(({ 0: word, index }): Sign[] => {
    if (isFlagValue(text, index)) return [];
    const within = statementAt(text, index);
    last = { start: within.start, count: within.start === last.start ? last.count + 1 : 0 };
    if (last.count > maxPrograms) return [signAt('program', index, word, { within, words: [null] })];
    const [, ...after] = wordsIn(text.slice(index, within.end));
    // The settings of a section, `[parity]`, are not read.
    if (/(?:^|\n)\[$/.test(text.slice(Math.max(0, index - 2), index))) after.push(null);
    const sign = signAt('program', index, word, { within, words: after });
    const client = otherOfProgram(word, after);
    if (client !== null)
      return isStart(client, after) || isCommandPlace(text, index)
        ? otherSign(text, sign, client, blockAt(text, index))
        : [];
    const before = wordsIn(text.slice(within.start, index));
    const command = commandIn(text.slice(index + word.length, within.end));
    const kind = words().find((one) =>
      startsIt(one, word.replace(/\.exe$/, ''), after, before, command),
    )?.kind;
    if (kind === undefined || (!after.some((one) => one?.startsWith('-')) && isArgument(text, index)))
      return [];
    return [{ ...sign, within: commandAt(text, sign), kind }];
  });
}

/** The command of a program that writes a deployment when it runs. */
export function generatorSigns({ words }: Vocabulary, text: string): Sign[] {
  return words().flatMap(({ kind }) => {
    const match = kind.signs.generator?.command.exec(text) ?? null;
    return match === null ? [] : [signAt('program', match.index, match[0], { kind })];
  });
}

/** Whether a word is a flag or a sub-command that serves, so that the words start the client. */
function isStart({ serving }: OtherClient, words: readonly (string | null)[]): boolean {
  return words.some((word) => word !== null && (/^--?[A-Za-z]/.test(word) || serving.includes(word)));
}

function startsIt(
  { kind, flags }: Words,
  name: string,
  words: readonly (string | null)[],
  before: readonly (string | null)[],
  command: readonly string[],
): boolean {
  if (kind.launchers?.names.includes(name))
    return (
      /^(?:re)?start$/.test(words[0] ?? '') ||
      before.some((one) => /^(?:re)?start(?:ed)?$|^enable$/.test(one ?? ''))
    );
  if (!kind.programs.includes(name)) return false;
  const literal = words.filter((one) => one !== null);
  if (!kind.startsNode(literal) || !kind.startsNode(command)) return false;
  return words.some((one) =>
    one === null ? words[0] === one || words[0]?.startsWith('-') : flags.has(flagName(one)),
  );
}
