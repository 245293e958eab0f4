/** `node lint --fix` and `--diff`: applies the fixes of each file, prints them as a patch, or counts them. */

import { exit, KaiactlError } from '../../errors.js';
import { type Host, interruptible } from '../../host.js';
import { visible } from '../../util/visible.js';
import { count, joinFirst } from '../../util/words.js';
import type { Deployment } from '../deployment/join.js';
import type { LoadOptions } from '../deployment/load-options.js';
import type { Facts } from '../facts/facts.js';
import type { Finding } from '../facts/report.js';
import { isLocal } from '../facts/settings.js';
import { atLeast } from '../facts/severity.js';
import { type Changed, type FixedFile, fixFile, isApplicable } from '../fix/fix-file.js';
import { interfacesOf } from '../judge/gates.js';
import type { Editables } from '../sources/text/editable.js';
import { isAsked } from './conf-options.js';
import type { Judging } from './judging.js';
import type { VerbOptions } from './options/verbs.js';
import { replaceFiles } from './replace-file.js';

export type FixOptions = Pick<VerbOptions<'lint'>, 'fix' | 'unsafeFixes' | 'diff' | 'dryRun' | 'backup'> &
  Pick<LoadOptions, 'service'> & {
    readonly paths: readonly string[];
  };

/** Returns null without --fix and --diff. @throws {KaiactlError} on options that exclude each other (exit 2) */
export async function fixingOf(options: FixOptions, judging: Judging, host: Host): Promise<Fixing | null> {
  check(options);
  if (!options.fix && !options.diff) return null;
  return makeFixing(options, judging, host, options.diff ? (await import('../fix/diff.js')).patchOf : null);
}

type Fixing = ReturnType<typeof makeFixing>;

function makeFixing(options: FixOptions, judging: Judging, host: Host, patchOf: PatchOf | null) {
  /** Whether stdin is fixed to stdout. */
  const isFilter = patchOf === null && options.paths.includes('-');
  /** One for each set of files that could not be written; such files are unchanged. */
  const failures: KaiactlError[] = [];
  const done = { fixes: 0, unsafe: 0 };
  /** What no edit fixes. */
  const left: Finding[] = [];
  /** Each changed file's text before the first fix and after the last one. */
  const changed = new Map<string, { readonly before: string; readonly after: string }>();
  /** The fixed text of stdin. */
  let filtered = '';

  /** Fixes the files of these nodes; returns the nodes and their files after the fixes, or before them if no file is changed. */
  async function fix(
    path: string,
    facts: readonly Facts[],
    editables: Editables,
    deployment: Deployment | null,
  ): Promise<Pick<FixedFile, 'facts' | 'editables'>> {
    const findings = async (one: Facts, files: Editables) =>
      isAsked(one.conf, options) ? (await judging.look(one, { editables: files })).findings : [];
    const given = { facts, editables };
    const judge = await judging.proposing(facts[0]);
    const result = await fixFile(facts, editables, { unsafe: options.unsafeFixes, findings, judge });
    const unfit = 'stdin cannot be fixed: it does not hold a node’s settings';
    if (isFilter && result === null) failures.push(new KaiactlError(unfit, { hint: 'Nothing was printed.' }));
    const now = result ?? given;
    for (const one of now.facts) {
      const all = await findings(one, now.editables);
      for (const each of all) {
        if (isApplicable(each, { unsafe: true }, all)) done.unsafe += 1;
        else if (each.suppressed === null && atLeast(each.severity, 'medium')) left.push(each);
      }
    }
    if (result === null) return given;
    const files = [{ ...result, path }, ...result.others];
    if (!(await put(files, sourcePath(facts, path)))) return given;
    done.fixes += result.fixed.length;
    for (const { path: other, after } of result.others) deployment?.replace(other, after);
    return patchOf === null && !options.dryRun ? result : given;
  }

  /** Writes the fixed texts, or keeps them to be printed; false when one cannot be written: then none is. */
  async function put(files: readonly Changed[], stdin: string): Promise<boolean> {
    const { dryRun, backup } = options;
    const differing = files.filter(({ before, after }) => before !== after);
    const written = patchOf !== null || dryRun ? [] : differing.filter(({ path }) => path !== '-');
    if (isFilter) filtered = files.find(({ path }) => path === '-')?.after ?? filtered;
    try {
      const changes = written.map((one) => ({ ...one, backup }));
      if (changes.length > 0) await interruptible(host, () => replaceFiles(changes, host.cwd));
    } catch (error) {
      if (!(error instanceof KaiactlError)) throw error;
      failures.push(error);
      return false;
    }
    for (const { path, before, after } of differing) {
      const name = path === '-' ? stdin : path;
      changed.set(name, { before: changed.get(name)?.before ?? before, after });
    }
    return true;
  }

  /** One sentence for all files. */
  function summary(): string {
    const { diff, dryRun, unsafeFixes } = options;
    const { fixes, unsafe } = done;
    const verb = diff || dryRun ? 'would fix' : 'fixed';
    const more = unsafeFixes || unsafe === 0 ? '' : `; ${unsafe} more with --unsafe-fixes`;
    return `${verb} ${count(fixes, 'finding')} in ${count(changed.size, 'file')}${more}${notFixed()}`;
  }

  /** A sentence on what no edit fixes, and the option that decides it. */
  function notFixed(): string {
    if (left.length === 0) return '';
    const names = [...new Set(left.map(({ rule, subject }) => `${rule} (${visible(subject, 40)})`))];
    const reached = left.flatMap((one) => (one.evidence?.reach === 'any' ? interfacesOf(one) : []));
    const stated = [...new Set(reached)]
      .filter((kind) => kind !== undefined && !isLocal(kind))
      .map((kind) => `${kind}=private`);
    const decided =
      stated.length === 0 ? '' : `. Where a firewall limits the callers: --assume-reach ${stated.join(',')}`;
    return `. Not fixed: ${joinFirst(names, 4)}${decided}`;
  }

  /** The patch, or the fixed file of stdin, which stdout gets instead of the report; null means the report. */
  function printed(): string | null {
    if (patchOf !== null)
      return [...changed].map(([name, { before, after }]) => patchOf(name, before, after)).join('');
    return isFilter && !options.dryRun ? filtered : null;
  }

  return { failures, fix, summary, printed };
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

/** The name of the source: stdin is named by --stdin-filename. */
function sourcePath([first]: readonly Facts[], path: string): string {
  return first?.conf?.state === 'seen' ? first.conf.value.settings.source.path : path;
}
