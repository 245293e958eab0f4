/** Commands that tmux and screen run in a window, or type into one. */
import { Placed } from '../text/placed.js';
import { baseName } from './paths.js';

/** The script that a multiplexer runs; null for another command, or where none is given. */
export function typedBy(words: readonly Placed[]): Placed | null {
  const name = baseName(words[0]?.text ?? '');
  if (name === 'screen') {
    const stuff = words.findIndex(({ text }) => text === 'stuff');
    const [typed] = stuff < 0 ? [] : words.slice(stuff + 1).filter(({ text }) => text !== '--');
    return typed === undefined ? null : lines(typed);
  }
  const scripts = name === 'tmux' ? commandsOf(words.slice(1)).flatMap((one) => scriptOfTmux(one) ?? []) : [];
  return scripts.length === 0 ? null : Placed.join(scripts.flatMap((one) => [one, one.as('\n')]));
}

/** The commands of one command line, with `;` as a word between them. */
function commandsOf(words: readonly Placed[]): Placed[][] {
  return words.reduce<Placed[][]>(
    (all, word) => {
      if (/^\\?;$/.test(word.text)) all.push([]);
      else all.at(-1)?.push(word);
      return all;
    },
    [[]],
  );
}

/** Options of tmux and its commands that take a value. */
const valued = /^-[a-zA-Z]*[cefFlLnNpsStxy]$/;
const typing = /^send(?:-keys)?$/;
const opening =
  /^(?:new(?:-session)?|neww|new-window|splitw|split-window|respawn-(?:pane|window)|respawn[pw])$/;

function scriptOfTmux(words: readonly Placed[]): Placed | null {
  const verb = words.findIndex(({ text }) => typing.test(text) || opening.test(text));
  if (verb < 0) return null;
  const isTyped = typing.test(words[verb]?.text ?? '');
  let at = verb + 1;
  // -l of send-keys is a switch.
  for (; words[at]?.text.startsWith('-'); at += 1)
    if (valued.test(words[at]?.text ?? '') && !(isTyped && words[at]?.text === '-l')) at += 1;
  const rest = words.slice(at);
  if (rest.length === 0) return null;
  if (!isTyped) return Placed.join(rest.flatMap((word) => [word, word.as(' ')]));
  return lines(Placed.join(rest.map((word) => word.as(keys[word.text] ?? word.text))));
}

const keys: Readonly<Record<string, string>> = {
  Enter: '\n',
  KPEnter: '\n',
  'C-m': '\n',
  'C-j': '\n',
  Space: ' ',
};

/** The text with its keys of a line end as line ends. */
function lines(typed: Placed): Placed {
  return typed.replace(/\^[MJ]|\\(?:n|r|015|012)|\r/g, (_, at) => at.as('\n'));
}
