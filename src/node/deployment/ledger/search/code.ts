/** The sources of programs. */
import { posix } from 'node:path';
import type { Vocabulary } from '../vocabulary.js';
import { opensInterface } from './flags.js';
import { found } from './found.js';
import { listsPrivate } from './lists.js';
import { nameOf, type Sign, signAt } from './sign.js';

/**
 * In the source of a program: a node's program, launcher or image in quotes, where a flag of an interface is in quotes too,
 * and a list with a private module.
 */
export function codeSigns(vocabulary: Vocabulary, text: string): Sign[] {
  const { words, variable } = vocabulary;
  const all = [...found(text, /(["'`])([^"'`\n]{1,400})\1/g)].map(
    (match) => ({ inside: (match[2] ?? '').split(/\s+/), start: match.index + 1 }) as const,
  );
  const isFlagged = words().filter(({ flags }) =>
    all.some(({ inside }) => inside.some((one) => flags.has(nameOf(one)))),
  );
  const starts = all.flatMap(({ inside: [first = '', second = ''], start }, index): Sign[] => {
    const name = posix.basename(first);
    const next = second || (all[index + 1]?.inside[0] ?? '');
    const kind = words().find(({ kind: one }) =>
      one.launchers?.names.includes(name)
        ? /^(?:re)?start$/.test(next)
        : isFlagged.some((own) => own.kind === one) &&
          (one.programs.includes(name) || one.evidence.ofImage(first) !== null),
    )?.kind;
    return kind === undefined ? [] : [signAt('program', start, first, { words: [next], kind })];
  });
  const lists = [...found(text, variable())].flatMap(({ 1: name = '', 2: value = '', index }) =>
    listsPrivate(vocabulary, value) ? [signAt('variable', index, name)] : [],
  );
  // The words of a command, where its program is named in another file.
  const commands = all.filter(
    ({ inside: [first = '', ...rest] }) =>
      first.startsWith('-') && rest.length > 0 && opensInterface(vocabulary, [first, ...rest]),
  );
  const flags = commands.map(({ inside: [first = ''], start }) => signAt('flag', start, first));
  return [...[...starts, ...flags].slice(0, 1), ...lists];
}
