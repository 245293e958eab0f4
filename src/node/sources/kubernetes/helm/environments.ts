/** Values that a chart gets besides those of `values.yaml`. */
import { posix } from 'node:path';
import { escapeForRegExp } from '../../../../util/escape-for-reg-exp.js';
import { type Call, callsOf, optionValues, placesOf, readAt } from '../../calls/calls.js';
import type { Files } from '../../launch/files.js';
import type { LineIndex } from '../../text/line-index.js';
import { isKnown, Placed, PlacedIndex } from '../../text/placed.js';
import { unfilled } from '../../text/placeholders.js';
import { showText } from '../../text/unknown.js';
import { pairOf } from '../../text/words.js';
import { readYaml } from '../../yaml/document.js';
import { type Tree, textTree } from '../../yaml/tree.js';
import { Unrendered } from './tokens.js';
import { at, type Over, overBy } from './values.js';

const ofEnvironment = /(?:^|\/)(?:values[-._][\w.-]+|[\w.-]+[-._]values)\.ya?ml$/;

/** The values for other environments, in the folder of the chart: `values-prod.yaml`, `prod-values.yaml`. */
export function environmentsOf(folder: string, files: Files): LineIndex[] {
  return files.named(ofEnvironment).filter(({ file }) => posix.dirname(file) === folder);
}

/** What a command gives the chart of a folder, and the file of the command. */
export interface GivenValues {
  /** @throws {Unrendered} where a file of values is not among the files */
  readonly over: () => Over;
  readonly by: LineIndex;
}

/** The values of `helm upgrade|install|template NAME FOLDER -f FILE --set a.b=c`; the last one counts. */
export function valuesOfCalls(folder: string, files: Files): GivenValues[] {
  return callsOf('helm', files).flatMap((call) => {
    if (!call.words.some(({ text }) => /^(?:upgrade|install|template)$/.test(text))) return [];
    const at = call.words
      .map(({ text }) => placesOf(call, text).findIndex(({ path }) => posix.join(path, '.') === folder))
      .find((index) => index >= 0);
    if (at === undefined) return [];
    const [open] = optionValues(call.words, /^(?:-f|--values)$/).filter(({ text }) => !isKnown(text));
    const known = open?.text
      .split(new RegExp(`${unfilled}+`))
      .map(escapeForRegExp)
      .join('[^/]+');
    const path = known && placesOf(call, known)[at]?.path;
    const choices = path ? files.named(new RegExp(`^${path}$`)) : [];
    return (choices.length === 0 ? [null] : choices).flatMap((choice) => givenBy(call, at, choice, files));
  });
}

/** @param choice - the file that a name with a variable may mean; null if no file of the folder has such a name */
function givenBy(call: Call, at: number, choice: LineIndex | null, files: Files): GivenValues[] {
  const by = choice ?? call.by;
  for (const { file } of [by, call.by]) files.heard(file);
  const read = (path: string) =>
    readAt(placesOf(call, path)[at], (one, from) =>
      choice !== null && !isKnown(path) ? choice : files.read(one, from, 'included'),
    );
  const given = (name: RegExp) => optionValues(call.words, name);
  const names = given(/^(?:-f|--values)$/).flatMap((value) => value.split(/,/));
  const inputs = names.flatMap(({ text }) => read(text));
  const isPrinted = (value: Placed) => value.source(0, value.text.length).written.startsWith('<(');
  const isOpen = given(/^--post-renderer$/).length > 0 || names.some(isPrinted);
  const texts = (name: RegExp) => given(name).flatMap((value) => value.split(/(?<!\\),/));
  // In the order in which helm takes them.
  const set = [
    ...given(/^--set-json$/).flatMap(jsonBy),
    ...[/^--set$/, /^--set-string$/]
      .flatMap(texts)
      .flatMap((pair) => setBy(pair, (value) => textTree(value.replace(/\\/g, (_, place) => place.as(''))))),
    ...texts(/^--set-file$/).flatMap((pair) =>
      setBy(pair, ({ text }) => read(text).map((file) => textTree(Placed.at(file)))[0] ?? null),
    ),
    ...given(/^--set-literal$/).flatMap((pair) => setBy(pair, textTree)),
  ];
  const over = () => {
    const absent = names.find(({ text }) => read(text).length === 0);
    if (isOpen) throw new Unrendered('a program of its command may change any setting, and is not followed');
    if (absent !== undefined)
      throw new Unrendered(`${showText(absent)} of its command is not among the files`);
    const item = texts(/^--set(?:-\w+)?$/).find(({ text }) => /^[^={]*\[\d+\]/.test(text));
    if (item !== undefined)
      throw new Unrendered(`${showText(item)} of its command sets an item of a list, which is not followed`);
    return { trees: [...inputs.flatMap((file) => overBy(file).trees), ...set], inputs };
  };
  return names.length + set.length === 0 && !isOpen ? [] : [{ over, by }];
}

/** Reads `a.b=c`; `parse` makes the value from the text after the sign. */
function setBy(pair: Placed, parse: (text: Placed) => Tree | null): Tree[] {
  const [path, text] = pairOf(pair);
  const value = text === null ? null : parse(text);
  return value === null ? [] : [at(path, value, pair)];
}

/** `a.b=JSON`, or an object. */
function jsonBy(given: Placed): Tree[] {
  const parse = (text: Placed) => readYaml(new PlacedIndex(text))[0]?.root ?? null;
  if (!given.text.startsWith('{')) return setBy(given, parse);
  const object = parse(given);
  return object === null ? [] : [object];
}
