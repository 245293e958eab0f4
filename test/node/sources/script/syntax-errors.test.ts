/** Starts in scripts that bash parses and kaiactl does not, and beside syntax errors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kaiactl } from '../../offline.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-syntax-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const geth = 'geth --http --http.addr 0.0.0.0 --http.api admin,eth';

test.each([
  ['time', `time ${geth}\n`, 1, null],
  ['time of a pipeline', `time -p ${geth} | tee log\n`, 1, null],
  ['a coprocess', `coproc NODE { ${geth}; }\n`, 1, null],
  ['a loop that reads a process substitution', `while read -r x; do ${geth}; done < <(cat list)\n`, 1, null],
  ['output to a process substitution', `${geth} > >(tee log) 2>&1\n`, 1, null],
  [
    'a start above a syntax error',
    `${geth}\nfi\n`,
    1,
    'run.sh:2:1: the file is not read to its end: unexpected fi',
  ],
  [
    'a start below a construct that is not parsed',
    `X="$$(echo "a")"\n${geth}\n`,
    1,
    'run.sh:1:1: the file is not read',
  ],
  ['a start below a pattern that needs extglob', `echo @(a|b)\n${geth}\n`, 1, 'unless extglob is on'],
  ['a start below a syntax error', `fi\n${geth}\n`, 3, 'run.sh:2:'],
])('a script with %s is judged', async (_, text, code, open) => {
  const cwd = mkdtempSync(join(folder, 'script-'));
  writeFileSync(join(cwd, 'run.sh'), `${text}`);
  const { code: exit, stdout } = await kaiactl(['node', 'lint', 'run.sh', '--format', 'json'], { cwd });
  const { targets } = JSON.parse(stdout);
  const severities = targets.flatMap(({ findings }: { findings: { severity: string }[] }) => findings);
  expect([exit, severities.some(({ severity }: { severity: string }) => severity === 'critical')]).toEqual([
    code,
    code === 1,
  ]);
  if (open === null) expect(stdout).not.toContain('unfollowed-start');
  else expect(stdout).toContain(open);
});
