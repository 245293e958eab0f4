/** The program as it ships, in this process, so that its start is not measured each time. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Host } from '../../src/host.js';
import type { main as Main } from '../../src/main.js';

export const dist = join(process.cwd(), 'dist', 'main.cjs');

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
