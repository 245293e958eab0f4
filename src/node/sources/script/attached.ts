/** Commands that call a running node. */

import { starterOfProgram } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import { Placed } from '../text/placed.js';
import { callOfWords, commandedBy } from './console.js';

/** Calls of a running node; null: they come from the standard input. */
export interface Attached {
  readonly console: Placed | null;
  /** True for requests: a file of them that is not among the files may hold any other. */
  readonly isRequest?: true;
}

/** The calls of `ken attach --exec SCRIPT`; null: another command. */
export function attachedBy(kinds: readonly Kind[], name: string, words: readonly Placed[]): Attached | null {
  const starter = starterOfProgram(kinds, name);
  if (starter === null || !words.some(({ text }) => /^(?:attach|js)$/.test(text))) return null;
  return { console: consoleOf(words) };
}

/** The script that a console runs by its options and by the files of `js`; null: none. */
export function consoleOf(words: readonly Placed[]): Placed | null {
  const at = words.findIndex(({ text }) => text === 'js');
  const files = at < 0 ? [] : words.slice(at + 1).filter(({ text }) => /\.js$/.test(text));
  const paths = [...(optionIn(words, 'preload')?.split(/,/) ?? []), ...files];
  const script = optionIn(words, 'exec');
  const parts = [...paths.map((path) => loadOf(path.trim())), ...(script === null ? [] : [script])];
  return parts.length === 0 ? null : Placed.join(parts);
}

function loadOf(path: Placed): Placed {
  return path.as(`loadScript("${path.text}");`);
}

/** The requests in the words of a command, and in the files that they name; null: it sends none, and no input. */
export function sentBy(name: string, words: readonly Placed[]): Attached | null {
  const args = words.slice(1);
  const sends = senders.test(name);
  const call = callOfWords(args);
  const requests = call === null ? args.filter((one) => commandedBy(one) !== null) : [call];
  if (!sends && (requests.length === 0 || prints.test(name))) return null;
  const files = args.flatMap((word) => {
    const path = /^(?:--[\w-]+=)?@(.*[^-].*)$|^--(?:post|body)-file=(.+)$|^([^-].*\.(?:py|[cm]?js))$/
      .exec(word.text)
      ?.slice(1)
      .join('');
    return path === undefined ? [] : [loadOf(word.slice(word.text.length - path.length))];
  });
  const parts = sends ? [...files, ...requests] : requests;
  return { console: parts.length === 0 ? null : Placed.join(parts), isRequest: true };
}

/** Programs that send or run their input, or the file that an argument names. */
const senders = /^(?:curl|wget2?|nc|ncat|netcat|socat|websocat|wscat|https?|xh|cast|node|python[\d.]*)$/;
/** Programs that send nothing. */
const prints =
  /^(?:echo|printf|cat|tee|[efr]?grep|rg|sed|awk|jq|logger|test|\[+|:|read|export|local|declare)$/;

/** The value of `--name VALUE` or `--name=VALUE`; null: the option is absent. */
function optionIn(words: readonly Placed[], name: string): Placed | null {
  const at = words.findIndex(({ text }) => new RegExp(`^--?${name}(?:=|$)`).test(text));
  const [option, next] = words.slice(Math.max(0, at));
  if (at < 0 || option === undefined) return null;
  return option.text.includes('=') ? option.slice(option.text.indexOf('=') + 1) : (next ?? null);
}
