import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Host, nodeHost, type Output } from '../../src/host.js';
import { main } from '../../src/main.js';
import { progress } from '../../src/terminal/progress.js';

function screen(isTTY: boolean, env: Host['env'] = {}, columns?: number) {
  let text = '';
  let now = 0;
  const stderr: Output = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    }),
    { isTTY, ...(columns === undefined ? {} : { columns }) },
  );
  const host: Host = { ...nodeHost(), env, stderr, now: () => now };
  return { host, text: () => text, later: (ms: number) => (now += ms) };
}

test('work of less than a second shows no progress', () => {
  const { host, text, later } = screen(true);
  const bar = progress(3, 'files', host, false);
  for (let at = 0; at < 3; at++) {
    later(300);
    bar.step();
  }
  bar.end();
  expect(text()).toBe('');
});

test('a terminal gets a bar that is redrawn and then erased', () => {
  const { host, text, later } = screen(true);
  const bar = progress(2_000, 'files', host, false);
  later(1_000);
  bar.update(500);
  later(100);
  bar.update(510);
  bar.end();
  expect(text()).toBe(
    `\r\u001b[2K${'█'.repeat(6)}${'░'.repeat(18)}  500 of 2,000 files, 500/s, 3 s left\r\u001b[2K`,
  );
});

test.each([
  [80, `${'█'.repeat(6)}${'░'.repeat(18)}  500 of 2,000 files, 500/s, 3 s left`],
  [62, `${'█'.repeat(6)}${'░'.repeat(18)}  500 of 2,000 files, 500/s, 3 s left`],
  [61, '500 of 2,000 files, 500/s, 3 s left'],
  [36, '500 of 2,000 files, 500/s, 3 s left'],
  [30, '500 of 2,000 files, 500/s, 3…'],
])('at %i columns a frame is one line', (columns, frame) => {
  const { host, text, later } = screen(true, {}, columns);
  const bar = progress(2_000, 'files', host, false);
  later(1_000);
  bar.update(500);
  bar.end();
  expect(text()).toBe(`\r\u001b[2K${frame}\r\u001b[2K`);
});

test('a note on stderr begins in a line of its own while the bar is shown', async () => {
  const { host, text, later } = screen(true, {}, 40);
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-'));
  for (const name of ['a', 'b'])
    writeFileSync(join(folder, `${name}.kend.conf.j2`), 'RPC_API={{ modules }}\n');
  const [stdout, stdin] = [screen(false).host.stderr, Readable.from([])];
  const now = () => later(2_000);
  await main({ ...host, stdout, stdin, now, cwd: folder, argv: ['node', 'lint', '.'] });
  rmSync(folder, { recursive: true });
  const notes = text().match(/.*kaiactl: .*render it first/g) ?? [];
  expect(text()).toContain('1 of 2 files');
  expect(notes.map((line) => line.split('\u001b[2K').at(-1)?.slice(0, 9))).toEqual([
    'kaiactl: ',
    'kaiactl: ',
  ]);
});

test.each([
  ['a log', false, {}],
  ['a dumb terminal', true, { TERM: 'dumb' }],
])('%s gets a line every five seconds', (_name, isTTY, env) => {
  const { host, text, later } = screen(isTTY, env);
  const bar = progress(10, 'nodes', host, false);
  for (let at = 0; at < 10; at++) {
    later(2_000);
    bar.step();
  }
  bar.end();
  expect(text()).toBe(
    ['3 of 10 nodes, 0.5/s, 14 s left', '6 of 10 nodes, 0.5/s, 8 s left', '9 of 10 nodes, 0.5/s, 2 s left']
      .map((line) => `${line}\n`)
      .join(''),
  );
});

test('--quiet shows nothing, however long it takes', () => {
  const { host, text, later } = screen(true);
  const bar = progress(10, 'nodes', host, true);
  later(60_000);
  bar.update(5);
  bar.end();
  expect(text()).toBe('');
});
