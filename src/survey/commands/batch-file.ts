/** The file of a batch: one join a line, as JSON or as CSV with a header. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KaiactlError, located } from '../../errors.js';
import { readText } from '../../input.js';
import { shellWord } from '../../util/shell-word.js';
import type { Scheme } from '../protocol/wire.js';
import { type Row, rowReader } from './batch-rows.js';
import { commitmentFor } from './commitment.js';
import type { JoinerOptions, JoinTools } from './join-tools.js';

export interface BatchLine {
  /** Decimal. */
  readonly commitment: string;
  /** The line's options over those of the command line. */
  readonly options: JoinerOptions;
}

const fields = [
  ...[
    'commitment',
    'identityFile',
    'signature',
    'signatureFile',
    'keyFile',
    'keystore',
    'keystorePasswordFile',
  ],
  ...['idToken', 'idTokenFile', 'userId', 'account'],
] as const;
const files = new Set([
  'identityFile',
  'signatureFile',
  'keyFile',
  'keystore',
  'keystorePasswordFile',
  'idTokenFile',
]);

/**
 * Reads and checks the whole file before anything is sent. File names in it start at its own folder.
 * @throws {KaiactlError} for the first line that cannot be joined, and for a commitment that comes twice (exit 2)
 */
export async function readBatch(
  path: string,
  common: JoinerOptions,
  scheme: Scheme,
  tools: JoinTools,
): Promise<BatchLine[]> {
  const text = await readText(path, { what: `the batch ${path}`, mib: 256 });
  const lines: BatchLine[] = [];
  const seen = new Map<string, number>();
  let secret = false;
  const all = text.replace(/^\ufeff/, '').split('\n');
  const rowOf = rowReader(all, fields);
  for (const [at, line] of all.entries()) {
    if (line.trim() === '') continue;
    const where = `${path}:${at + 1}`;
    const value = rowOf(line, where);
    if (value === 'header') continue;
    const own = readFields(value, where, dirname(path));
    secret ||= own.signature !== undefined || own.idToken !== undefined;
    const options = merged(common, own);
    const commitment = await inLine(where, () => commitmentFor(options, scheme, tools));
    const before = seen.get(commitment);
    if (before !== undefined) throw new KaiactlError(`${where} repeats the commitment of line ${before}`);
    seen.set(commitment, at + 1);
    lines.push({ commitment, options });
  }
  if (lines.length === 0) throw new KaiactlError(`${path} holds no joins`);
  if (secret) refuseShared(path, tools);
  return lines;
}

/** Adds the line to an error about it. */
export async function inLine<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw located(where, error);
  }
}

function readFields(value: Row, where: string, folder: string): JoinerOptions {
  const own: Record<string, string> = {};
  for (const [name, given] of Object.entries(value)) {
    if (!fields.some((field) => field === name)) {
      throw new KaiactlError(`${where} has an unknown field`, { hint: `Known: ${fields.join(', ')}.` });
    }
    if (typeof given !== 'string') throw new KaiactlError(`${where}: ${name} is not a string`);
    own[name] = files.has(name) && given !== '-' ? resolve(folder, given) : given;
  }
  return own;
}

/** What a line says about signer, token or member replaces all the options said about it. */
function merged(common: JoinerOptions, own: JoinerOptions): JoinerOptions {
  const { signature: _a, signatureFile: _b, keyFile: _c, keystore: _d, ...unsigned } = common;
  const signs = own.signature ?? own.signatureFile ?? own.keyFile ?? own.keystore;
  return { ...(signs === undefined ? common : unsigned), ...own };
}

function refuseShared(path: string, { host }: JoinTools): void {
  if (host.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
  throw new KaiactlError(
    `${path} holds signatures or tokens and can be read by other users; it is not used`,
    {
      hint: `chmod 600 ${shellWord(path)}`,
    },
  );
}
