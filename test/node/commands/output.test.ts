/** Reports are written as they are read: to slow readers, and to readers that go away. */
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Host } from '../../../src/host.js';
import { deliver, destinations, showsEdits } from '../../../src/node/commands/output.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { formats } from '../../../src/node/report/index.js';
import { during } from '../../peers/during.js';
import { reportOf, targetOf } from '../report/reports.js';

/** A report whose targets are counted as they are read. */
function counted(count: number) {
  const target = targetOf((what) => what);
  const read = { targets: 0 };
  const targets = {
    *[Symbol.iterator]() {
      for (let at = 0; at < count; at += 1) {
        read.targets += 1;
        yield target;
      }
    },
  };
  return { read, report: { ...reportOf([target]), targets } };
}

const options = { format: 'csv', color: 'never' as const, verbose: false };
const hostOf = (stdout: Writable): Host =>
  ({ stdout, stderr: stdout, env: {}, cwd: '/', argv: [], signal: new AbortController().signal }) as never;

test('a slow reader limits how many targets are rendered ahead', async () => {
  const { read, report } = counted(50_000);
  let taken: () => void = () => {};
  let began: () => void = () => {};
  const first = new Promise<void>((resolve) => {
    began = resolve;
  });
  const slow = new Writable({
    write(_chunk, _encoding, done) {
      taken = done;
      began();
    },
  });
  await during(deliver(report, options, hostOf(slow)), first);
  for (let turns = 0; turns < 100; turns += 1) await turn();
  const before = read.targets;
  expect(before).toBeLessThan(1_000);
  taken();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(read.targets).toBeGreaterThan(before);
  expect(read.targets).toBeLessThan(2_000);
});

test('a closed reader ends the output without an error', async () => {
  const { read, report } = counted(50_000);
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
  });
  gone.on('error', () => {});
  await deliver(report, options, hostOf(gone));
  expect(read.targets).toBeLessThan(1_000);
});

test.each(Object.keys(formats))(
  '%s is written in chunks, none of which holds many targets',
  async (format) => {
    const { report } = counted(2_000);
    const render = await formats[format]!(false);
    let longest = 0;
    for await (const piece of render(report, { columns: 80, verbose: false, kinds }))
      longest = Math.max(longest, piece.length);
    // The page's style and script are one piece; a target has some thousand characters.
    expect(longest).toBeLessThan(400_000);
  },
);

test.each([
  ['jsno', 'Did you mean json?'],
  ['xyzzyplugh', /^Formats: text, concise, json, .*\.$/],
])('the format %s is refused with the next step', (format, hint) => {
  for (const given of [{ format }, { format: 'text', report: [`${format}=x`] }])
    expect(() => destinations({ ...options, ...given } as never)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(`^--(?:format|report) ${format}: there is no such format$`),
        hint: typeof hint === 'string' ? hint : expect.stringMatching(hint),
      }),
    );
});

test.each(['json', '=x', 'json='])('the destination %s is refused', (given) => {
  expect(() => destinations({ ...options, report: [given] } as never)).toThrow(
    expect.objectContaining({ message: `--report ${given}: write it as <format>=<file>` }),
  );
});

test.each([
  [['sarif=-'], '--report sarif=-: it writes files'],
  [['sarif=a', 'junit=a'], '--report junit=a: an earlier --report writes this file too'],
])('the destinations %j are refused', (report, message) => {
  expect(() => destinations({ ...options, report } as never)).toThrow(expect.objectContaining({ message }));
});

test.each<[object, number, Record<string, string>, string]>([
  [{ format: 'text' }, 0, {}, 'whole'],
  [{ format: 'text' }, 1_000, {}, 'none'],
  [{ format: 'text', verbose: true }, 1_000, {}, 'all'],
  [{ format: 'csv' }, 0, {}, 'none'],
  [{ format: 'json' }, 1_000, {}, 'all'],
  [{ format: 'csv', report: ['text=x'] }, 0, {}, 'whole'],
  [{ format: 'csv', report: ['json=x'] }, 0, {}, 'all'],
])('edits with %j after %d targets are those that a format shows', (given, before, env, edits) => {
  expect(showsEdits({ ...options, ...given } as never, before, { env })).toBe(edits);
});
