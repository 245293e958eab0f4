/** The node that the image of a container starts, by its name, its variables and its files. */
import { visible } from '../../../util/visible.js';
import { selectScripted, starterOfProgram } from '../../kinds/find.js';
import type { Kind, KindListeners, KindWords } from '../../kinds/kind.js';
import { otherOfFlags, otherOfImage } from '../../kinds/others.js';
import { isKnown, type Placed } from '../text/placed.js';
import { showText } from '../text/unknown.js';
import type { Command } from './command.js';
import { type StartedNode, startedBy } from './commands.js';
import { baseName } from './paths.js';

/** A container of a node's image may start a node where its script cannot be read, or where only the image says what runs. */
export function tellUnfollowed(command: Command, unread: readonly string[]): void {
  const { name, kinds, image, words, files } = command;
  if (image == null) return;
  const [first] = words;
  const tell = (reason: string) => files.unfollowed({ name, at: (first ?? image).span(), reason });
  const ofNode = kinds.filter(({ signs }) => signs.image.test(image.text));
  // Behind a flag, only a word of its own is a command: `init` starts none.
  const flag = image.as('--datadir=.');
  if (ofNode.some((kind) => !startsIn(image.text, kind, [flag, ...behindProgram(kind, words)]))) return;
  const mayStart = ofNode.some(
    (kind) =>
      isGiven(kind, image.text, words) || (hasPort(kind, command) && !runsItself(kind, image.text, words)),
  );
  if (unread[0] !== undefined && ofNode.length > 0) tell(unread[0]);
  else if (ofNode.length > 0 && first !== undefined && !isKnown(first.text))
    tell(`${showText(first)}, which is not known, decides what the image ${showText(image)} runs`);
  else if (first === undefined && (mayStart || kinds.some((kind) => programIn(kind, image.text) !== null)))
    tell(`the image ${showText(image)}, which is not read, decides what runs`);
  else if (first !== undefined && mayStart)
    tell(`what ${visible(showText(first).trim(), 80)} runs in the image ${showText(image)} is not read`);
  else tellFlags(command, image);
}

/** Flags of a node where neither the program nor the image says which one it is. */
function tellFlags({ kinds, words, name, files }: Command, image: Placed): void {
  const texts = words.map(({ text }) => text);
  if (otherOfImage(image.text, texts) !== null || otherOfFlags(texts) !== null) return;
  const [flag] = words.flatMap((word) => {
    const [own] = kinds.flatMap(({ signs }) => signs.flag.exec(word.text) ?? []);
    return own === undefined ? [] : [word.slice(word.text.indexOf(own)).slice(0, own.length)];
  });
  if (flag === undefined || kinds.some(({ signs }) => signs.otherProgram.test(image.text))) return;
  const reason = `${flag.text} is a flag of several clients, and its image does not say which one runs`;
  files.unfollowed({ name, at: flag.span(), reason });
}

/** The words behind the node's program, where they begin with it. */
function behindProgram(kind: Kind, words: readonly Placed[]): readonly Placed[] {
  const [first, ...others] = words;
  return first !== undefined && kind.launcherOf(baseName(first.text)) !== null ? others : words;
}

/** Whether this is the node's program with a command that starts no node, such as `attach`. */
function runsItself(kind: Kind, image: string, words: readonly Placed[]): boolean {
  const own = behindProgram(kind, words);
  const isOwn = own !== words || (kind.signs.entrypoint !== null && words.length > 0);
  return isOwn && !startsIn(image, kind, own);
}

/** Whether the words hand a start of the node to the program before it, as `docker-entrypoint.sh geth --http` does. */
function isGiven(kind: Kind, image: string, words: readonly Placed[]): boolean {
  const at = words.findIndex(({ text }) => kind.launcherOf(baseName(text)) !== null);
  return at > 0 && startsIn(image, kind, words.slice(at + 1));
}

/** Whether words start a node in the release of the image; null for those of its launcher. */
export function startsIn(image: string, kind: Kind, words: readonly Placed[] | null): boolean {
  const texts = words?.map(({ text }) => text);
  return texts === undefined || kind.startsNode(texts, kind.evidence.ofImage(image)?.since);
}

/** Whether this is a container with the port of one of a node's interfaces. */
function hasPort({ interfaces }: KindListeners, { container, ports = [] }: Command): boolean {
  const all = [...ports, ...(container?.published ?? []).map(({ port }) => port)];
  return (['http', 'ws'] as const).some((name) => all.includes(interfaces.defaultPort(name)));
}

/** The program that the name of an image says; null if it says none. */
function programIn(kind: KindWords, image: string): string | null {
  const names = (program: string) => `\\b(?:${program}|${kind.launcherOf(program)})\\b`;
  return kind.programs.find((program) => new RegExp(names(program)).test(image)) ?? null;
}

/**
 * A command of flags, or `console`, is passed to the entrypoint of the image: the program, in the image of a node. The image of
 * another name is one of a node where few other programs have one of the flags. Without a command, only a published image
 * is known to start its node.
 */
export function byImage(command: Command): StartedNode | null {
  const { kinds, words: given, image } = command;
  if (image == null) return null;
  const published = kinds.find(({ signs }) => signs.entrypoint?.image.test(image.text));
  // A word that is not known may be flags too, or nothing.
  const known = published === undefined ? -1 : given.findIndex(({ text }) => isKnown(text));
  const first = given[Math.max(0, known)];
  const isCommand = ({ consoles }: KindWords) => first !== undefined && consoles.includes(first.text);
  const isOwn = first === undefined || (published !== undefined && isCommand(published));
  if (isOwn ? published === undefined : !first.text.startsWith('-') && !kinds.some(isCommand)) return null;
  const kind =
    published ?? kinds.find(({ signs }) => signs.image.test(image.text)) ?? byFlags(command, image.text);
  if (kind === undefined || (first?.text.startsWith('-') === false && !isCommand(kind))) return null;
  const words = [...(published?.signs.entrypoint?.words ?? []).map((word) => image.as(word)), ...given];
  if (!kind.startsNode(words.map(({ text }) => text))) return null;
  const program = programIn(kind, image.text);
  const named = program === null ? null : kind.launcherOf(program);
  const isGuess = published === undefined && named === null;
  const launcher = named ?? kind.usualLauncher;
  return { kind, launcher, words, ...(isGuess ? { guessed: true } : {}) };
}

/** The kind whose flags are among the words of an unknown image; null if there is none, or they may be those of another client. */
function byFlags(command: Command, image: string): Kind | undefined {
  const { kinds, words } = command;
  const texts = words.map(({ text }) => text);
  if (otherOfImage(image, texts) !== null || otherOfFlags(texts) !== null) return undefined;
  const names = texts.flatMap((text) => /^--?([a-z][\w.-]*)/.exec(text)?.[1] ?? []);
  const knownBy = ({ flags }: KindWords) =>
    new Set(names.filter((name) => flags.ofAnyRelease(name) !== null));
  const [first = ''] = texts;
  // Of kinds with flags in common, the one that knows the most of them.
  const byFlags = kinds.toSorted((a, b) => knownBy(b).size - knownBy(a).size);
  return byFlags.find((kind) => {
    const { flag, besideFlag, otherProgram } = kind.signs;
    const known = knownBy(kind);
    // One flag may be that of another program.
    if (otherProgram.test(image) || known.size < 2) return false;
    if (first.startsWith('-') ? !texts.some((text) => flag.test(text)) : !startsWith(first, kind, known))
      return false;
    return besideFlag === null || hasPort(kind, command) || texts.some((text) => besideFlag.test(text));
  });
}

/** Whether this is the sub-command of a kind before a switch of its http or ws. */
function startsWith(
  first: string,
  { consoles, interfaces }: KindListeners & KindWords,
  known: ReadonlySet<string>,
): boolean {
  const { http, ws } = interfaces.flags;
  return (
    consoles.includes(first) && [http.enable, ws.enable].some((name) => name !== null && known.has(name))
  );
}

/** An image of any name whose own program runs, with a variable that opens an interface of a node, or a launcher's conf. */
export function byContent({ kinds, words, image, environment, file }: Command): StartedNode | null {
  const texts = words.map(({ text }) => text);
  if (image == null || otherOfImage(image.text, texts) !== null) return null;
  const run = words.length === 0 ? null : startedBy(kinds, words);
  const program = run !== null && 'path' in run ? run.path.text : null;
  if (words.length > 0 && (program === null || starterOfProgram(kinds, baseName(program)) !== null))
    return null;
  const own = { guessed: true } as const;
  const kind = kinds.find((one) =>
    [...environment.keys()].some((name) => opensInterface(one, name, image.text)),
  );
  if (kind !== undefined) return { ...own, kind, launcher: kind.usualLauncher, words: [] };
  const confs = selectScripted(kinds)
    .filter(({ evidence }) => evidence.ofImage(image.text) === null)
    .flatMap((one) =>
      one.launchers.names.flatMap((launcher) =>
        one.launchers.confsInImage(launcher).flatMap((path) => {
          const text = file?.(path, 'conf') ?? null;
          return text === null ? [] : [{ text, kind: one, launcher }];
        }),
      ),
    );
  const found = confs.find(({ text }) => !('problem' in text)) ?? confs[0];
  return found === undefined ? null : { ...own, kind: found.kind, launcher: found.launcher, words: null };
}

/** Whether this is a variable that switches http or ws on, and that only a node reads, or the fork in its image. */
function opensInterface(kind: Kind, name: string, image: string): boolean {
  const { fork, until = kind.release.id } = kind.evidence.ofImage(image) ?? {};
  if (fork === undefined && !kind.signs.variable.test(name)) return false;
  const { flags, interfaces, programOf, usualLauncher } = kind.at(until, fork);
  const { http, ws } = interfaces.flags;
  const flag = flags.of(programOf(usualLauncher)).byEnvironment.get(name)?.name;
  return flag !== undefined && (flag === http.enable || flag === ws.enable);
}
