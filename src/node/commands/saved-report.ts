import { resolve } from 'node:path';
import type { Host } from '../../host.js';
import { readText } from '../../input.js';
import { visible } from '../../util/visible.js';
import type { Report } from '../facts/report.js';
import { parseReport } from '../report/saved.js';

/**
 * The report in a file; `-` is stdin.
 * @throws {KaiactlError} when it cannot be read, exceeds 256 MiB or is not a report (exit 2)
 */
export async function loadReport(file: string, host: Host): Promise<Report> {
  const name = file === '-' ? 'stdin' : file;
  const source = file === '-' ? host.stdin : resolve(host.cwd, file);
  const text = await readText(source, { what: `the report ${visible(name)}`, mib: 256 });
  return parseReport(text, name);
}
