/** Which of several kinds of node a name or a process belongs to. */
import type { ProcessFacts } from '../facts/live.js';
import type { Kind, ScriptedKind } from './kind.js';

/** A launcher, or a program that has none, and the kind of node it starts. */
export interface Starter {
  readonly kind: Kind;
  readonly launcher: string;
}

/** What starts the node of a program; null: it is no program of these kinds. */
export function starterOfProgram(kinds: readonly Kind[], program: string): Starter | null {
  for (const kind of kinds) {
    const launcher = kind.launcherOf(program);
    if (launcher !== null) return { kind, launcher };
  }
  return null;
}

/**
 * What starts the node that a process runs: by its program's build information, else by the program's name. null: it runs
 * another program, or a command such as `attach`.
 */
export function starterOfProcess(
  kinds: readonly Kind[],
  { argv, build }: Pick<ProcessFacts, 'argv' | 'build'>,
): (Starter & { readonly by: 'build' | 'name' }) | null {
  const [path = '', ...words] = argv;
  const built =
    build?.state === 'seen' ? kinds.map((kind) => kind.programOfBuild(build.value)).find(Boolean) : null;
  const starter = starterOfProgram(kinds, built ?? path.slice(path.lastIndexOf('/') + 1));
  return starter?.kind.startsNode(words) ? { ...starter, by: built == null ? 'name' : 'build' } : null;
}

/** The launcher that reads a conf of this path; null: none of these kinds has one. */
export function readerOfConf(
  kinds: readonly Kind[],
  path: string,
): (Starter & { readonly kind: ScriptedKind }) | null {
  for (const kind of scripted(kinds)) {
    const launcher = kind.launchers.ofConf(path);
    if (launcher !== null) return { kind, launcher };
  }
  return null;
}

/** The kinds that are started by scripts. */
export function scripted(kinds: readonly Kind[]): readonly ScriptedKind[] {
  return kinds.filter(isScripted);
}

export function isScripted(kind: Kind): kind is ScriptedKind {
  return kind.launchers !== null;
}
