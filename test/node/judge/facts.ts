/** Hand-made facts for tests that need no real conf. */
import type { ConfFacts, Listener, ListenerKind } from '../../../src/node/facts/conf.js';
import type { Facts } from '../../../src/node/facts/facts.js';
import { seen } from '../../../src/node/facts/seen.js';
import type { Span } from '../../../src/node/facts/span.js';

export function span(line: number, column: number, endColumn: number): Span {
  return { file: 'kend.conf', line, column, endLine: line, endColumn };
}

export function listener(kind: ListenerKind, over: Partial<Listener> = {}): Listener {
  return {
    kind,
    state: 'off',
    reason: null,
    decidedBy: [],
    host: null,
    port: null,
    path: null,
    listed: null,
    modules: null,
    builtInList: false,
    origins: null,
    vhosts: null,
    ...over,
  };
}

/** A conf whose lines are given; comments are found, everything else is what `over` says. */
export function confOf(lines: readonly string[], over: Partial<ConfFacts> = {}): ConfFacts {
  return {
    path: 'kend.conf',
    launcher: 'kend',
    package: 'tar',
    inferredFrom: 'file name',
    lines,
    file: null,
    assignments: [],
    variables: {},
    exported: [],
    syntaxIssues: [],
    comments: lines.flatMap((text, at) => {
      const column = text.indexOf('#');
      return column < 0 ? [] : [{ text: text.slice(column), at: span(at + 1, column + 1, text.length + 1) }];
    }),
    words: [],
    settings: {},
    listeners: [],
    startable: true,
    problems: [],
    indeterminate: [],
    reads: [],
    readers: {},
    switches: {},
    ...over,
  };
}

export function factsOf(conf: ConfFacts, gatheredAt = '2026-02-11T00:00:00.000Z'): Facts {
  return { name: 'kend.conf', role: null, conf: seen(conf), live: null, gatheredAt };
}
