/**
 * The language server: from the end of a pause in the typing to the diagnostics. KAIACTL_TEST_CONFS: a folder with a
 * kend.conf, such as that of a package.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Editor } from '../peers/editor.js';
import { type Bench, median, time } from './bench.js';

const keystrokes = 31;
const conf = readFileSync(join(process.env.KAIACTL_TEST_CONFS ?? 'fixtures/demo', 'kend.conf'), 'utf8');

export const lsp: Bench = {
  name: 'lsp',
  async run(tell) {
    for (const [files, what] of [
      [1, 'one packaged conf'],
      [50, 'a folder of 50 confs that all differ'],
    ] as const) {
      const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
      try {
        const { first, typing } = await measure(folder, files);
        tell({
          what: `\`kaiactl node lsp\`: diagnostics after a pause in the typing, ${what}`,
          value: `${typing.toFixed(0)} ms`,
          instead: `its first diagnostics, from the start of the process: ${first.toFixed(0)} ms`,
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  },
};

async function measure(folder: string, files: number) {
  for (let at = 0; at < files; at += 1) {
    mkdirSync(join(folder, `node-${at}`));
    const text = conf.replace(/^(DATA_DIR)=.*$/m, `$1=/srv/node-${at}/data`);
    writeFileSync(
      join(folder, `node-${at}`, 'kend.conf'),
      text.replace(/^(RPC_PORT)=.*$/m, `$1=${8551 + at}`),
    );
  }
  const path = join(folder, 'node-0/kend.conf');
  const server = spawn(process.execPath, ['bin/kaiactl.js', 'node', 'lsp'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const editor = new Editor(server.stdout, server.stdin);
  const first = await time(async () => {
    await editor.start(folder);
    await editor.open(path, conf);
  });
  const times: number[] = [];
  for (let at = 0; at < keystrokes; at += 1) {
    const text = conf.replace(/^RPC_API=.*$/m, `RPC_API="klay,eth,m${'x'.repeat(at)}"`);
    // The hover ends the pause.
    times.push(await time(() => Promise.all([editor.type(path, text), editor.hover(path, 0, 0)])));
  }
  await editor.end();
  await once(server, 'exit');
  return { first, typing: median(times) };
}
