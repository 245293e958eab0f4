/** The settings of a checkout that a pull request changes, and those of its base. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../../cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-trust-'));
const [own, base] = [join(folder, 'own'), join(folder, 'base')];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = '#!/bin/sh\ngeth --http --http.addr 0.0.0.0 --http.api eth,admin\n';
for (const path of [own, base]) mkdirSync(path);
writeFileSync(join(own, 'start.sh'), start);
writeFileSync(join(own, 'kaiactl.ini'), '[node]\nignore = privileged-module\nseverity = public-bind=info\n');
writeFileSync(join(base, 'kaiactl.ini'), '[node]\nonly = public-bind\nexclude = other.sh\n');
writeFileSync(join(own, 'other.sh'), start);

async function lint(...words: readonly string[]) {
  const { code, out, err } = await run(['node', 'lint', '.', ...words], { cwd: own });
  return { code, out, err };
}

test('settings of a checkout count, and the summary says what they changed', async () => {
  const { code, out } = await lint();
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'Changed by options, settings and comments: 2 hidden, 2 with another severity.',
  );
  const { summary } = JSON.parse((await lint('--format', 'json')).out) as Report;
  expect(summary.changed).toEqual({ hidden: 2, severities: 2, suppressed: 0, acknowledged: 0 });
});

test('--trust-config none takes no settings, and there is nothing to tell', async () => {
  const { code, out } = await lint('--trust-config', 'none', '--format', 'json');
  expect(code).toBe(1);
  expect((JSON.parse(out) as Report).summary).not.toHaveProperty('changed');
});

test('--trust-config takes the settings of a file, whose patterns are those of the checkout', async () => {
  const { out } = await lint('--trust-config', '../base/kaiactl.ini', '--format', 'json');
  const { targets, summary } = JSON.parse(out) as Report;
  expect(targets.map(({ name, findings }) => [name, findings.map(({ rule }) => rule)])).toEqual([
    ['start.sh', ['public-bind']],
  ]);
  expect(summary).toMatchObject({ excluded: 1, changed: { hidden: 1 } });
});

test('a file of --trust-config that is gone is an error', async () => {
  const { code, err } = await lint('--trust-config', 'gone.ini');
  expect([code, err]).toEqual([2, expect.stringContaining('gone.ini: there is no such file')]);
});
