/**
 * Scans the text of a file of any format for signs: words that say an RPC or admin interface is started, opened or
 * widened. It knows vocabulary and places, and no grammar; it takes time linear in the length of the text.
 */
import type { Kind } from '../../kinds/kind.js';
import {
  describe,
  type OpenInterface,
  type OtherClient,
  otherOfFlags,
  otherOfImage,
  otherOfProgram,
} from '../../kinds/others.js';
import type { Range } from '../../sources/text/line-index.js';
import { mayName } from '../../sources/text/secret-content.js';
import { blockAt, commandAt, commandIn, lineStart, statementAt, wordsIn } from './blocks.js';
import { isArgument, isCommandPlace, isFlagValue } from './command-place.js';
import { containersIn } from './containers.js';
import { familyOf } from './family.js';
import { environmentIn, hasMore, type Published, publishedIn, targetsIn } from './published.js';
import { isProcessList, scriptsIn } from './scripts.js';
import type { Vocabulary, Words } from './vocabulary.js';

export interface Sign extends Range {
  readonly type: 'program' | 'script' | 'container' | 'image' | 'flag' | 'variable' | 'key' | 'call';
  /** The word as written. */
  readonly word: string;
  /** The statement or the block that it is part of. */
  readonly within: Range;
  /** The words of that part; null: a word that cannot be known offline. */
  readonly words: readonly (string | null)[];
  /** The kind of node it names; null: a word of several kinds, or of a client that is no kind. */
  readonly kind: Kind | null;
  /** A client that is no kind, with the interfaces that its words open; absent: it names none. */
  readonly other?: Other;
  /** The end of a script's path that tells it from other scripts. */
  readonly tail?: string;
}

/** The start of a client that is no kind. */
export interface Other {
  readonly client: OtherClient;
  readonly interfaces: readonly OpenInterface[];
  /** The ports that its container publishes, and whether it has the network of the machine. */
  readonly published: Published;
}

/** The beginning of a comment before a place in its line. */
const comment = /^\s*(?:#|\/\/|;|\*|<!--|%|--\s|REM\b|rem\b|dnl\b)|[ \t](?:#|\/\/)[ \t]/;

/** A line that prints a message. */
const message = /^[ \t]*@?(?:echo|printf)\b[^|>&;`]*$/;

const image =
  /(?:(?<!\w)image["']?[ \t]*[:=][ \t]*["']?|\brepository["']?[ \t]*[:=][ \t]*["']?|^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*)([\w.@:/-]+(?:\$\{\w+(?::-[\w.-]*)?\})?)/gim;
const containers = /\b(?:docker|podman|nerdctl)\b[^\n]{0,200}?[ \t](?:run|create)[ \t]/g;
const calls =
  /\bmethod\\*["']?[ \t]*:[ \t]*\\*["'](admin_start(?:HTTP|RPC|WS)|personal_unlockAccount|debug_startPProf)\b|(?<![\w.])(admin\.start(?:HTTP|RPC|WS)|personal\.unlockAccount)[ \t]*\(/g;
/** `api` in the section of a Cosmos chain's app.toml. */
const sectionKeys = /(?<=^\[json-rpc\][^[]{0,4000})^[ \t]*(api)[ \t]*=[ \t]*("[^"\n]{0,400}")/gm;
const keys =
  /(?<![\w$.{-])["']?((?:[\w.-]*[._-])?(?:rpc|http|ws|wss|json-?rpc|enabled)[._-]?(?:apis?|modules|namespaces))["']?[ \t]*[:=]\s*(\[[^\]]{0,400}\]|["'][^"'\n]{0,400}["']|[\w,]+|(?:-[ \t]*["']?\w+["']?\s+){1,30})/gi;

/** The signs of a text in the order of their places, those within the start of another one left out. */
export function signsIn(vocabulary: Vocabulary, path: string, text: string): Sign[] {
  const family = familyOf(path);
  if (family === 'document') return [];
  if (family === 'code')
    return [
      ...codeSigns(vocabulary, text),
      ...(isConsoleScript(path, text) ? callSigns(text) : []),
      ...(isProcessList(path) ? scriptSigns(vocabulary, path, text) : []),
    ];
  const starts = imageSigns(vocabulary, text);
  const clients = starts.filter(({ other }) => other !== undefined);
  starts.push(...programSigns(vocabulary, text).filter((one) => !isWithin(one, clients)));
  starts.push(...generatorSigns(vocabulary, text));
  const ofKinds = starts.filter(({ other }) => other === undefined);
  starts.push(...scriptSigns(vocabulary, path, text).filter((one) => !isWithin(one, ofKinds)));
  for (const sign of otherFlagSigns(vocabulary, text)) if (!isWithin(sign, starts)) starts.push(sign);
  starts.push(
    ...containerSigns(vocabulary, text).filter((one) => !starts.some((start) => isWithin(start, [one]))),
  );
  const others = [
    ...flagSigns(vocabulary, text),
    ...variableSigns(vocabulary, text),
    ...keySigns(vocabulary, text),
    ...(family === 'data'
      ? []
      : callSigns(text).filter((one) => !path.endsWith('.txt') || !isProse(text, one))),
  ];
  return [...starts, ...others.filter((one) => !isWithin(one, starts))].sort((a, b) => a.start - b.start);
}

function isWithin({ start }: Range, starts: readonly Sign[]): boolean {
  return starts.some(({ within }) => within.start <= start && start < within.end);
}

/** A script for the console of a node; programs that use a library import it. */
function isConsoleScript(path: string, text: string): boolean {
  return path.endsWith('.js') && !/\brequire\(|^[ \t]*(?:import|export)\b/m.test(text);
}

function inComment(text: string, at: number): boolean {
  const start = Math.max(lineStart(text, at), at - 2_000);
  if (comment.test(text.slice(start, at))) return true;
  const end = text.indexOf('\n', at);
  return message.test(text.slice(start, Math.min(end < 0 ? text.length : end, at + 2_000)));
}

/** The matches of a pattern outside of comments and printed messages. */
export function* found(text: string, pattern: RegExp): Generator<RegExpMatchArray & { index: number }> {
  for (const match of text.matchAll(pattern))
    if (!inComment(text, match.index)) yield match as RegExpMatchArray & { index: number };
}

/** Of a statement; the words behind more programs count as not known. */
const maxPrograms = 50;

/** A program or a launcher with words that start a node with an interface, or with words that are not known. */
function programSigns({ program, words }: Vocabulary, text: string): Sign[] {
  let last = { start: -1, count: 0 };
  return [...found(text, program())].flatMap(({ 0: word, index }): Sign[] => {
    if (isFlagValue(text, index)) return [];
    const within = statementAt(text, index);
    last = { start: within.start, count: within.start === last.start ? last.count + 1 : 0 };
    // The words of a statement are read once for each of its programs.
    if (last.count > maxPrograms)
      return [{ ...at(index, word), type: 'program', within, words: [null], kind: null }];
    const [, ...after] = wordsIn(text.slice(index, within.end));
    const range = { ...at(index, word), type: 'program', within, words: after } as const;
    const client = otherOfProgram(word, after);
    if (client !== null)
      return isStart(client, after) || isCommandPlace(text, index)
        ? otherSign(text, range, client, blockAt(text, index))
        : [];
    const before = wordsIn(text.slice(within.start, index));
    const command = commandIn(text.slice(index + word.length, within.end));
    const kind = words().find((one) =>
      startsIt(one, word.replace(/\.exe$/, ''), after, before, command),
    )?.kind;
    if (kind !== undefined && !after.some(isFlag) && isArgument(text, index)) return [];
    return kind === undefined ? [] : [{ ...range, within: commandAt(text, range), kind }];
  });
}

function isFlag(word: string | null): boolean {
  return word?.startsWith('-') === true;
}

/** True for words that only a command has: flags, or a sub-command that serves. */
function isStart({ serving }: OtherClient, words: readonly (string | null)[]): boolean {
  return words.some((word) => word !== null && (/^--?[A-Za-z]/.test(word) || serving.includes(word)));
}

/** The start of another client, where its words open an interface. */
function otherSign(text: string, sign: Omit<Sign, 'kind'>, client: OtherClient, block: Range): Sign[] {
  const around = text.slice(block.start, block.end);
  const words = hasMore(around) ? [...sign.words, null] : sign.words;
  const all = describe(client, words, environmentIn(around), isContainer(sign, around));
  // A client that opens no interface is a sign of the keys that it names.
  if (all.length === 0 && !words.some((word) => word !== null && mayName.test(word))) return [];
  const ports = targetsIn(around);
  // What is not known may set another port than the usual one, and does where another one is published.
  const isOther = ({ name, bind, port }: OpenInterface) =>
    bind === null &&
    ports.length > 0 &&
    client.interfaces.some((one) => one.name === name && one.usualPort === port) &&
    !ports.some((one) => one === port);
  const interfaces = all.map((one) => (isOther(one) ? { ...one, port: null } : one));
  return [{ ...sign, kind: null, other: { client, interfaces, published: publishedIn(around) } }];
}

/** The start of a script by whose name it starts a node. */
function scriptSigns({ words }: Vocabulary, path: string, text: string): Sign[] {
  const kinds = words().map(({ kind }) => kind);
  return scriptsIn(kinds, path, text).flatMap(({ start, key, path: word, tail, starts }): Sign[] => {
    if (inComment(text, start)) return [];
    const block = blockAt(text, key);
    const isStage = /^[ \t]*(?:ENTRYPOINT|CMD)\b/.test(text.slice(key, key + 100));
    const within = isStage ? { start: 0, end: text.length } : block;
    const range = { ...at(start, word), type: 'script', within, words: [null], tail } as const;
    return 'signs' in starts ? [{ ...range, kind: starts }] : otherSign(text, range, starts, block);
  });
}

/** A container whose image is not known, with words of a node. */
function containerSigns(vocabulary: Vocabulary, text: string): Sign[] {
  return containersIn(vocabulary, text).flatMap(({ start, image, within, words, starts }): Sign[] => {
    if (inComment(text, start)) return [];
    const range = { ...at(start, image), type: 'container', within, words: [...words, null] } as const;
    if (starts === null || 'signs' in starts) return [{ ...range, kind: starts }];
    return otherSign(text, range, starts, within);
  });
}

/** The command of a program that writes a deployment when it runs. */
function generatorSigns({ words }: Vocabulary, text: string): Sign[] {
  return words().flatMap(({ kind }) => {
    const match = kind.signs.generator?.command.exec(text) ?? null;
    if (match === null) return [];
    const range = at(match.index, match[0]);
    return [{ ...range, type: 'program', within: range, words: [], kind }];
  });
}

/** True where the client runs in a container, as far as the words around it say. */
function isContainer({ type }: Pick<Sign, 'type'>, around: string): boolean {
  return type === 'image' || /\bimage\b|\b(?:docker|podman|nerdctl)\b|^\s*(?:CMD|ENTRYPOINT)\b/m.test(around);
}

function startsIt(
  { kind, flags }: Words,
  name: string,
  words: readonly (string | null)[],
  before: readonly (string | null)[],
  command: readonly string[],
): boolean {
  if (kind.launchers?.names.includes(name))
    return (
      /^(?:re)?start$/.test(words[0] ?? '') ||
      before.some((one) => /^(?:re)?start(?:ed)?$|^enable$/.test(one ?? ''))
    );
  if (!kind.programs.includes(name)) return false;
  const literal = words.filter((one) => one !== null);
  if (!kind.startsNode(literal) || !kind.startsNode(command)) return false;
  return words.some((one) =>
    one === null ? words[0] === one || words[0]?.startsWith('-') : flags.has(nameOf(one)),
  );
}

/** `--http.api=eth` → `http.api`; empty for a word that is no flag. */
function nameOf(word: string): string {
  return /^--?([A-Za-z][\w.-]*)/.exec(word)?.[1] ?? '';
}

/** An image that is published for a node, or for another client, in the place of an image. */
function imageSigns({ words }: Vocabulary, text: string): Sign[] {
  const signOf = (name: string, start: number, within: Range): Sign[] => {
    const own = wordsIn(text.slice(within.start, within.end)).filter((one) => one !== name);
    const range = { ...at(start, name), type: 'image', within, words: own } as const;
    const client = otherOfImage(name, own);
    if (client !== null) return otherSign(text, range, client, within);
    const kind = words().find((one) => one.kind.evidence.ofImage(name) !== null)?.kind;
    return kind === undefined || runsTool(kind, text.slice(within.start, within.end))
      ? []
      : [{ ...range, kind }];
  };
  const keyed = [...found(text, image)].flatMap((match) => {
    const name = match[1] ?? '';
    const start = match.index + match[0].length - name.length;
    return signOf(name, start, blockAt(text, start));
  });
  const run = [...found(text, containers)].flatMap((match): Sign[] => {
    const within = statementAt(text, match.index);
    for (const name of wordsIn(text.slice(match.index, within.end))) {
      if (name === null || !/^[\w.-]+[/:][\w.@:/-]*$/.test(name)) continue;
      const start = text.indexOf(name, match.index);
      const [sign] = signOf(name, start, within);
      if (sign === undefined) continue;
      const [command = ''] = text.slice(start + name.length, within.end).split(/[);|&`]/, 1);
      const literal = wordsIn(command).filter((word) => word !== null);
      return sign.kind?.startsNode(literal) === false ? [] : [sign];
    }
    return [];
  });
  return [...keyed, ...run];
}

/** True for a container whose command is a program of the image that is no node. */
function runsTool({ signs: { tools = [] } }: Kind, block: string): boolean {
  const commands = block.matchAll(
    /(?:^|[\s{,])["']?(?:command|entrypoint)["']?[ \t]*[:=][ \t]*(?:\[|\r?\n[ \t]*- )?[ \t]*["']?(?:[\w.-]*\/)*([\w-]+)/g,
  );
  return [...commands].some(([, name = '']) => tools.includes(name));
}

/** Flags that only another client has, where neither its program nor its image is named. */
function otherFlagSigns({ otherFlag }: Vocabulary, text: string): Sign[] {
  return [...found(text, otherFlag())].flatMap(({ 0: word, index }): Sign[] => {
    const within = blockAt(text, index);
    const own = wordsIn(text.slice(within.start, within.end));
    const client = otherOfFlags(own);
    const range = { ...at(index, word), type: 'flag', within, words: own } as const;
    return client === null || !hasSecond(client, own, word) ? [] : otherSign(text, range, client, within);
  });
}

/** True for a second flag of the client: other software may have one. */
function hasSecond(
  { own, interfaces }: OtherClient,
  words: readonly (string | null)[],
  first: string,
): boolean {
  const settings = interfaces.flatMap((one) => [one.enable, one.bind, one.port, one.modules].flat());
  const known = new Set([...own, ...settings.map((name) => name.replace(/^-+/, ''))]);
  return words.some((word) => word !== null && nameOf(word) !== nameOf(first) && known.has(nameOf(word)));
}

function flagSigns({ flag, words }: Vocabulary, text: string): Sign[] {
  return [...found(text, flag())].map(({ 0: word, index }): Sign => {
    const within = statementAt(text, index);
    const has = words().filter(({ flags }) => flags.has(nameOf(word)));
    const own = wordsIn(text.slice(within.start, within.end));
    return {
      ...at(index, word),
      type: 'flag',
      within,
      words: own,
      kind: has.length === 1 ? (has[0]?.kind ?? null) : null,
    };
  });
}

/** True for two flags of one interface, or a flag and a list with a private module after it. */
export function opensInterface({ words }: Vocabulary, own: readonly (string | null)[]): boolean {
  const kinds = words().map(({ kind }) => kind);
  const names = own.map((word) => nameOf(word ?? ''));
  return words().some(({ interfaces }) =>
    interfaces.some((flags) => {
      const places = names.flatMap((name, index) => (flags.has(name) ? [index] : []));
      return (
        new Set(places.map((index) => names[index])).size > 1 ||
        places.some((index) =>
          listsPrivate(kinds, own[index]?.split('=')[1] ?? own[index + 1]?.replace(/^-.*/, '') ?? ''),
        )
      );
    }),
  );
}

/** Variables of a node's own; of those that other programs have too, two of one interface, or a list with a private module. */
function variableSigns({ variable, words }: Vocabulary, text: string): Sign[] {
  const all = [...found(text, variable())].flatMap(
    (match): (Sign & { readonly isOwn: boolean; readonly value: string })[] => {
      const [whole, name = '', value = ''] = match;
      if (value.trim() === '' || /^["']?\w+:\/\//.test(value)) return [];
      const own = words().find(({ kind }) => kind.signs.variable.test(name))?.kind;
      const kind =
        own ?? words().find((one) => one.kind.launchers?.isKnownVariable(name) === true)?.kind ?? null;
      const within = { start: match.index, end: match.index + whole.length };
      return [
        {
          ...at(match.index, name),
          type: 'variable',
          within,
          words: [],
          kind,
          isOwn: own !== undefined,
          value,
        },
      ];
    },
  );
  const groups = new Map<string, Set<string>>();
  for (const { word } of all) {
    const group = word.slice(0, word.indexOf('_'));
    groups.set(group, (groups.get(group) ?? new Set()).add(word));
  }
  const isPair = ({ word }: Sign) => {
    const group = [...(groups.get(word.slice(0, word.indexOf('_'))) ?? [])];
    return group.length > 1 && group.some((name) => /_(?:ENABLE|API)$/.test(name));
  };
  return all
    .filter(
      (one) =>
        one.isOwn ||
        isPair(one) ||
        listsPrivate(
          words().map(({ kind }) => kind),
          one.value,
        ),
    )
    .map(({ isOwn, value, ...sign }) => sign);
}

/** A key of any format whose value lists modules of a node, one of them private. */
function keySigns({ words }: Vocabulary, text: string): Sign[] {
  const kinds = words().map(({ kind }) => kind);
  // Looking behind each line for the section takes long.
  const inSection = text.includes('[json-rpc]') ? found(text, sectionKeys) : [];
  return [...found(text, keys), ...inSection].flatMap((match): Sign[] => {
    const [whole, name = '', value = ''] = match;
    if (!listsPrivate(kinds, value)) return [];
    const within = { start: match.index, end: match.index + whole.length };
    return [{ ...at(match.index, name), type: 'key', within, words: [], kind: null }];
  });
}

/** True for a list of names that are all modules, at least one of them private. */
function listsPrivate(kinds: readonly Kind[], value: string): boolean {
  const names = (value.match(/[A-Za-z][\w-]*/g) ?? []).map((name) => name.toLowerCase());
  const isModule = (name: string) =>
    usual.has(name) ||
    kinds.some(
      ({ modules: { catalogue, inert, canonical } }) =>
        Object.hasOwn(catalogue, canonical(name)) || Object.hasOwn(inert, name),
    );
  return (
    names.length > 0 &&
    names.every(isModule) &&
    names.some((name) => kinds.some(({ modules }) => modules.isKnownPrivileged(modules.canonical(name))))
  );
}

/** Modules of clients that are no kind, and words for all of them. */
const usual: ReadonlySet<string> = new Set(
  'all trace parity erigon ots reth rpc health proof subscribe perm'.split(' '),
);

function callSigns(text: string): Sign[] {
  return [...found(text, calls)].map((match): Sign => {
    const word = match[1] ?? match[2] ?? '';
    const within = statementAt(text, match.index);
    return { ...at(match.index, word), type: 'call', within, words: [], kind: null };
  });
}

/** True for a call in a sentence, or in a numbered list of them. */
function isProse(text: string, { start, within }: Sign): boolean {
  const before = text.slice(lineStart(text, start), start);
  return (
    /^\s*\d+[.)]\s|[a-z]\s+[a-z]+\s+$/i.test(before) ||
    /^[^)\n]*\)[ \t]+[a-z]+[ \t]+[a-z]/i.test(text.slice(start, within.end))
  );
}

function at(start: number, word: string): Range & Pick<Sign, 'word'> {
  return { start, end: start + word.length, word };
}

/**
 * In the source of a program: a node's program, launcher or image in quotes, where a flag of an interface is in quotes too,
 * and a list with a private module.
 */
function codeSigns({ words, variable }: Vocabulary, text: string): Sign[] {
  const kinds = words().map(({ kind }) => kind);
  const all = [...found(text, /(["'`])([^"'`\n]{1,400})\1/g)].map(
    (match) => ({ inside: (match[2] ?? '').split(/\s+/), start: match.index + 1 }) as const,
  );
  const isFlagged = words().filter(({ flags }) =>
    all.some(({ inside }) => inside.some((one) => flags.has(nameOf(one)))),
  );
  const starts = all.flatMap(({ inside: [first = '', second = ''], start }, index): Sign[] => {
    const name = baseOf(first);
    const next = second || (all[index + 1]?.inside[0] ?? '');
    const kind = kinds.find((one) =>
      one.launchers?.names.includes(name)
        ? /^(?:re)?start$/.test(next)
        : isFlagged.some((own) => own.kind === one) &&
          (one.programs.includes(name) || one.evidence.ofImage(first) !== null),
    );
    if (kind === undefined) return [];
    const range = at(start, first);
    return [{ ...range, type: 'program', within: range, words: [next], kind }];
  });
  const lists = [...found(text, variable())].flatMap((match): Sign[] => {
    const [, name = '', value = ''] = match;
    if (!listsPrivate(kinds, value)) return [];
    const range = at(match.index, name);
    return [{ ...range, type: 'variable', within: range, words: [], kind: null }];
  });
  return [...starts.slice(0, 1), ...lists];
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
