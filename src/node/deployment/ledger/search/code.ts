/** The sources of programs. */
import { posix } from 'node:path';
import { otherOfImage, otherOfName, otherOfProgram } from '../../../kinds/others.js';
import { isCommandPlace } from '../command-place.js';
import type { Vocabulary } from '../vocabulary.js';
import { hasFlagOf, opensInterface } from './flags.js';
import { otherSign } from './other-start.js';
import { listsPrivate } from './settings.js';
import { flagName, matchesIn, type Sign, signAt } from './sign.js';

/**
 * In the source of a program: a node's program, launcher or image in quotes, where a flag of an interface is in quotes too,
 * and a list with a private module.
 */
export function codeSigns(vocabulary: Vocabulary, text: string): Sign[] {
  const { words, variable } = vocabulary;
  const all = [...matchesIn(text, /(["'`])([^"'`\n]{1,400})\1/g)].map(
    ({ 0: { length }, 2: inside = '', index }): Quoted => ({
      inside: inside.split(/\s+/),
      start: index + 1,
      end: index + length - 1,
    }),
  );
  const isFlagged = words().filter(({ flags }) =>
    all.some(({ inside }) => inside.some((one) => flags.has(flagName(one)))),
  );
  const starts = all.flatMap(({ inside, start }, index): Sign[] =>
    inside.flatMap((first, at): Sign[] => {
      const place = text.indexOf(first, start + inside.slice(0, at).join(' ').length);
      if (first === '' || (at > 0 && !isCommandPlace(text, place))) return [];
      const name = posix.basename(first);
      const next = inside[at + 1] || (all[index + 1]?.inside[0] ?? '');
      // Of a program that needs a command, the name alone is often one in a list of names.
      const kind = words().find(({ kind: one }) =>
        one.launchers?.names.includes(name)
          ? /^(?:re)?start$/.test(next)
          : isFlagged.some((own) => own.kind === one) &&
            (one.programs.includes(name) || one.evidence.ofImage(first) !== null) &&
            (one.startsNode([]) || one.startsNode([next])),
      )?.kind;
      return kind === undefined ? [] : [signAt('program', place, first, { words: [next], kind })];
    }),
  );
  const lists = [...matchesIn(text, variable())].flatMap(({ 1: name = '', 2: value = '', index }) =>
    listsPrivate(vocabulary, value) ? [signAt('variable', index, name)] : [],
  );
  // The words of a command, where its program is named in another file.
  const commands = all.filter(
    ({ inside: [first = '', ...rest] }) =>
      /^[-{%$]/.test(first) && rest.length > 0 && opensInterface(vocabulary, [first, ...rest]),
  );
  const flags = commands.map(({ inside: [first = ''], start }) => signAt('flag', start, first));
  const options = [...matchesIn(text, vocabulary.list())].flatMap(({ 1: name = '', 2: value = '', index }) =>
    listsPrivate(vocabulary, value) ? [signAt('flag', index, name)] : [],
  );
  return [
    ...[...starts, ...flags, ...options].slice(0, 1),
    ...lists,
    ...otherCodeSigns(text, all),
    ...developmentSigns(text),
  ];
}

const library = /\b(?:require\(\s*|from\s+)["'](ganache(?:-core|-cli)?)["']/g;
const listens = /\.listen\([^;]{0,200}?,\s*["'`]([\w.:]+)["'`]/;

/** A development server that a program starts by its library, where the program says on which address. */
function developmentSigns(text: string): Sign[] {
  const [, host] = listens.exec(text) ?? [];
  const client = otherOfName('ganache');
  if (host === undefined || client === null) return [];
  return [...matchesIn(text, library)].flatMap(({ 0: { length }, 1: name = '', index }) => {
    const within = { start: index, end: index + length };
    const sign = signAt('program', text.indexOf(name, index), name, {
      within,
      words: ['--server.host', host],
    });
    return otherSign(text, sign, client, within).filter(reachesOthers);
  });
}

const reachesOthers = ({ other }: Sign) => other?.interfaces.some(({ isLoopback }) => !isLoopback) === true;

/** The words of a text in quotes. */
interface Quoted {
  readonly inside: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Another client in quotes, by its program or image, where a flag of its interfaces is in quotes behind it. */
function otherCodeSigns(text: string, all: readonly Quoted[]): Sign[] {
  if (!all.some(({ inside }) => inside.some((word) => flagName(word) !== ''))) return [];
  return all.flatMap(({ inside, start, end }) =>
    inside.flatMap((word, at): Sign[] => {
      const place = text.indexOf(word, start + inside.slice(0, at).join(' ').length);
      if (word === '' || flagName(word) !== '' || (at > 0 && !isCommandPlace(text, place))) return [];
      const [call = ''] = text.slice(end + 1, end + 2_000).split(/;|\)\s*\n\s*\w/, 1);
      const within = { start, end: end + call.length };
      const words = [...inside.slice(at + 1), ...argumentsIn(call)];
      const client = otherOfProgram(word, words) ?? (word.includes('/') ? otherOfImage(word, words) : null);
      if (client === null || !hasFlagOf(client, words)) return [];
      const sign = signAt('program', place, word, { within, words });
      return otherSign(text, sign, client, within).filter(reachesOthers);
    }),
  );
}

/** The words in quotes of a call; null for a variable in a list of them. */
function argumentsIn(call: string): (string | null)[] {
  const parts = call.matchAll(/(["'`])([^"'`\n]{1,400})\1|[[,]\s*(?:\.\.\.)?[A-Za-z_$][\w.$]*\s*(?=[,\]])/g);
  return [...parts].flatMap(([, , quoted]) => quoted?.trim().split(/\s+/) ?? [null]);
}
