/** `node lint --fix` and `--diff`: the fixes of each file, applied to it, printed as a patch, or only counted. */

import type { LintOptions } from '../../cli/options/lint.js';
import { exit, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { count } from '../../util/words.js';
import type { Facts } from '../facts/facts.js';
import { fixFile, isApplicable } from '../fix/fix-file.js';
import type { Judging } from './judging.js';
import { replaceFile } from './replace-file.js';

export type FixOptions = Pick<LintOptions, 'fix' | 'unsafeFixes' | 'diff' | 'dryRun' | 'backup'> & {
  readonly paths: readonly string[];
};

export interface Fixing {
  /** Files that could not be written; they are as they were. */
  readonly failures: readonly KaiactlError[];
  /** Fixes the file of these nodes; gives the nodes as they are then, or would be. */
  fix(path: string, facts: readonly Facts[]): Promise<readonly Facts[]>;
  /** One sentence for all files. */
  summary(): string;
  /** What goes to stdout instead of the report: the patch, or the file that came on stdin; null: the report. */
  printed(): string | null;
}

/** null: nothing is to be fixed. @throws {KaiactlError} when the options do not go together (exit 2) */
export async function fixingOf(options: FixOptions, judging: Judging, host: Host): Promise<Fixing | null> {
  check(options);
  if (!options.fix && !options.diff) return null;
  const patchOf = options.diff ? (await import('../fix/diff.js')).patchOf : null;
  const done = { fixes: 0, files: 0, unsafe: 0, printed: [] as string[] };
  const failures: KaiactlError[] = [];
  const piped = options.paths.includes('-');
  return {
    failures,
    async fix(path, facts) {
      const findings = async (one: Facts) => (await judging.look(one)).findings;
      const judge = await judging.proposing(facts[0]);
      const result = await fixFile(facts, { unsafe: options.unsafeFixes, findings, judge });
      if (piped && patchOf === null && result === null) failures.push(notFixable());
      for (const one of result?.facts ?? facts) {
        done.unsafe += (await findings(one)).filter((each) => isApplicable(each, { unsafe: true })).length;
      }
      if (result === null) return facts;
      const { before, after, fixed, facts: now } = result;
      if (patchOf !== null) done.printed.push(patchOf(nameOf(facts, path), before, after));
      else if (path === '-') done.printed.push(after);
      if (before === after) return facts;
      if (patchOf === null && path !== '-' && !options.dryRun) {
        try {
          replaceFile(path, host.cwd, { before, after, backup: options.backup });
        } catch (error) {
          if (!(error instanceof KaiactlError)) throw error;
          failures.push(error);
          return facts;
        }
      }
      done.fixes += fixed.length;
      done.files += 1;
      return patchOf === null ? now : facts;
    },
    summary() {
      const verb = options.diff || options.dryRun ? 'would fix' : 'fixed';
      const more =
        options.unsafeFixes || done.unsafe === 0 ? '' : `; ${done.unsafe} more with --unsafe-fixes`;
      return `${verb} ${count(done.fixes, 'finding')} in ${count(done.files, 'file')}${more}`;
    },
    printed: () => (patchOf !== null || (piped && !options.dryRun) ? done.printed.join('') : null),
  };
}

function check({ fix, unsafeFixes, diff, dryRun, backup, paths }: FixOptions): void {
  const wrong =
    fix && diff
      ? '--diff prints what --fix would do: give one of them'
      : unsafeFixes && !fix && !diff
        ? '--unsafe-fixes goes with --fix or --diff'
        : (dryRun || backup) && !fix
          ? `--${dryRun ? 'dry-run' : 'backup'} goes with --fix`
          : fix && paths.includes('-') && paths.length > 1
            ? '--fix prints what comes on stdin: give - alone'
            : null;
  if (wrong !== null) throw new KaiactlError(wrong, { exitCode: exit.usage });
}

function notFixable(): KaiactlError {
  return new KaiactlError('stdin cannot be fixed: it is not text of a node’s settings', {
    hint: 'Nothing was printed.',
  });
}

/** What comes on stdin goes by the name it was given. */
function nameOf([first]: readonly Facts[], path: string): string {
  return first?.conf?.state === 'seen' ? first.conf.value.settings.source.path : path;
}
