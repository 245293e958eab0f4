/** The only importer of libsql: a binary for one platform, which npm may have left out. */
import { KaiactlError } from '../../errors.js';

/** Opens a file of SQLite's. */
export type Libsql = typeof import('libsql');

/** @throws {KaiactlError} when it is not installed for this platform (exit 2) */
export async function libsql(): Promise<Libsql> {
  const { default: Libsql } = await import('libsql').catch((cause) => {
    const [reason] = String(cause.message).split('\n');
    throw new KaiactlError(
      'a store in a file needs the package libsql, which is not installed for this platform',
      {
        notes: [`${reason}`],
        hint: 'Install it beside kaiactl: npm install --global libsql@0.5 (without --global where kaiactl is not global).',
        cause,
      },
    );
  });
  return Libsql;
}
