/** Files with secrets that are in a checkout of git. */
import { groupBy } from '../../../util/group-by.js';
import { count } from '../../../util/words.js';
import { accountKeys, passwords, type SecretFile } from '../../facts/settings.js';
import { advise } from '../../fix/proposal/fix.js';
import type { Draft } from '../rule/rule.js';

/** Whether the key of an account is among the files: its password alone gives nothing away. */
export function hasAccountKey(files: readonly SecretFile[]): boolean {
  return files.some(({ holds, isTracked }) => isTracked === true && accountKeys.has(holds));
}

/** One draft for each place that names such files: the first file, and the others as its evidence. */
export function inCheckout(
  files: readonly SecretFile[],
  placeFor?: (file: SecretFile) => Draft['at'],
): Draft[] {
  const tracked = files.flatMap((one) => {
    const at = one.at ?? placeFor?.(one);
    return one.isTracked === true && at !== undefined ? [{ ...one, at }] : [];
  });
  const opensLittle = ({ holds }: Pick<SecretFile, 'holds'>) => passwords.has(holds) && !hasAccountKey(files);
  // The first one is the same for every target and place that has these files.
  const rank = (one: Pick<SecretFile, 'holds' | 'path'>) => `${Number(opensLittle(one))} ${one.path}`;
  return [...groupBy(tracked, ({ at }) => JSON.stringify(at)).values()].flatMap((all): Draft[] => {
    const [first, ...more] = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
    if (first === undefined) return [];
    const { path, holds, opens, at } = first;
    const others = more.map((one) => one.path);
    const also = others.length === 0 ? '' : ` (with ${count(others.length, 'more file')})`;
    return [
      {
        subject: path,
        severity: opensLittle(first) ? 'medium' : 'high',
        at,
        message: `${opens === undefined ? 'a secret' : 'the token'} is in this repository: ${path} contains ${holds}, and everyone who can read the repository can use it${also}.`,
        fix: advise('Replace the secret, and keep it outside the repository.'),
        evidence: { path, ...(others.length === 0 ? {} : { others }) },
      },
    ];
  });
}
