/** The last lines of a report for people: one count has one meaning. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/run.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-summary-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function lint(text: string, ...options: string[]): Promise<string> {
  writeFileSync(join(folder, 'run.sh'), `#!/bin/sh\n${text}\n`);
  return (await run(['node', 'lint', 'run.sh', ...options], { cwd: folder })).out.replace(/\n */g, ' ');
}

test('the checks that a reason leaves open are as many as the summary counts', async () => {
  const out = await lint('geth --http --http.addr 0.0.0.0 --http.api "$APIS" --ws --ws.api "$W" $OPTS');
  const [, open] = /undetermined: (\d+) checks/.exec(out) ?? [];
  expect(open).toBeDefined();
  expect(out).toContain(`. ${open} checks not seen.`);
});

test('the file of clients that are acknowledged is counted once', async () => {
  const besu = 'besu --rpc-http-enabled --rpc-http-host=0.0.0.0';
  const out = await lint(`${besu}\ngeth --http`, '--acknowledge', 'unjudged-node(besu@any)');
  expect(out).toContain('on 2 nodes in 1 file: 1 info.');
});

test.each([
  [['--min-severity', 'critical'], 3],
  [['--ignore', 'implicit-modules,public-bind'], 2],
])('%j is no pass of what it hides', async (options, hidden) => {
  const out = await lint('geth --http --http.addr 0.0.0.0 --http.corsdomain "*"', ...options);
  expect(out).toContain(`Changed by options, settings and comments: ${hidden} hidden.`);
  expect(out).not.toContain('clean');
});
