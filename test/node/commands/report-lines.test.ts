/** Reports in ndjson: written while a run goes on, read line by line. */
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Host } from '../../../src/host.js';
import { openReporting } from '../../../src/node/commands/output.js';
import { limitOf } from '../../../src/node/commands/report-lines.js';
import type { TargetReport } from '../../../src/node/facts/report.js';
import { run } from '../../cli/run.js';
import { withNode } from '../../peers/shape.js';
import { fleetReport, fullReport, reportOf, targetOf } from '../report/reports.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(path(name), 'utf8');
const kaiactl = (...words: string[]) => run(words, { cwd: folder });

const target = (name: string): TargetReport => targetOf((what) => what, name);

describe('writing', () => {
  beforeEach(() => rmSync(path('r.ndjson'), { force: true }));
  const host = (): Host =>
    ({
      env: {},
      cwd: folder,
      now: () => 0,
      signal: new AbortController().signal,
      stdout: {},
      stderr: {},
    }) as never;
  const open = (file = 'r.ndjson') => {
    const options = { format: 'text', report: [`ndjson=${file}`], color: 'never', exitZero: true } as const;
    return openReporting(options as never, 'high', host());
  };

  test('each line is there when its target is done; the file gets its name with the last line', async () => {
    writeFileSync(path('r.ndjson'), 'before\n', { mode: 0o600 });
    const reporting = open();
    await reporting.add(target('a'));
    expect(text('r.ndjson.partial')).toMatch(/^\{"name":"a",.*\}\n$/);
    await reporting.add(target('b'));
    expect(text('r.ndjson.partial').split('\n')).toHaveLength(3);
    expect(text('r.ndjson')).toBe('before\n');
    await reporting.end({ inputFailed: false, instead: '' });
    expect(existsSync(path('r.ndjson.partial'))).toBe(false);
    expect(text('r.ndjson').split('\n')).toHaveLength(4);
    expect(statSync(path('r.ndjson')).mode & 0o777).toBe(0o600);
  });

  test('a run that ends early leaves a part that no command takes for a report', async () => {
    const reporting = open();
    await reporting.add(target('a'));
    await reporting.add(target('b'));
    expect(existsSync(path('r.ndjson'))).toBe(false);
    const { code, out, err } = await kaiactl('report', 'convert', 'r.ndjson.partial');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'kaiactl: r.ndjson.partial ends after 2 targets, without its summary\n' +
        '  The run that wrote it was interrupted, or it still runs. Run it again.\n',
    );
    writeFileSync(path('cut.ndjson'), text('r.ndjson.partial').slice(0, -20));
    expect((await kaiactl('report', 'merge', 'cut.ndjson')).err).toContain(
      'cut.ndjson ends after 1 target, without',
    );
  });

  test('a link is kept, and the file behind it is written', async () => {
    symlinkSync('behind.ndjson', path('link'));
    const reporting = open('link');
    await reporting.add(target('a'));
    await reporting.end({ inputFailed: false, instead: '' });
    expect(lstatSync(path('link')).isSymbolicLink()).toBe(true);
    expect(text('behind.ndjson').split('\n')).toHaveLength(3);
  });

  test('a report that is too large to be read again is not written', () => {
    const of = (mib: number, targets: number) => limitOf({ mib, targets });
    const [size, count] = [of(1, 9), of(1, 2)];
    expect(size('é'.repeat(1 << 19))).toHaveLength(1 << 19);
    expect(() => size('x')).toThrow(
      expect.objectContaining({
        notes: ['It takes up to 1 MiB and 9 targets.'],
        hint: expect.stringMatching(/ndjson=/),
      }),
    );
    expect([count('a'), count('b')]).toEqual(['a', 'b']);
    expect(() => count('c')).toThrow('the report is larger than kaiactl report can read');
  });

  test('a file that cannot be written is an error', async () => {
    await expect(open('none/r.ndjson').add(target('a'))).rejects.toThrow(
      'cannot write the report to none/r.ndjson: its folder does not exist',
    );
  });
});

test('an unremarkable node takes at most 600 bytes, a dead one too', async () => {
  await withNode(
    (shape) => ({ ...shape, ws: null, ipc: null }),
    async ({ http }) => {
      const inventory = `[en-[00001:00002].kaia.example]\nrpc = ${http}\n[en-[00003:00004]]\nrpc = http://127.0.0.1:1\n`;
      writeFileSync(path('fleet.ini'), inventory);
      const words = ['--report', 'ndjson=fleet.ndjson', '--report', 'json=fleet.json'];
      const { out } = await kaiactl(
        'node',
        'audit',
        '--inventory',
        'fleet.ini',
        '--format',
        'ndjson',
        ...words,
      );
      expect(out).toBe(text('fleet.ndjson'));
      const [first, second, third, fourth, last] = out.split('\n').map((line) => Buffer.byteLength(line));
      expect(Math.max(second ?? 0, fourth ?? 0)).toBeLessThanOrEqual(600);
      expect(Math.max(first ?? 0, third ?? 0)).toBeLessThanOrEqual(1_000);
      expect(last).toBeLessThan(10_000);
      const both = ['fleet.ndjson', 'fleet.json'].map((file) =>
        kaiactl('report', 'convert', file, '--format', 'csv'),
      );
      const [lines, json] = await Promise.all(both);
      expect(lines).toEqual(json);
    },
  );
});

test('lint prints lines too, and with --diff only the patch', async () => {
  const conf = 'RPC_ENABLE=1\nRPC_ADDR="0.0.0.0"\nRPC_API="klay,personal"\nDATA_DIR=/var/kend\n';
  for (const name of ['a.kend.conf', 'b.kend.conf']) writeFileSync(path(name), conf);
  const { out } = await kaiactl(
    'node',
    'lint',
    'a.kend.conf',
    'b.kend.conf',
    '--format',
    'ndjson',
    '--exit-zero',
  );
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ name, schema }) => name ?? schema)).toEqual([
    'a.kend.conf',
    'b.kend.conf',
    'kaiactl/report-lines-1',
  ]);
  const patch = await kaiactl('node', 'lint', 'a.kend.conf', '--format', 'ndjson', '--diff', '--exit-zero');
  expect(patch.out).not.toContain('{"name"');
});

describe('reading', () => {
  const save = (name: string, content: string): string => {
    writeFileSync(path(name), content);
    return name;
  };
  const convert = async (...words: string[]) => (await kaiactl('report', 'convert', ...words)).out;
  const lines = async (report: unknown): Promise<string> =>
    await convert(save('in.json', JSON.stringify(report)), '--format', 'ndjson');

  test.each(['text', 'sarif', 'junit', 'csv', 'html', 'markdown', 'ndjson'])(
    'a fleet as ndjson is converted to the same %s as its JSON',
    async (format) => {
      const fleet = JSON.stringify(fleetReport(40));
      const json = save('fleet.json', fleet);
      const converted = save('fleet.ndjson', await convert(json, '--format', 'ndjson'));
      expect(await convert(converted, '--format', format)).toBe(await convert(json, '--format', format));
    },
  );

  test('shards are merged in both formats to the same report', async () => {
    const shards = ['a', 'b'].map((name) => reportOf([target(name), target('shared')]));
    const json = shards.map((one, at) => save(`${at}.json`, JSON.stringify(one)));
    const ndjson: string[] = [];
    for (const [at, one] of shards.entries()) ndjson.push(save(`${at}.ndjson`, await lines(one)));
    const merged = await kaiactl('report', 'merge', ...ndjson, '--format', 'csv');
    expect(merged).toEqual(await kaiactl('report', 'merge', ...json, '--format', 'csv'));
    expect(merged.out).toContain('"1: shared"');
    expect((await kaiactl('report', 'diff', ndjson[0]!, json[0]!)).out).toBe('Nothing changed.\n');
    const diff = await kaiactl('report', 'diff', ndjson[0]!, ndjson[1]!, '--format', 'json');
    expect(JSON.parse(diff.out).targets.map(({ name }: TargetReport) => name)).toEqual(['b', 'a']);
  });

  test.each<[string, (all: string[]) => string[], string]>([
    ['lines after the last', (all) => [...all, all[0]!], 'goes on after its end'],
    ['a missing line', (all) => all.slice(1), 'holds 1 of 2 targets'],
    ['a line twice', (all) => [all[0]!, ...all], 'holds 3 of 2 targets'],
    ['no last line', (all) => all.slice(0, -1), 'ends after 2 targets, without its summary'],
    [
      'another version',
      (all) => [...all.slice(0, -1), all.at(-1)!.replace('lines-1', 'lines-2')],
      '/schema must be',
    ],
    ['no target', (all) => [all[0]!, '{"name":1}', all.at(-1)!], 'line 2 must have required property'],
    ['a line that is cut', (all) => [all[0]!.slice(0, 99), ...all.slice(1)], 'is not JSON'],
    [
      'a reference to nothing',
      (all) => [all[0]!.replace(/\}$/, ',"as":9}'), ...all.slice(1)],
      'line 1 /checks/0 must',
    ],
  ])('%s: refused in a sentence', async (_name, change, sentence) => {
    const all = (await lines(reportOf([target('a'), target('b')]))).trimEnd().split('\n');
    const { code, out, err } = await kaiactl(
      'report',
      'convert',
      save('x.ndjson', `${change(all).join('\n')}\n`),
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
    expect(err).toMatch(/^kaiactl: x\.ndjson /);
  });

  test('a JSON report that is cut says so', async () => {
    const cut = JSON.stringify({ ...fullReport(), targets: [target('a'), target('b')] });
    const file = save('cut.json', cut.slice(0, cut.lastIndexOf('"verdict"')));
    expect((await kaiactl('report', 'convert', file)).err).toContain(
      'cut.json ends after 1 target, without its summary',
    );
  });
});
