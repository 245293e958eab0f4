/** `kaiactl node demo <folder>`: writes the example conf of the guides. */
import { constants, copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ExitCode, exit, KaiactlError, writeFailure } from '../../errors.js';
import { type Host, packageFile, print } from '../../host.js';
import { shellWord } from '../../util/shell-word.js';
import type { VerbOptions } from './options/verbs.js';

export type Options = VerbOptions<'demo'> & { readonly folder: string };

/**
 * Prints the path of the file; creates the folder, and replaces no file.
 * @throws {KaiactlError} when the file exists or cannot be written (exit 2)
 */
export async function run({ folder, quiet }: Options, host: Host): Promise<ExitCode> {
  const file = join(folder, 'kend.conf');
  try {
    await makeFolder(resolve(host.cwd, folder));
    await copyFile(packageFile('fixtures/demo/kend.conf'), resolve(host.cwd, file), constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeFailure(file, error);
    throw new KaiactlError(`${file} exists`, { hint: 'Choose another folder.' });
  }
  await print(host.stdout, `${file}\n`);
  if (!quiet) await print(host.stderr, `Try: kaiactl node lint ${shellWord(file, host.platform)}\n`);
  return exit.ok;
}

/** With the folders above it. Node's own `recursive` never returns below /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path);
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  });
}
