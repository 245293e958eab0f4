/** Files with secrets that are in a checkout of git. */
import { basename, dirname } from 'node:path';
import { groupBy } from '../../../util/group-by.js';
import { joinFirst } from '../../../util/words.js';
import type { Place } from '../../facts/report.js';
import { accountKeys, passwords, type SecretFile } from '../../facts/settings.js';
import { advise } from '../../fix/proposal/fix.js';
import type { Draft } from '../rule/rule.js';

/** Whether the key of an account is among the files: its password alone gives nothing away. */
export function hasAccountKey(files: readonly SecretFile[]): boolean {
  return files.some(({ holds, isTracked }) => isTracked === true && accountKeys.has(holds));
}

/** One draft for each folder and place that names its files. */
export function inCheckout(
  files: readonly SecretFile[],
  placeFor?: (file: SecretFile) => Draft['at'],
): Draft[] {
  return trackedByFolder(files, placeFor).map(({ path, holds, opens, at, others }) => ({
    subject: path,
    ...(passwords.has(holds) && !hasAccountKey(files) ? { severity: 'medium' as const } : {}),
    at,
    message: `${opens === undefined ? 'a secret' : 'the token'} is in this repository: ${path} contains ${holds}, and everyone who can read the repository can use it${also(others)}.`,
    fix: advise('Replace the secret, and keep it outside the repository, with mode 0600.'),
    evidence: { path, ...(others.length === 0 ? {} : { others }) },
  }));
}

/** Names up to three others. */
function also(others: readonly string[]): string {
  const names = others.map((path) => basename(path));
  return names.length === 0 ? '' : ` (also ${joinFirst(names, 3)} in that folder)`;
}

/** The files in a checkout: the first of each folder that one place names, with the paths of the others. */
function trackedByFolder(
  files: readonly SecretFile[],
  placeFor?: (file: SecretFile) => Place,
): (Omit<SecretFile, 'at'> & { readonly at: Place; readonly others: readonly string[] })[] {
  const tracked = files.flatMap((one) => {
    const at = one.at ?? placeFor?.(one);
    return one.isTracked === true && at !== undefined ? [{ ...one, at }] : [];
  });
  const folders = groupBy(tracked, ({ path, at }) => JSON.stringify([at, dirname(path)]));
  return [...folders.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : { ...first, others: others.map(({ path }) => path) },
  );
}
