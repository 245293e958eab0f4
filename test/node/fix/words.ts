/** A file of words in a comment, and a judge that finds some of them: fixes tried without any rule. */
import type { Conf, Facts } from '../../../src/node/facts/facts.js';
import type { Edit, Finding } from '../../../src/node/facts/report.js';
import { seen } from '../../../src/node/facts/seen.js';
import type { Severity } from '../../../src/node/facts/severity.js';
import type { Judge } from '../../../src/node/fix/trial/state.js';
import { kaia } from '../../../src/node/kinds/kaia/index.js';
import { readConf } from '../editables.js';

/** The file: the words stand in its first line. */
export function fileOf(words: string): Buffer {
  return Buffer.from(`# ${words}\nNETWORK=mainnet\nDATA_DIR=/srv/kend\n`);
}

export function confOf(words: string): Conf {
  return readConf('kend.conf', fileOf(words), { launcher: 'kend', package: 'tar' });
}

export function factsOf(conf: Conf): Facts {
  return { name: 'x', role: null, conf: seen(conf), live: null, gatheredAt: '' };
}

const severities: Readonly<Record<string, Severity>> = { bad: 'high', poor: 'low', worst: 'critical' };

/** Finds `bad…`, `poor…` and `worst…`, by what follows these; counts how often it was asked. */
export function judging(): { readonly judge: Judge; asked: number } {
  const counter = {
    asked: 0,
    judge: (facts: Facts) => {
      counter.asked += 1;
      return { findings: findingsOf(facts), undetermined: [], kind: kaia };
    },
  };
  return counter;
}

export function findingsOf({ conf }: Facts): Finding[] {
  const [first = ''] = conf?.state === 'seen' ? conf.value.settings.source.lines : [];
  return [...first.matchAll(/\b(bad|poor|worst)(\w*)/g)].map((match) =>
    found(match[2] ?? '', severities[match[1] ?? ''] ?? 'info', match.index + 1, match[0].length),
  );
}

/** A finding at a word, with nothing to paste. */
export function found(subject: string, severity: Severity, column = 1, width = 1): Finding {
  const at = { file: 'kend.conf', line: 1, column, endLine: 1, endColumn: column + width };
  const words = { title: '', message: '', source: null, related: [], evidence: null, fingerprint: '' };
  return { rule: 'word', severity, subject, at, suppressed: null, fix: 'Write another.', ...words };
}

/** An edit of the first line: columns count from 1, the end is exclusive. */
export function edit(column: number, endColumn: number, text: string, file = 'kend.conf'): Edit {
  return { file, line: 1, column, endLine: 1, endColumn, text };
}

/** The finding with the word at its place replaced. */
export function replacing(finding: Finding, text: string, safety: 'safe' | 'unsafe' = 'safe'): Finding {
  const { at } = finding;
  if (!('column' in at)) return finding;
  return { ...finding, edits: [edit(at.column, at.endColumn, text)], safety };
}
