/** Carriage returns at the ends of lines, which bash takes for a part of the value. */
import type { Alternative } from '../../facts/facts.js';
import type { Listener } from '../../facts/settings.js';
import type { SyntaxIssue } from '../../facts/shell.js';
import { alternativesOf } from '../argv/readings.js';
import type { LineIndex } from '../text/line-index.js';
import type { RawSyntaxIssue } from './decode.js';
import type { ReadConf } from './text.js';

const carriageReturn = /\r(?=\n|$)/g;

export function hasCarriageReturns(text: string): boolean {
  return text.search(carriageReturn) >= 0;
}

/** The text with Unix line ends, of the same length: each carriage return is a blank, before a backslash that ends the line. */
export function withUnixEnds(text: string): string {
  return text.replace(/(\\?)\r(?=\n|$)/g, ' $1');
}

/** The carriage returns of a text as one issue; none without any. */
export function carriageReturns(lineIndex: LineIndex): RawSyntaxIssue[] {
  const { text } = lineIndex;
  const [first, ...more] = Array.from(text.matchAll(carriageReturn), ({ index }) => ({
    start: index,
    end: index + 1,
  }));
  if (first === undefined) return [];
  const isEvery = text.split('\n').every((line) => line === '' || line.endsWith('\r'));
  return [
    {
      kind: 'carriage-return',
      at: first,
      variable: variableOn(text, first.start),
      becomes:
        isEvery && more.length > 0
          ? 'every line ends in a carriage return, which becomes part of every value: 1 is no longer 1'
          : 'the carriage return at the end of the line becomes part of the value',
      likelyMistake: true,
      more: more.map((at) => lineIndex.span(at)),
    },
  ];
}

function variableOn(text: string, at: number): string | null {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\+?=/.exec(line)?.[1] ?? null;
}

/** The conf as it is, with its reading with Unix line ends as an alternative. */
export function withRepaired(own: ReadConf, repaired: ReadConf): ReadConf {
  const difference = {
    isSame: JSON.stringify(wordsOf(own)) === JSON.stringify(wordsOf(repaired)),
    opens: repaired.settings.listeners.flatMap((listener) => {
      const before = own.settings.listeners.find(({ kind }) => kind === listener.kind);
      return listener.state === 'on' && listener.kind !== 'ipc' && offersMore(listener, before)
        ? [{ kind: listener.kind, modules: listener.modules }]
        : [];
    }),
    starts: repaired.settings.startable && !own.settings.startable,
  };
  const explained = (issue: SyntaxIssue) =>
    issue.kind === 'carriage-return' ? { ...issue, repaired: difference } : issue;
  const { shell } = repaired;
  const conf = { ...repaired, shell: { ...shell, syntaxIssues: shell.syntaxIssues.map(explained) } };
  const readings = alternativesOf({ when: null }, conf).map(
    (one): Alternative => ({ ...one, isRepaired: true }),
  );
  return { ...own, alternatives: [...(own.alternatives ?? []), ...readings] };
}

function wordsOf({ settings: { start }, shell: { exported, variables } }: ReadConf) {
  return [start?.map(({ text }) => text) ?? null, exported.map((name) => [name, variables[name]])];
}

function offersMore({ modules }: Listener, before: Listener | undefined): boolean {
  if (before?.state !== 'on') return true;
  return modules?.some((name) => before.modules?.includes(name) === false) === true;
}
