/** Saved reports: from files, or from stdin. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';
import type { Report } from '../facts/report.js';
import { parseReport } from '../report/read.js';

const maxBytes = 256 << 20;

/**
 * The report in a file; `-` is stdin.
 * @throws {KaiactlError} when it cannot be read, is larger than 256 MiB or is not a report (exit 2)
 */
export async function loadReport(file: string, host: Host): Promise<Report> {
  const name = file === '-' ? 'stdin' : file;
  let text: string;
  try {
    text = file === '-' ? await readStdin(host) : await readCapped(resolve(host.cwd, file));
  } catch (error) {
    throw new KaiactlError(`cannot read the report ${visible(name)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return parseReport(text, name);
}

async function readCapped(path: string): Promise<string> {
  if ((await stat(path)).size > maxBytes) throw new Error('larger than 256 MiB');
  return await readFile(path, 'utf8');
}

async function readStdin(host: Host): Promise<string> {
  const capped = async function* () {
    let size = 0;
    for await (const chunk of host.stdin) {
      size += chunk.length;
      if (size > maxBytes) throw new Error('larger than 256 MiB');
      yield chunk;
    }
  };
  return (await buffer(capped())).toString('utf8');
}
