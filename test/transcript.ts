/** Terminal transcripts in Markdown: ```console blocks whose `$ kaiactl …` lines are run and compared. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { collector } from './peers/outcome.js';
import { kaiactl } from './peers/run.js';

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

/** Replaces the outputs in console blocks by what the commands print now, unless only unsteady parts differ. */
export async function rewriteTranscripts(markdown: string, cwd = root): Promise<string> {
  const parts = markdown.split(/(^```console\n[\s\S]*?^```$)/m);
  for (const [at, block] of parts.entries()) {
    if (at % 2 === 0) continue;
    const steps = readTranscripts(block)[0] ?? [];
    const shown = (await replay(steps, cwd)).map(({ command, output }, step) => {
      const before = steps[step]?.output ?? '';
      return `$ ${command}\n${steady(before) === steady(output) ? before : output}`;
    });
    parts[at] = `\`\`\`console\n${shown.join('')}\`\`\``;
  }
  return parts.join('');
}

/** Progress, which is shown only on a slow machine. */
const progressLine = /^\d+ of \d+ (?:files|nodes)\b.*\n/gm;

/** Runs the steps in a folder; `$ echo $?` shows the exit code of the step before. */
export async function replay(steps: readonly Step[], cwd = root): Promise<Step[]> {
  let code = 0;
  const ran: Step[] = [];
  for (const { command } of steps) {
    let output = `${code}\n`;
    if (command !== 'echo $?') {
      // A command line without shell syntax needs no shell and no process.
      const words = /^kaiactl( [\w./:=,@%+-]+)+$/.test(command) ? command.split(' ').slice(1) : null;
      const shown = words === null ? inBash(command, cwd) : await inProcess(words, cwd);
      code = shown.code;
      output = shown.text.replace(progressLine, '').replace(/[ \t]+$/gm, '');
    }
    ran.push({ command, output });
  }
  return ran;
}

interface Shown {
  readonly code: number;
  /** stdout and stderr in the order of writing. */
  readonly text: string;
}

const env = { HOME: tmpdir(), COLUMNS: '80', LANG: 'C.UTF-8' };

async function inProcess(argv: readonly string[], cwd: string): Promise<Shown> {
  const both = collector();
  const streams = { stdin: Readable.from([]), stdout: both.stream, stderr: both.stream };
  const { code } = await kaiactl(argv, { env, cwd, ...streams });
  return { code, text: both.text() };
}

function inBash(command: string, cwd: string): Shown {
  const { status, stdout } = spawnSync('bash', ['-c', `set -o pipefail; exec 2>&1; ${command}`], {
    cwd,
    encoding: 'utf8',
    env: { ...env, PATH: `${shimFolder()}:${process.env.PATH}` },
  });
  return { code: status ?? -1, text: stdout };
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
