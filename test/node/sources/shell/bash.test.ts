/** Generated confs: the values of kaiactl are those that bash assigns. */
import { expect, test } from 'vitest';
import { KaiactlError } from '../../../../src/errors.js';
import { seed } from '../../../seed.js';
import { readConf } from '../../editables.js';
import { conf, names } from '../generator.js';
import { hasBash, type Outcome, source } from '../oracle.js';
import { Random } from '../random.js';
import { differences, recordings } from './recorded.js';

const count = Number(process.env.KAIACTL_TEST_BASH_CONFS ?? 100);
const bash = hasBash();
if (!bash) process.stderr.write('SKIPPED: no bash 5 or later here, so the reader is not compared with it\n');

interface Compared {
  readonly wrong: readonly string[];
  readonly values: number;
  readonly opaque: number;
}

/** Differences between our reading and bash's; a declared unknown is none. */
function compare(bytes: Uint8Array, outcome: Outcome): Compared {
  let facts: ReturnType<typeof readConf>;
  try {
    facts = readConf('kend.conf', bytes, { env: { HOME: '/home/op' } });
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    const wrong = names.some((name) => outcome?.[name] !== undefined) ? [`refused: ${error.message}`] : [];
    return { wrong, values: 0, opaque: 0 };
  }
  const ends = facts.settings.problems.some(({ kind, fatal }) => kind === 'launcher-refuses' && fatal);
  const mayEnd = facts.settings.problems.some(({ kind, fatal }) => kind === 'launcher-refuses' && !fatal);
  const exits = facts.settings.problems.some(({ message }) => message.includes('ends the launcher'));
  if (outcome === null) {
    const lost = facts.shell.syntaxIssues.some(({ kind }) => kind === 'unsupported-syntax');
    return { wrong: exits || mayEnd || lost ? [] : ['bash ended, we did not'], values: 0, opaque: 0 };
  }
  if (ends && exits && !mayEnd) return { wrong: ['we ended, bash did not'], values: 0, opaque: 0 };
  const wrong: string[] = [];
  const whole = facts.shell.indeterminate.some(({ variable }) => variable === null);
  let values = 0;
  let opaque = 0;
  for (const name of names) {
    // Once a whole construct is opaque, a name that is not listed may be anything.
    const ours = name in facts.shell.variables ? facts.shell.variables[name] : whole ? null : undefined;
    const theirs = outcome[name];
    if (theirs === undefined && (ours === undefined || (ours === null && whole))) continue;
    values += 1;
    if (ours === null) {
      opaque += 1;
    } else if (ours !== theirs) {
      wrong.push(`${name}: bash ${JSON.stringify(theirs)}, kaiactl ${JSON.stringify(ours)}`);
    }
  }
  return { wrong, values, opaque };
}

/** Drops lines as long as the difference stays. */
function shrunk(bytes: Uint8Array, locale: string): string {
  let lines = Buffer.from(bytes).toString('latin1').split('\n');
  for (let round = 0; round < 6; round += 1) {
    const tries = lines.map((_, at) => lines.filter((_line, other) => other !== at));
    const confs = tries.map((one) => Buffer.from(one.join('\n'), 'latin1'));
    const found = source(confs, locale).findIndex(
      (outcome, at) => compare(confs[at] as Uint8Array, outcome).wrong.length > 0,
    );
    if (found < 0) break;
    lines = tries[found] as string[];
  }
  const small = Buffer.from(lines.join('\n'), 'latin1');
  return `${JSON.stringify(small.toString('utf8'))}\n    ${compare(small, source([small], locale)[0] ?? null).wrong.join('\n    ')}`;
}

test.skipIf(!bash)(
  `${count} random confs: no value differs from what bash assigns`,
  { timeout: 900_000 },
  () => {
    const batch = 500;
    const wrong: string[] = [];
    let values = 0;
    let opaque = 0;
    for (let from = 0; from < count && wrong.length < 12; from += batch) {
      const size = Math.min(batch, count - from);
      const confs = Array.from({ length: size }, (_, at) => conf(new Random(seed * 1_000_003 + from + at)));
      const locale = (from / batch) % 2 === 0 ? 'C' : 'C.UTF-8';
      const found = source(confs, locale);
      expect(found.length).toBe(size);
      for (const [at, outcome] of found.entries()) {
        const bytes = confs[at] as Uint8Array;
        const compared = compare(bytes, outcome);
        values += compared.values;
        opaque += compared.opaque;
        if (compared.wrong.length > 0 && wrong.length < 12)
          wrong.push(`conf ${from + at}: ${shrunk(bytes, locale)}`);
      }
    }
    if (process.env.KAIACTL_TEST_BASH_CONFS !== undefined) {
      process.stdout.write(
        `${count} confs, ${values} values, ${opaque} opaque (${((100 * opaque) / values).toFixed(2)} %)\n`,
      );
    }
    expect(wrong.join('\n')).toBe('');
    expect(values).toBeGreaterThan(count);
    expect(opaque / values).toBeLessThanOrEqual(0.05);
  },
);

// `npm run test:bash` runs it: UPDATE=1 records what bash assigns.
test.runIf(bash && process.env.KAIACTL_TEST_BASH_CONFS !== undefined)(
  'what is recorded is what bash assigns',
  () => {
    const cases = recordings().flatMap(([, , recorded]) => recorded);
    const found = source(
      cases.map(({ text }) => Buffer.from(text)),
      'C',
    );
    const wrong = cases.map((one, at) => [one.text, ...differences(one, found[at] ?? null)]);
    expect(wrong.filter(({ length }) => length > 1)).toEqual([]);
  },
);
