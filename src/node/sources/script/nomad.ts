/** Reads a Nomad job as a script: each task is the command that its driver runs. */
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';

/** A job of Nomad, by the name of its file and the tasks in it. */
export function isJob(path: string, text: string): boolean {
  return /\.(?:nomad|hcl)$/i.test(path) && /^[ \t]*task[ \t]+"/m.test(text);
}

/** A block, or a map that is assigned. */
interface Block {
  readonly name: string;
  readonly label: Placed | null;
  readonly values: ReadonlyMap<string, readonly Placed[]>;
  readonly blocks: readonly Block[];
}

/** A comment, a heredoc, a text, a sign or a word. */
const tokens =
  /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|<<-?(\w+)\n(?:[\s\S]*?\n)??[ \t]*\1\b|"(?:[^"\\\n]|\\.)*"|[{}[\],=:]|[^\s"{}[\],=:#]+/g;
const maxDepth = 16;

/** The commands of the tasks, one a line. */
export function scriptOfJob(job: Placed): Placed {
  const found = [...job.text.matchAll(tokens)].filter(([word]) => !/^(?:#|\/[/*])/.test(word));
  const words = found.map(({ 0: word, index }) => job.slice(index, index + word.length));
  const groups = within(blockAt(words, { at: 0 }, '', null, 0), 'group');
  const commands = groups.flatMap((group) => {
    const ports = within(group, 'port');
    return within(group, 'task').map((task) => commandOf(task, ports, isBridge(group)));
  });
  return Placed.join([job.slice(0, 0), ...commands.flatMap((one) => [one, one.as('\n')])]);
}

function isBridge(group: Block): boolean {
  return within(group, 'network').some(({ values }) => values.get('mode')?.[0]?.text === 'bridge');
}

/** The block that ends at the next brace. */
function blockAt(
  words: readonly Placed[],
  next: { at: number },
  name: string,
  label: Placed | null,
  depth: number,
): Block {
  const values = new Map<string, readonly Placed[]>();
  const blocks: Block[] = [];
  let head: Placed[] = [];
  for (let word = words[next.at]; word !== undefined && word.text !== '}'; word = words[next.at]) {
    next.at += 1;
    const [first, second] = head;
    const isMap = /^[=:]$/.test(word.text) && words[next.at]?.text === '{';
    if (isMap) next.at += 1;
    if ((isMap || word.text === '{') && first !== undefined && depth < maxDepth) {
      blocks.push(blockAt(words, next, unquoted(first).text, second ?? null, depth + 1));
      head = [];
    } else if (/^[=:]$/.test(word.text) && first !== undefined) {
      values.set(unquoted(first).text, valueAt(words, next));
      head = [];
    } else if (word.text !== ',') head.push(word);
  }
  next.at += 1;
  return { name, label: label && unquoted(label), values, blocks };
}

/** A text, or the texts of a list. */
function valueAt(words: readonly Placed[], next: { at: number }): readonly Placed[] {
  const first = words[next.at];
  next.at += 1;
  if (first?.text !== '[') return first === undefined ? [] : [unquoted(first)];
  const list: Placed[] = [];
  for (let word = words[next.at]; word !== undefined && word.text !== ']'; word = words[next.at]) {
    next.at += 1;
    if (word.text !== ',') list.push(unquoted(word));
  }
  next.at += 1;
  return list;
}

/** What Nomad fills in is unknown. */
function unquoted(word: Placed): Placed {
  if (word.text.startsWith('"')) {
    const text = word.slice(1, word.text.length - 1);
    return text.replace(/\$\{[^}]*\}|\\./g, ({ 0: part }, at) =>
      at.as(part.startsWith('$') ? unfilled : part.slice(1)),
    );
  }
  return /^[\w.-]+$/.test(word.text) && !/^(?:var|local|env)\./.test(word.text) ? word : word.as(unfilled);
}

function within(block: Block, name: string): Block[] {
  return block.blocks.flatMap((one) => (one.name === name ? [one] : within(one, name)));
}

function commandOf(task: Block, ports: readonly Block[], isBridge: boolean): Placed {
  const at = task.label ?? Placed.nowhere('');
  const [config] = within(task, 'config');
  const list = (name: string) => config?.values.get(name) ?? [];
  const [image] = list('image');
  const given = within(task, 'env').flatMap(({ values }) =>
    [...values].map(([name, [value = at]]) => value.joined([`${name}=`, value])),
  );
  const option = (name: string, values: readonly Placed[]) =>
    values.flatMap((value) => [value.as(name), value]);
  const [program, ...before] = list('entrypoint');
  const words = [...before, ...list('command'), ...list('args')];
  if (image === undefined) return line([...(given.length > 0 ? [at.as('env'), ...given] : []), ...words]);
  const mapped = within(config as Block, 'port_map').flatMap(({ values }) => [...values]);
  const named = [...list('ports').map(({ text }) => text), ...mapped.map(([name]) => name)];
  const published = ports
    .filter(({ label }) => isBridge || named.includes(label?.text ?? ''))
    .map(({ label, values }) => {
      const [host = null] = values.get('static') ?? [];
      const [to = host] = values.get('to') ?? mapped.find(([name]) => name === label?.text)?.[1] ?? [];
      const port = to?.text ?? unfilled;
      // No edit of a port that the file writes in two places.
      return (label ?? at).as(host === null ? port : `${host.text}:${port}`);
    });
  return line([
    at.as('docker'),
    at.as('run'),
    ...option('--network', list('network_mode')),
    ...option('-p', published),
    ...option('-v', list('volumes')),
    ...option('-e', given),
    ...option('--entrypoint', program === undefined ? [] : [program]),
    image,
    ...words,
  ]);
}

/** Words in quotes, so that a shell takes them as they are. */
function line(words: readonly Placed[]): Placed {
  const quoted = words.map((word) =>
    word.joined(["'", word.text.includes("'") ? word.as(unfilled) : word, "'"]),
  );
  return Placed.join(quoted, ' ');
}
