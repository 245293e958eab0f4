/** The program as it ships, in this process, so that its start is not measured each time, or in one of its own. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Host } from '../../src/host.js';
import type { main as Main } from '../../src/main.js';

const dist = join(process.cwd(), 'dist', 'main.cjs');

/**
 * Runs a command line whose output goes to a file in the folder, which is also where it looks for settings.
 * @throws when it ends with another code than expected
 */
export async function kaiactl(folder: string, argv: readonly string[], expected = 0): Promise<void> {
  const out = createWriteStream(join(folder, 'out'));
  const { main } = (await import(pathToFileURL(dist).href)) as { main: typeof Main };
  const host: Host = {
    argv: [...argv],
    env: { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
    cwd: folder,
    platform: process.platform,
    stdin: process.stdin,
    stdout: out,
    stderr: process.stderr,
    now: Date.now,
    signal: new AbortController().signal,
  };
  const code = await main(host);
  await new Promise((resolve) => out.end(resolve));
  if (code !== expected) throw new Error(`${argv.join(' ')} ended with ${code}`);
}

/** What a run in a process of its own took. */
export interface Apart {
  readonly code: number | null;
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Peak of its resident memory. */
  readonly mb: number;
}

export async function apart(folder: string, argv: readonly string[]): Promise<Apart> {
  const script = `const { main, nodeHost } = await import(process.argv[1]);
    process.exitCode = await main({ ...nodeHost(), argv: process.argv.slice(2) });
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    process.stderr.write('used ' + maxRSS + ' ' + (userCPUTime + systemCPUTime));`;
  const start = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dist, ...argv], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of child.stderr) said += chunk;
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('exit', resolve)));
  const [, kib, microseconds] = /used (\d+) (\d+)$/.exec(said) ?? [];
  return {
    code,
    seconds: (performance.now() - start) / 1000,
    processorSeconds: Number(microseconds) / 1e6,
    mb: Math.round(Number(kib) / 1024),
  };
}
