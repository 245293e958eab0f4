/** The node that the image of a container starts, by its name, its variables and its files. */
import { scripted, starterOfProgram } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { Container } from '../launch/launch.js';
import type { Command } from './command.js';
import { baseName, type Started, startedBy } from './commands.js';

/** A container of a node's image may start a node where its script cannot be read, or where only the image says what runs. */
export function tellUnfollowed(
  { name, kinds, image, words, files, container }: Command,
  unread: readonly string[],
): void {
  if (image == null) return;
  const [first] = words;
  const [reason] = unread;
  const at = (first ?? image).span();
  const isNode = (kind: Kind) =>
    programIn(kind, image.text) !== null || publishesNode(kind, image.text, container);
  if (first === undefined && kinds.some(isNode))
    files.unfollowed({ name, at, reason: `the image ${image.text}, which is not read, decides what runs` });
  else if (reason !== undefined && kinds.some(({ signs }) => signs.image.test(image.text)))
    files.unfollowed({ name, at, reason });
}

/** True for the image of a node that publishes the port of one of its interfaces. */
function publishesNode({ signs, interfaces }: Kind, image: string, container: Container | null): boolean {
  const own = (['http', 'ws'] as const).map((name) => interfaces.defaultPort(name));
  const isOwn = ({ port }: Container['published'][number]) => port !== null && own.includes(port);
  return signs.image.test(image) && (container?.published.some(isOwn) ?? false);
}

/** The program that the name of an image says; null: it says none. */
function programIn(kind: Kind, image: string): string | null {
  const names = (program: string) => `\\b(?:${program}|${kind.launcherOf(program)})\\b`;
  return kind.programs.find((program) => new RegExp(names(program)).test(image)) ?? null;
}

/**
 * A command of flags only is passed to the entrypoint of the image: the program, in the image of a node. The image of
 * another name is one of a node where few other programs have one of the flags.
 */
export function byImage({ kinds, words, image }: Command): Started | null {
  const [first] = words;
  if (first === undefined || image == null || !first.text.startsWith('-')) return null;
  const kind =
    kinds.find(({ signs }) => signs.image.test(image.text)) ??
    kinds.find(
      ({ signs }) => !signs.otherProgram.test(image.text) && words.some(({ text }) => signs.flag.test(text)),
    );
  if (kind === undefined || !kind.startsNode(words.map(({ text }) => text))) return null;
  const program = programIn(kind, image.text);
  const launcher = program === null ? null : kind.launcherOf(program);
  return launcher === null
    ? { kind, launcher: kind.usualLauncher, guessed: true, words, environment: [] }
    : { kind, launcher, words, environment: [] };
}

/** An image of any name whose own program runs, with a variable that opens an interface of a node, or a launcher's conf. */
export function byContent({ kinds, words, image, environment, file }: Command): Started | null {
  if (image == null) return null;
  const run = words.length === 0 ? null : startedBy(kinds, words);
  const program = run !== null && 'path' in run ? run.path.text : null;
  if (words.length > 0 && (program === null || starterOfProgram(kinds, baseName(program)) !== null))
    return null;
  const own = { guessed: true, environment: [] } as const;
  const kind = kinds.find((one) => [...environment.keys()].some((name) => opensInterface(one, name)));
  if (kind !== undefined) return { ...own, kind, launcher: kind.usualLauncher, words: [] };
  const confs = scripted(kinds)
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

/** True for a variable of a node's own that switches http or ws on. */
function opensInterface({ signs, flags, interfaces, programOf, usualLauncher }: Kind, name: string): boolean {
  if (!signs.variable.test(name)) return false;
  const { http, ws } = interfaces.flags;
  const flag = flags.of(programOf(usualLauncher)).byEnvironment.get(name)?.name;
  return flag !== undefined && (flag === http.enable || flag === ws.enable);
}
