/** Where the text of a word stands: in the word, in an assignment, in the environment or among the arguments of its script. */

import type { Environment } from '../launch/launch.js';
import type { Shell } from '../shell/state.js';
import type { Word } from '../shell/syntax/tree.js';
import { isUnknown } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { expansionsIn } from '../text/unknown.js';

/** A script that is followed, as it is now. */
export interface Origins {
  readonly script: Placed;
  readonly shell: Shell;
  readonly environment: Environment;
  /** The arguments of the script, by the words that stand for them in it. */
  readonly given: ReadonlyMap<Word, Placed>;
  /** The output of command substitutions, by their offsets. */
  readonly printed: ReadonlyMap<number, Placed>;
}

/** Variables that are looked up for one word. */
const maxNames = 200;

/** The text with the place where it stands; null if it stands nowhere as a whole, or at several places. */
export function originOf(text: string, word: Word, origins: Origins): Placed | null {
  if (text === '') return null;
  const given = origins.given.get(word);
  if (given !== undefined) return given.text === text ? given : null;
  const written = origins.script.slice(word.start, word.end);
  const at = written.text.indexOf(text);
  if (at >= 0) return written.slice(at, at + text.length);
  const output = printedIn(text, word, origins.printed);
  if (output !== null) return output;
  const names = namesIn(written.text);
  const found: Placed[] = [];
  // The loop appends the names that it finds.
  for (const name of names) {
    if (names.size > maxNames) return null;
    const own = assigned(name, text, origins, names) ?? passed(name, text, origins);
    if (own !== null) found.push(own);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The text in the output of a substitution that is part of the range. */
function printedIn(text: string, { start, end }: Range, printed: Origins['printed']): Placed | null {
  for (let offset = start; offset < end; offset++) {
    const output = printed.get(offset);
    const at = output?.text.indexOf(text) ?? -1;
    if (output !== undefined && at >= 0) return output.slice(at, at + text.length);
  }
  return null;
}

/** The expansion that makes a word unknown: in the word, or in an assignment to a variable that the word expands. */
export function causeOf(word: Word, { script, shell, given }: Origins): Placed {
  const written = given.get(word) ?? script.slice(word.start, word.end);
  const seen = new Set<string>();
  const causeIn = (text: Placed): Placed | null => {
    for (const { at, name } of expansionsIn(text)) {
      if (name === null) return at;
      if (!isUnknown(shell.memory.of(name).value ?? shell.look(name)) || seen.has(name)) continue;
      if (seen.size > maxNames) return at;
      seen.add(name);
      const own = shell.journal.assignments.filter(
        ({ variable, effective }) => variable === name && effective,
      );
      shell.steps.count(own.length);
      const deeper = own
        .toReversed()
        .map(({ valueAt }) => causeIn(script.slice(valueAt.start, valueAt.end)))
        .find((one) => one !== null);
      return deeper ?? at;
    }
    return null;
  };
  return causeIn(written) ?? written;
}

/** The last assignment that contains the text; `names` gets the variables of those that do not. */
function assigned(name: string, text: string, { script, shell }: Origins, names: Set<string>): Placed | null {
  shell.steps.count(shell.journal.assignments.length / 16);
  for (const { variable, valueAt, effective } of shell.journal.assignments.toReversed()) {
    if (variable !== name || !effective) continue;
    const value = script.slice(valueAt.start, valueAt.end);
    const whole = wholeIn(value, text);
    if (whole !== null) return whole;
    for (const one of namesIn(value.text)) names.add(one);
  }
  return null;
}

/** The text in a variable of the environment, or in an argument: a numbered one, or one of all. */
function passed(name: string, text: string, { shell, environment, given }: Origins): Placed | null {
  const argument = shell.memory.args?.[Number(name) - 1]?.from;
  const value = argument === undefined ? environment.get(name)?.value : given.get(argument);
  const all = /[@*]/.test(name) ? [...given.values()] : value == null ? [] : [value];
  const [first = null, ...others] = all.flatMap((one) => wholeIn(one, text) ?? []);
  return others.length === 0 ? first : null;
}

/** The text in another one, where it stands once as a whole word. */
function wholeIn(value: Placed, text: string): Placed | null {
  const places: number[] = [];
  for (let at = value.text.indexOf(text); at >= 0; at = value.text.indexOf(text, at + 1))
    if (!ofWord.test(value.text[at - 1] ?? '') && !ofWord.test(value.text[at + text.length] ?? ''))
      places.push(at);
  const [at] = places;
  return at === undefined || places.length > 1 ? null : value.slice(at, at + text.length);
}

const ofWord = /[\w.,:/@=-]/;

/** The variables and arguments that a text expands; `@` and `*` for all arguments. */
export function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\$\{?([A-Za-z_]\w*|[1-9@*])/g)].map(([, name = '']) => name));
}
