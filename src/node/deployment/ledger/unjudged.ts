/** Clients that are no kind of node: one open question for each client of a file, by the widest of its starts. */
import { basename } from 'node:path';
import { groupBy } from '../../../util/group-by.js';
import { count } from '../../../util/words.js';
import { acknowledging, type OpenSign } from '../../facts/sign.js';
import { commonModule } from '../../kinds/common-modules.js';
import { type OpenInterface, summary } from '../../kinds/others.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { questionAt } from './question.js';
import type { Other, Sign } from './search/sign.js';

/** What a file leaves open. */
export interface OpenIn {
  readonly questions: readonly OpenSign[];
  /** Clients that bind to loopback by literal words: they need no answer. */
  readonly notes: readonly string[];
}

export function judgeOthers(file: LineIndex, signs: readonly Sign[]): OpenIn {
  const starts = signs.flatMap(({ other, ...at }) => {
    const script = at.type === 'script' ? at.word : null;
    return other === undefined ? [] : [{ ...other, at, script }];
  });
  const notes: string[] = [];
  const questions = [...groupBy(starts, ({ client }) => client.name)].flatMap(([name, all]) => {
    const open = all.filter((one) => !isLocal(one));
    const [first] = open;
    if (first === undefined) {
      const { line } = file.span(all[0]?.at ?? { start: 0, end: 0 });
      const where = all.some(({ interfaces }) => interfaces.length > 0)
        ? ', on loopback only'
        : ' and opens no interface';
      notes.push(`${file.file}:${line}: ${name} runs here${where} · not judged`);
      return [];
    }
    const isOpen = open.some(({ published, interfaces }) => isPublic(published, interfaces));
    // The image and the script of a container are one start.
    const others = new Set(open.map(({ at }) => at.within.start)).size - 1;
    const more = others === 0 ? '' : ` · and ${count(others, 'more start')}`;
    const opened = open.flatMap(({ interfaces }) => interfaces);
    const subject = subjectOf(name, isOpen, opened);
    const shown =
      first.script === null
        ? summary(first.client, first.interfaces, saidOf(first))
        : `${basename(first.script)} is not among the files read: what ${name} opens is not known`;
    const why = unjudgedReason(`${shown}${more}`, subject);
    return [questionAt(file, file.span(first.at), 'unjudged-node', subject, why)];
  });
  return { questions, notes };
}

/** What an acknowledgement names: `reth@any+admin`. */
export function subjectOf(name: string, isAny: boolean, interfaces: readonly OpenInterface[]): string {
  const modules = privateModules(interfaces).map((one) => `+${one}`);
  return `${name}${isAny ? '@any' : ''}${modules.join('')}`;
}

export function unjudgedReason(shown: string, subject: string): string {
  return `${shown}. ${acknowledging([subject])}`;
}

/** Whether literal words bind every interface to loopback, and nothing publishes it, or open none. */
function isLocal({ interfaces, published }: Other): boolean {
  return published === 'any' ? interfaces.length === 0 : interfaces.every((one) => one.isLoopback);
}

function isPublic(published: Other['published'], interfaces: Other['interfaces']): boolean {
  return published === 'any' || (published === 'host' && interfaces.some(({ isLoopback }) => !isLoopback));
}

function saidOf({ published }: Other): string {
  return {
    any: 'published',
    host: 'on the network of the machine',
    loopback: 'published on loopback',
    none: '',
  }[published];
}

function privateModules(interfaces: readonly OpenInterface[]): string[] {
  const listed = interfaces.flatMap(({ modules, switches }) => [
    ...(modules ?? '')
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((name) => commonModule(name)?.privileged === true || name === 'all'),
    ...(switches.some((one) => /admin/i.test(one)) ? ['admin'] : []),
  ]);
  return [...new Set(listed)].sort();
}
