/** Folders as people keep them: what each target is read from, and what is said of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { lintIn } from './lint-in.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;

interface Expected {
  readonly exitCode: number;
  readonly targets: Readonly<Record<string, ExpectedTarget>>;
}

/** `findings`: "rule severity", of those at or above medium. */
interface ExpectedTarget {
  readonly verdict: string;
  readonly files?: readonly string[];
  readonly findings: readonly string[];
  /** "rule severity of target" */
  readonly shared?: readonly string[];
  /** The rules and codes of open questions. */
  readonly undetermined?: readonly string[];
}

function said({ targets, exitCode }: Report): Expected {
  const heavy = new Set(['critical', 'high', 'medium']);
  const entries = targets.map(({ name, verdict, files, findings, shared = [], undetermined }) => {
    const found = findings.filter(({ severity }) => heavy.has(severity));
    const open = [...new Set(undetermined.map(({ rule, code }) => `${rule} ${code}`))].sort();
    const elsewhere = shared.filter(({ severity }) => heavy.has(severity));
    return [
      name,
      {
        verdict,
        ...(files === undefined ? {} : { files }),
        findings: [...new Set(found.map(({ rule, severity }) => `${rule} ${severity}`))].sort(),
        ...(elsewhere.length === 0
          ? {}
          : {
              shared: elsewhere
                .map(({ rule, severity, target }) => `${rule} ${severity} of ${target}`)
                .sort(),
            }),
        ...(open.length === 0 ? {} : { undetermined: open }),
      },
    ] as const;
  });
  return { exitCode, targets: Object.fromEntries(entries) };
}

test.each(readdirSync(root))('%s', async (name) => {
  const folder = join(root, name);
  const report = await lintIn(folder);
  expect(JSON.stringify(report), 'placeholders of the readers').not.toMatch(/[\uFDD0-\uFDEF]/);
  const expected: Expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
  expect(said(report)).toEqual(expected);
});
