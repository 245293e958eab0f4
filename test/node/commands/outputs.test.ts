/** Output options never replace a file that kaiactl did not write, nor an input of the run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { run } from '../../cli/run.js';

const conf =
  'NETWORK=mainnet\nDATA_DIR=/var/kend/data\nRPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=klay,personal\n';
const clean = 'NETWORK=mainnet\nDATA_DIR=/var/kend/data\n';
const formats =
  'text concise json ndjson sarif junit github gitlab checkstyle markdown html csv rdjson'.split(' ');

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kaiactl-outputs-'));
  const folder = cwd;
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(cwd, 'kend.conf'), conf);
  writeFileSync(join(cwd, 'kcnd.conf'), clean);
});
const text = (name: string) => readFileSync(join(cwd, name), 'utf8');

test.each([
  ['lint', '--write-baseline', 'kend.conf'],
  ['lint', '--report', 'json=kend.conf'],
  ['audit', '--save-facts', 'kend.conf'],
  ['watch', '--textfile', 'kend.conf'],
])('%s %s does not replace the settings that it reads, nor other files', async (verb, option, file) => {
  for (const input of ['kend.conf', 'kcnd.conf']) {
    const { code, err } = await run(['node', verb, input, option, file], { cwd });
    expect(err).toContain(`${option} would replace kend.conf: `);
    expect([code, text('kend.conf')]).toEqual([2, conf]);
  }
});

test('a baseline does not replace a report, nor a report a baseline or its own input', async () => {
  await run(['node', 'lint', '.', '--report', 'json=report.json', '--write-baseline', 'base.json'], { cwd });
  const before = [text('report.json'), text('base.json')];
  for (const words of [
    ['node', 'lint', '.', '--write-baseline', 'report.json'],
    ['node', 'lint', '.', '--report', 'json=base.json'],
    ['report', 'convert', 'report.json', '--report', 'sarif=report.json'],
    ['report', 'merge', 'report.json', '--report', 'json=report.json'],
  ])
    expect((await run(words, { cwd })).code).toBe(2);
  expect([text('report.json'), text('base.json')]).toEqual(before);
  expect((await run(['node', 'lint', '.', '--write-baseline', 'base.json'], { cwd })).code).not.toBe(2);
});

test.each(formats)('a report in %s replaces any earlier report in it', async (format) => {
  for (const input of ['kcnd.conf', 'kend.conf', 'kcnd.conf', '.', 'missing.conf', '.', 'kcnd.conf']) {
    const { err } = await run(['node', 'lint', input, '--report', `${format}=out`], { cwd });
    expect(err).not.toContain('would replace');
  }
});

test('a run that judged nothing, or whose input failed, writes no baseline', async () => {
  await run(['node', 'lint', 'kend.conf', '--write-baseline', 'base.json'], { cwd });
  const before = text('base.json');
  for (const input of [['missing.conf'], ['kend.conf', 'missing.conf']]) {
    const { code, err } = await run(['node', 'lint', ...input, '--write-baseline', 'base.json'], { cwd });
    expect([code, text('base.json')]).toEqual([2, before]);
    expect(err).toContain('not everything was judged: did not write base.json');
  }
});
