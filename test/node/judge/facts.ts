/** Hand-made facts for tests that need no real conf. */
import type { Conf, Facts } from '../../../src/node/facts/facts.js';
import type { LiveFacts, ProcessFacts } from '../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Listener, ListenerKind, Settings } from '../../../src/node/facts/settings.js';
import type { ConfShell } from '../../../src/node/facts/shell.js';
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

/** A conf whose lines are given; comments are found, everything else is what `over` and `shell` say. */
export function confOf(
  lines: readonly string[],
  over: Partial<Settings> = {},
  shell: Partial<ConfShell> = {},
): Conf {
  const comments = lines.flatMap((text, at) => {
    const column = text.indexOf('#');
    return column < 0 ? [] : [{ text: text.slice(column), at: span(at + 1, column + 1, text.length + 1) }];
  });
  return {
    settings: {
      kind: 'kaia',
      launcher: 'kend',
      package: 'tar',
      by: 'name',
      packageBy: 'guess',
      source: { kind: 'conf', path: 'kend.conf', lines, comments, multiline: [], file: null },
      start: [],
      values: {},
      keys: {},
      listeners: [],
      startable: true,
      problems: [],
      ...over,
    },
    shell: {
      assignments: [],
      variables: {},
      exported: [],
      syntaxIssues: [],
      indeterminate: [],
      reads: [],
      readers: {},
      switches: {},
      ...shell,
    },
  };
}

/** A node's process on this machine of which the command line alone is known. */
export function processOf(argv: readonly string[], over: Partial<ProcessFacts> = {}): LiveFacts['process'] {
  const late = notSeen('timeout', 'no answer within 2 s');
  return seen({
    pid: 812,
    argv: ['/usr/bin/ken', ...argv],
    startedAt: null,
    environment: late,
    folder: late,
    settings: null,
    network: 'same',
    root: '',
    container: null,
    sockets: late,
    ...over,
  });
}

export function factsOf(conf: Conf, gatheredAt = '2026-02-11T00:00:00.000Z'): Facts {
  return { name: 'kend.conf', role: null, conf: seen(conf), live: null, gatheredAt };
}
