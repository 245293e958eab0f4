/** From a launch to settings: the half that every source but a plain conf has in common. */
import type { Conf } from '../facts/facts.js';
import type { Admission, Listener, Settings, Source } from '../facts/settings.js';
import type { Span } from '../facts/span.js';
import type { Launcher, Package } from '../kinds/kaia/names.js';
import { packagedConf } from '../kinds/kaia/packaged.js';
import { settingsOfWords } from './argv/node.js';
import { type EnvironmentVariable, shadedByUnseen, type YamlLayer } from './argv/settings.js';
import type { ReplayWord } from './conf/replay.js';
import { settingsOfConf } from './conf/settings.js';
import type { GivenVariable } from './conf/text.js';
import type { Container, Launch } from './launch.js';
import type { LineIndex } from './line-index.js';
import { isKnown, Placed, PlacedIndex } from './placed.js';

export interface LaunchOptions {
  readonly source: Omit<Source, 'multiline'>;
  readonly launcher?: Launcher | undefined;
  readonly package?: Package | undefined;
  /** Variables of whoever starts the launcher, over those of the file. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The conf that lines are appended to, in place of the packaged one. */
  readonly base?: LineIndex | null;
  /** The file that --conf names, once it was read. */
  readonly yaml?: YamlLayer | undefined;
}

/** The settings of a node that a file starts, and where other conditions hold. */
export function confOf(launch: Launch, options: LaunchOptions): Conf {
  const conf =
    launch.start.kind === 'binary' ? ofWords(launch, launch.start.words, options) : ofConf(launch, options);
  const { name, unread, container } = launch;
  const settings: Settings = {
    ...conf.settings,
    ...(name === null ? {} : { name }),
    at: launch.at,
    ...(unread.length === 0 ? {} : { unread }),
    listeners: conf.settings.listeners.map((listener) => admitted(listener, container)),
  };
  const alternatives = launch.alternatives.map((one) => ({
    when: (one.when?.text ?? '').replace(/\s+/g, ' '),
    conf: confOf(one, options),
  }));
  return { ...conf, settings, ...(alternatives.length === 0 ? {} : { alternatives }) };
}

function ofConf(launch: Launch, options: LaunchOptions): Conf {
  const launcher = options.launcher ?? launch.launcher;
  const from = options.package ?? 'tar';
  const { start } = launch;
  const given = start.kind === 'launcher' ? start : null;
  const appended = given?.base === 'packaged';
  const base = appended && options.base ? Placed.at(options.base) : null;
  const parts = [base, base === null ? null : base.as('\n'), given?.conf ?? null].filter(
    (one) => one !== null,
  );
  const lineIndex = parts.length === 0 ? emptyAt(launch.at) : new PlacedIndex(Placed.join(parts));
  return settingsOfConf({
    lineIndex,
    syntaxIssues: [],
    launcher,
    package: from,
    inferredFrom: launch.inferredFrom,
    guessed: launch.guessed === true && options.launcher === undefined,
    env: givenEnvironment(launch, options),
    unseen: launch.unknownEnvironment ?? null,
    packaged: appended && base === null ? packagedConf(launcher, from) : {},
    file: options.yaml ?? null,
    source: options.source,
  });
}

function emptyAt(at: Span): LineIndex {
  return new (class extends PlacedIndex {
    override span(): Span {
      return at;
    }
  })(Placed.nowhere(at.file));
}

function ofWords(launch: Launch, words: readonly Placed[], options: LaunchOptions): Conf {
  const launcher = options.launcher ?? launch.launcher;
  const texts = new Map<Span, Placed>();
  const replayed = words.map((word) => replayWord(word, texts));
  const environment = new Map<string, EnvironmentVariable>();
  for (const [name, { value, at, indeterminate }] of givenEnvironment(launch, options))
    environment.set(name, { value, indeterminate, origin: { kind: 'environment', variable: name, at } });
  for (const { value, at } of launch.environment.values())
    if (value !== null && at !== null) texts.set(at, value);
  const started = settingsOfWords({
    launcher,
    words: replayed,
    environment,
    file: launch.file ?? options.yaml ?? null,
    before: [],
    after: [],
    renamed: (values) => shadedByUnseen(values, launch.unknownEnvironment ?? null),
    locate: ({ origin }, piece, after) => {
      const at = 'at' in origin ? origin.at : null;
      const text = at === null ? undefined : texts.get(at);
      return text === undefined ? at : pieceIn(text, piece, after);
    },
  });
  return {
    settings: {
      launcher,
      package: options.package ?? 'tar',
      inferredFrom: launch.inferredFrom,
      guessed: launch.guessed === true && options.launcher === undefined,
      source: { ...options.source, multiline: [] },
      keys: {},
      ...started,
    },
    shell: null,
  };
}

const filledIn = 'it is filled in later, by a template or by the environment';

/** A word with a placeholder is unknown; after `--flag=` only that flag is. */
function replayWord(word: Placed, texts: Map<Span, Placed>): ReplayWord {
  const at = word.span();
  texts.set(at, word);
  const known = isKnown(word.text);
  const flag = /^--?([A-Za-z][\w.-]*)=/.exec(word.text)?.[1];
  return {
    text: known ? word.text : null,
    variable: null,
    at,
    cause: null,
    causeAt: null,
    indeterminate: known ? null : filledIn,
    maybe: known || flag === undefined ? null : [`--${flag}`],
    written: true,
  };
}

function pieceIn(text: Placed, piece: string, after: Span | null): Span {
  const found = pieces(text, piece).find((span) => after === null || isBehind(span, after));
  return found ?? text.span();
}

const maxPieces = 100;

function pieces(text: Placed, piece: string): Span[] {
  const spans: Span[] = [];
  for (
    let at = text.text.indexOf(piece);
    at >= 0 && spans.length < maxPieces;
    at = text.text.indexOf(piece, at + 1)
  ) {
    const alone = /[\s,=]/;
    if (alone.test(text.text[at - 1] ?? ',') && alone.test(text.text[at + piece.length] ?? ','))
      spans.push(text.span({ start: at, end: at + piece.length }));
  }
  return spans;
}

function isBehind(span: Span, after: Span): boolean {
  return span.line > after.endLine || (span.line === after.endLine && span.column >= after.endColumn);
}

/** The file's variables, and over them those that were given by hand. */
function givenEnvironment(launch: Launch, options: LaunchOptions): Map<string, GivenVariable> {
  const map = new Map<string, GivenVariable>();
  for (const [name, { value, at, indeterminate }] of launch.environment) {
    const known = value !== null && isKnown(value.text);
    map.set(name, {
      value: known ? value.text : null,
      at,
      indeterminate: known ? null : (indeterminate ?? filledIn),
    });
  }
  for (const [name, value] of Object.entries(options.env ?? {}))
    map.set(name, { value, at: null, indeterminate: null });
  return map;
}

/** A listener as others find it behind what the container publishes. */
function admitted(listener: Listener, container: Container | null): Listener {
  if (container === null || listener.kind === 'ipc') return listener;
  return { ...listener, container: admission(listener, container) };
}

function admission({ port }: Listener, { published, network }: Container): Admission {
  const all = published.filter((one) => one.port === null || port === null || one.port === port);
  const open = all.find(({ host }) => host === null || host === '0.0.0.0' || host === '::') ?? all[0];
  if (open === undefined) return { published: null, network };
  const { host, hostPort, at, because, instead } = open;
  return { published: { host, port: hostPort, at, because, instead }, network };
}
