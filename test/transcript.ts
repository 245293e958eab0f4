/** Terminal transcripts in Markdown: ```console blocks whose `$ kaiactl …` lines are run and compared. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;

export interface Step {
  readonly command: string;
  /** What the terminal shows: stdout and stderr as they come. */
  readonly output: string;
}

/** The console blocks of a Markdown text, each a list of steps run in one shell folder. */
export function readTranscripts(markdown: string): Step[][] {
  return [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((block) => {
    const steps: { command: string; output: string }[] = [];
    for (const line of (block[1] ?? '').split('\n').slice(0, -1)) {
      const last = steps.at(-1);
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: '' });
      else if (last !== undefined) last.output += `${line}\n`;
    }
    return steps;
  });
}

/** Replaces the console blocks' outputs by what the commands print now, where that differs in earnest. */
export function rewriteTranscripts(markdown: string): string {
  return markdown.replace(/^```console\n[\s\S]*?^```$/gm, (block) => {
    const steps = readTranscripts(block)[0] ?? [];
    const shown = replay(steps).map(({ command, output }, at) => {
      const before = steps[at]?.output ?? '';
      return `$ ${command}\n${steady(before) === steady(output) ? before : output}`;
    });
    return `\`\`\`console\n${shown.join('')}\`\`\``;
  });
}

/** Shown only where a machine is slow: how far it is is no part of what a command says. */
const progressLine = /^\d+ of \d+ (?:files|nodes)\b.*\n/gm;

/** Runs the steps; `$ echo $?` shows the exit code of the step before. */
export function replay(steps: readonly Step[]): Step[] {
  let code = 0;
  return steps.map(({ command }) => {
    if (command === 'echo $?') return { command, output: `${code}\n` };
    const ran = spawnSync('bash', ['-c', `set -o pipefail; exec 2>&1; ${command}`], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: `${shimFolder()}:${process.env.PATH}`, HOME: tmpdir(), COLUMNS: '80', LANG: 'C.UTF-8' },
    });
    code = ran.status ?? -1;
    return { command, output: ran.stdout.replace(progressLine, '').replace(/[ \t]+$/gm, '') };
  });
}

/** Text without what differs from run to run: durations, ports the system chose, transaction hashes. */
export function steady(text: string): string {
  return text.replace(/\b\d+(\.\d+)? (ms|s)\b/g, '0.0 $2').replace(/:(3[2-9]|4\d|5\d|60)\d{3}\b/g, ':49152');
}

let shim: string | undefined;

/** A folder whose `kaiactl` is this checkout's. */
function shimFolder(): string {
  if (shim === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-shim-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    shim = folder;
    writeFileSync(
      join(shim, 'kaiactl'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/kaiactl.js')}" "$@"\n`,
    );
    chmodSync(join(shim, 'kaiactl'), 0o755);
  }
  return shim;
}
