/** Which of several kinds of node a name or a process belongs to. */
import type { BuildFacts, ProcessFacts } from '../facts/live.js';
import type { Kind, KindScripts, KindWords, ScriptedKind } from './kind.js';
import { otherOfProcess, withoutRelease } from './others.js';

/** A launcher, or a program that has none, and the kind of node it starts. */
export interface Starter {
  readonly kind: Kind;
  readonly launcher: string;
}

/**
 * What starts the node of a program; null if it is no program of these kinds. Of several kinds with a program of that name
 * it is the first, unless another alone knows a flag among the words, and knows them all.
 */
export function starterOfProgram(
  kinds: readonly Kind[],
  program: string,
  words: readonly string[] = [],
): Starter | null {
  const found = kinds.flatMap((kind): Starter[] => {
    const launcher = kind.launcherOf(program);
    return launcher === null ? [] : [{ kind, launcher }];
  });
  const knows = ({ kind: { dialect, flags } }: Starter, word: string) => {
    const flag = dialect.flagIn(word);
    return flag === null || flags.ofAnyRelease(flag) !== null;
  };
  const [first] = found;
  const outvotes = (one: Starter) =>
    words.every((word) => knows(one, word)) &&
    words.some((word) => found.every((other) => other === one || !knows(other, word)));
  const isFirst = first === undefined || words.every((word) => knows(first, word));
  return (isFirst ? undefined : found.find(outvotes)) ?? first ?? null;
}

/** The kinds that a container of this image may start: of those that share a program, first the ones that the image names. */
export function kindsOfImage(kinds: readonly Kind[], image: string): readonly Kind[] {
  return kindsNamed(kinds, ({ signs }) => signs.image.test(image));
}

/** Of the kinds that share a program, first those that something names: flags of another outvote the name. */
export function kindsNamed<K>(kinds: readonly K[], isNamed: (kind: K) => boolean): readonly K[] {
  const named = kinds.filter(isNamed);
  return named.length === 0 ? kinds : [...named, ...kinds.filter((kind) => !named.includes(kind))];
}

/**
 * What starts the node that a process runs: by its program's build information, else by the program's name, else by its
 * flags, where no other program is known to have them. Returns null if it runs another program, or a command such as `attach`.
 */
export function starterOfProcess(
  kinds: readonly Kind[],
  { argv, build }: Pick<ProcessFacts, 'argv' | 'build'>,
): (Starter & { readonly by: 'build' | 'name' | 'flags' }) | null {
  const [path = '', ...words] = argv;
  const built =
    build?.state === 'seen' ? kinds.map((kind) => kind.programOfBuild(build.value)).find(Boolean) : null;
  const name = built ?? path.slice(path.lastIndexOf('/') + 1);
  const named = starterOfProgram(kinds, name, words) ?? starterOfProgram(kinds, withoutRelease(name), words);
  const starter = named ?? starterOfFlags(kinds, argv, build?.state === 'seen' ? build.value : null);
  if (!starter?.kind.startsNode(words)) return null;
  return { ...starter, by: named === null ? 'flags' : built == null ? 'name' : 'build' };
}

/** What starts a node with flags that only its kind has; null if there are none, or its launchers are scripts. */
function starterOfFlags(
  kinds: readonly Kind[],
  argv: readonly string[],
  build: BuildFacts | null,
): Starter | null {
  const isOwn = (one: Kind) => argv.slice(1).some((word) => isOwnFlag(kinds, one, word));
  const kind = kinds.find((one) => !isScripted(one) && isOwn(one));
  if (kind === undefined || otherOfProcess(argv, build) !== null) return null;
  return { kind, launcher: kind.usualLauncher };
}

function isOwnFlag(kinds: readonly Kind[], kind: Kind, word: string): boolean {
  const flag = kind.dialect.flagIn(word);
  if (flag === null || kind.flags.ofAnyRelease(flag) === null || !kind.signs.flag.test(`--${flag}`))
    return false;
  const others = kinds.filter((other) => !sharesProgram(other, kind));
  return others.every(({ flags }) => flags.ofAnyRelease(flag) === null);
}

/** Whether they are kinds that start the same program, of which one is a fork of the other. */
export function sharesProgram({ programs }: KindWords, other: KindWords): boolean {
  return programs.some((one) => other.programs.includes(one));
}

/** The launcher that reads a conf of this path; null if none of these kinds has one. */
export function readerOfConf(
  kinds: readonly Kind[],
  path: string,
): (Starter & { readonly kind: ScriptedKind }) | null {
  for (const kind of selectScripted(kinds)) {
    const launcher = kind.launchers.ofConf(path);
    if (launcher !== null) return { kind, launcher };
  }
  return null;
}

/** The kinds that are started by scripts. */
export function selectScripted<K extends Pick<Kind, 'launchers'>>(kinds: readonly K[]) {
  return kinds.filter((kind) => isScripted(kind));
}

export function isScripted<K extends Pick<Kind, 'launchers'>>(
  kind: K,
): kind is K & Pick<ScriptedKind, 'launchers'> {
  return kind.launchers !== null;
}

/** The paths of confs on a machine and in the images. */
export function confPaths(kinds: readonly KindScripts[]): string[] {
  const launchers = kinds.flatMap((kind) => kind.launchers ?? []);
  const inImages = launchers.flatMap((one) => one.names.flatMap(one.confsInImage));
  return [...new Set([...launchers.flatMap((one) => one.installedConfs), ...inImages])];
}
