/** `node lint --fix` and `--diff`: applies the fixes of each file, prints them as a patch, or counts them. */

import { exit, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { count } from '../../util/words.js';
import type { Facts } from '../facts/facts.js';
import { type FixedFile, fixFile, isApplicable } from '../fix/fix-file.js';
import type { Judging } from './judging.js';
import type { LintOptions } from './options/offline.js';
import { replaceFile } from './replace-file.js';

export type FixOptions = Pick<LintOptions, 'fix' | 'unsafeFixes' | 'diff' | 'dryRun' | 'backup'> & {
  readonly paths: readonly string[];
};

/** null without --fix and --diff. @throws {KaiactlError} on options that exclude each other (exit 2) */
export async function fixingOf(options: FixOptions, judging: Judging, host: Host): Promise<Fixing | null> {
  check(options);
  if (!options.fix && !options.diff) return null;
  return new Fixing(options, judging, host, options.diff ? (await import('../fix/diff.js')).patchOf : null);
}

export class Fixing {
  /** One for each file that could not be written; such files are unchanged. */
  readonly failures: KaiactlError[] = [];
  readonly #options: FixOptions;
  readonly #judging: Judging;
  readonly #host: Host;
  readonly #patchOf: PatchOf | null;
  readonly #done = { fixes: 0, files: 0, unsafe: 0 };
  #printed = '';

  constructor(options: FixOptions, judging: Judging, host: Host, patchOf: PatchOf | null) {
    this.#options = options;
    this.#judging = judging;
    this.#host = host;
    this.#patchOf = patchOf;
  }

  /** Fixes the file of these nodes; returns the nodes after the fixes, or with --diff before them. */
  async fix(path: string, facts: readonly Facts[]): Promise<readonly Facts[]> {
    const findings = async (one: Facts) => (await this.#judging.look(one)).findings;
    const judge = await this.#judging.proposing(facts[0]);
    const result = await fixFile(facts, { unsafe: this.#options.unsafeFixes, findings, judge });
    if (this.#isFilter && result === null) this.failures.push(notFixable());
    for (const one of result?.facts ?? facts) {
      const left = (await findings(one)).filter((each) => isApplicable(each, { unsafe: true }));
      this.#done.unsafe += left.length;
    }
    if (result === null || !this.#put(path, facts, result)) return facts;
    this.#done.fixes += result.fixed.length;
    this.#done.files += 1;
    return this.#patchOf === null ? result.facts : facts;
  }

  /** Prints or writes the fixed text; false when it is unchanged or cannot be written. */
  #put(path: string, facts: readonly Facts[], { before, after }: FixedFile): boolean {
    const { dryRun, backup } = this.#options;
    if (this.#patchOf !== null) this.#printed += this.#patchOf(nameOf(facts, path), before, after);
    else if (path === '-') this.#printed += after;
    if (before === after) return false;
    if (this.#patchOf !== null || path === '-' || dryRun) return true;
    try {
      replaceFile(path, this.#host.cwd, { before, after, backup });
      return true;
    } catch (error) {
      if (!(error instanceof KaiactlError)) throw error;
      this.failures.push(error);
      return false;
    }
  }

  /** One sentence for all files. */
  summary(): string {
    const { diff, dryRun, unsafeFixes } = this.#options;
    const { fixes, files, unsafe } = this.#done;
    const verb = diff || dryRun ? 'would fix' : 'fixed';
    const more = unsafeFixes || unsafe === 0 ? '' : `; ${unsafe} more with --unsafe-fixes`;
    return `${verb} ${count(fixes, 'finding')} in ${count(files, 'file')}${more}`;
  }

  /** The patch, or the fixed file of stdin, which stdout gets instead of the report; null: the report. */
  printed(): string | null {
    return this.#patchOf !== null || (this.#isFilter && !this.#options.dryRun) ? this.#printed : null;
  }

  /** True when stdin is fixed to stdout. */
  get #isFilter(): boolean {
    return this.#patchOf === null && this.#options.paths.includes('-');
  }
}

type PatchOf = (name: string, before: string, after: string) => string;

function check({ fix, unsafeFixes, diff, dryRun, backup, paths }: FixOptions): void {
  const wrong =
    fix && diff
      ? '--fix and --diff exclude each other'
      : unsafeFixes && !fix && !diff
        ? '--unsafe-fixes needs --fix or --diff'
        : (dryRun || backup) && !fix
          ? `--${dryRun ? 'dry-run' : 'backup'} needs --fix`
          : fix && paths.includes('-') && paths.length > 1
            ? '--fix takes - alone: stdin is fixed to stdout'
            : null;
  if (wrong !== null) throw new KaiactlError(wrong, { exitCode: exit.usage });
}

function notFixable(): KaiactlError {
  return new KaiactlError('stdin cannot be fixed: it does not hold a node’s settings', {
    hint: 'Nothing was printed.',
  });
}

/** The name of the source: stdin is named by --stdin-filename. */
function nameOf([first]: readonly Facts[], path: string): string {
  return first?.conf?.state === 'seen' ? first.conf.value.settings.source.path : path;
}
