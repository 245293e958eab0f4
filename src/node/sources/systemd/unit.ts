/** systemd units and drop-ins: what ExecStart starts, with Environment and EnvironmentFile. */

import { environmentLines } from '../environment/environment.js';
import type { Context, Launches, LaunchVariable, Neighbours } from '../launch.js';
import { launchesOf } from '../script/container.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { wordsOf } from '../text/words.js';

interface Directive {
  readonly name: string;
  readonly value: Placed;
}

type Environment = Map<string, LaunchVariable>;

/** Reads a unit: the last ExecStart that is not taken back by an empty one starts the node. */
export function readSystemd(file: LineIndex, { neighbours, steps, kinds }: Context): Launches {
  const environment: Environment = new Map();
  const notes: string[] = [];
  let files: Placed[] = [];
  let starts: Placed[] = [];
  for (const { name, value } of directives(file)) {
    if (name === 'ExecStart') starts = value.text.trim() === '' ? [] : [...starts, value];
    else if (name === 'Environment') addWords(environment, value);
    else if (name === 'EnvironmentFile') files = value.text.trim() === '' ? [] : [...files, value];
  }
  for (const path of files) addFile(environment, path, file, neighbours, notes);
  const [unread] = notes;
  const launches = starts
    .flatMap((start) =>
      launchesOf({
        name: null,
        words: commandOf(start, environment),
        environment,
        container: null,
        steps,
        kinds,
      }),
    )
    .map((launch) => (unread === undefined ? launch : { ...launch, unknownEnvironment: unread }));
  return { launches, problems: [], notes };
}

/** The directives of [Service], continued lines joined. */
function directives(file: LineIndex): Directive[] {
  const found: Directive[] = [];
  let section = '';
  for (const line of logicalLines(file)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line.text);
    if (header !== null) section = header[1] ?? '';
    const match = /^\s*([A-Za-z]\w*)\s*=\s*/.exec(line.text);
    // A drop-in that was cut out may have lost its section.
    if (match === null || (section !== 'Service' && section !== '')) continue;
    found.push({ name: match[1] as string, value: line.slice(match[0].length) });
  }
  return found;
}

/** A backslash at the end joins the next line, comments in between left out. */
function logicalLines(file: LineIndex): Placed[] {
  const lines: Placed[] = [];
  let parts: Placed[] = [];
  for (const line of Placed.at(file).split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line.text)) continue;
    const continued = /\\\s*$/.exec(line.text);
    parts.push(
      continued === null
        ? line
        : Placed.join([line.slice(0, continued.index), line.slice(continued.index).as(' ')]),
    );
    if (continued !== null) continue;
    lines.push(Placed.join(parts));
    parts = [];
  }
  return parts.length === 0 ? lines : [...lines, Placed.join(parts)];
}

function addWords(environment: Environment, value: Placed): void {
  if (value.text.trim() === '') environment.clear();
  for (const word of wordsOf(value)) {
    const at = word.text.indexOf('=');
    if (at <= 0) continue;
    const text = word.slice(at + 1);
    environment.set(word.text.slice(0, at), { value: text, at: text.span(), indeterminate: null });
  }
}

/** A file on the machine the unit is for: read only where it lies beside the unit. */
function addFile(
  environment: Environment,
  value: Placed,
  file: LineIndex,
  neighbours: Neighbours,
  notes: string[],
): void {
  const path = value.text.trim().replace(/^-/, '');
  const read = neighbours.read(path, file);
  if ('problem' in read) {
    notes.push(`EnvironmentFile: ${read.problem}`);
    return;
  }
  for (const { name, value: text } of environmentLines(read))
    environment.set(name, { value: text, at: text.span(), indeterminate: null });
}

/** ExecStart’s words: prefixes taken off, with @ the name that follows too, ${NAME} filled in as one word and $NAME as several. */
function commandOf(start: Placed, environment: Environment): Placed[] {
  const prefix = /^\s*[-@:+!|]*/.exec(start.text)?.[0] ?? '';
  const [path, ...words] = wordsOf(start.slice(prefix.length));
  if (path === undefined) return [];
  const own = prefix.includes('@') ? words.slice(1) : words;
  return [path, ...own].flatMap((word) => filled(word, environment));
}

function filled(word: Placed, environment: Environment): Placed[] {
  const whole = /^\$([A-Za-z_]\w*)$/.exec(word.text)?.[1];
  const variable = whole === undefined ? undefined : environment.get(whole);
  if (whole !== undefined) return variable?.value == null ? [word.as(unfilled)] : wordsOf(variable.value);
  const parts: Placed[] = [];
  let from = 0;
  for (const { 0: all, 1: name, index } of word.text.matchAll(/\$\$|%%|%[A-Za-z]|\$\{([A-Za-z_]\w*)\}/g)) {
    const at = word.slice(index, index + all.length);
    const text = name === undefined ? (all === '$$' ? '$' : all === '%%' ? '%' : unfilled) : null;
    parts.push(
      word.slice(from, index),
      text === null ? (environment.get(name ?? '')?.value ?? at.as(unfilled)) : at.as(text),
    );
    from = index + all.length;
  }
  return from === 0 ? [word] : [Placed.join([...parts, word.slice(from)])];
}
