/** Commands that call a running node, from its console or as JSON-RPC, and the flags that do the same at its start. */
import { starterOfProgram } from '../../kinds/find.js';
import type { Kind, KindListeners, ListenerFlags } from '../../kinds/kind.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';

/** A call that opens an interface or unlocks an account. */
interface Call {
  /** `admin.startHTTP` */
  readonly name: string;
  /** Null for the default of the method. */
  readonly args: readonly (Placed | null)[];
  readonly at: Placed;
}

/** The calls of a script or a request; none: those of a file that cannot be read. */
export interface Commanded {
  readonly calls: readonly Call[];
  readonly at: Placed;
}

type Part = 'addr' | 'port' | 'origins' | 'api' | 'vhosts';

/** The arguments of each command, in order, by the part of the interface that they set. */
type Opening = readonly ['http' | 'ws' | 'pprof', readonly Part[]];
const opening: Readonly<Record<string, Opening>> = {
  'admin.startHTTP': ['http', ['addr', 'port', 'origins', 'api', 'vhosts']],
  'admin.startRPC': ['http', ['addr', 'port', 'origins', 'api', 'vhosts']],
  'admin.startWS': ['ws', ['addr', 'port', 'origins', 'api']],
  'debug.startPProf': ['pprof', ['addr', 'port']],
};

const methods = '(admin|personal|debug)SEP(startHTTP|startRPC|startWS|unlockAccount|startPProf)';
const asRequest = methods.replace('SEP', '_');
const inScript = new RegExp(`\\b${methods.replace('SEP', '\\s*\\.\\s*')}\\s*\\(([^)]*)\\)?`, 'g');
/** `provider.send("admin_startHTTP", ["0.0.0.0"])` of libraries. */
const inLibrary = new RegExp(`["']${asRequest}["']\\s*,\\s*\\[([^\\]]*)\\]?`, 'g');
const inRequest = new RegExp(`["']?\\bmethod["']?\\s*:\\s*["']${asRequest}["']`, 'g');
const ownCalls = new RegExp(`${methods.replace('SEP', '[\\s._]+')}|\\.(?:sh|js|json)\\b`);
const inWords = new RegExp(`^${asRequest}$`);

/** Whether this is a text with a program that may call a running node. */
export const mayCall = new RegExp(
  `\\b(?:curl|wget|nc|ncat|socat|websocat|cast|attach|node|python3?|${asRequest})\\b`,
);

/** Whether this is a command that calls a running node, or that runs or sends a file, which may. */
export function mayOpen(words: readonly Placed[]): boolean {
  const text = words.map((one) => one.text).join(' ');
  return words.length === 1 || ownCalls.test(text);
}

/** The paths of the files that a script for the console loads. */
export function loadedFiles(script: Placed): Placed[] {
  return [...script.text.matchAll(/\bloadScript\s*\(\s*(["'])(.*?)\1/g)].map(
    ({ 0: all, 2: path = '', index }) => {
      const at = index + all.length - 1 - path.length;
      return script.slice(at, at + path.length);
    },
  );
}

/** The effect of a script for the console, or of a JSON-RPC request; null if it opens nothing and unlocks no account. */
export function commandedBy(script: Placed): Commanded | null {
  const calls = [
    ...[inScript, inLibrary].flatMap((one) => callsMatching(script, one)),
    ...callsInRequests(script),
  ];
  const [first] = calls;
  return first === undefined ? null : { calls, at: first.at };
}

/** The call that the words of a command make, as a script: `cast rpc admin_startHTTP 0.0.0.0`; null if they make none. */
function callOfWords(words: readonly Placed[]): Placed | null {
  const at = words.findIndex(({ text }) => inWords.test(text));
  const name = words[at];
  if (name === undefined) return null;
  const args = words.slice(at + 1).filter(({ text }) => !text.startsWith('-'));
  const listed = args.flatMap((word) => [word.as('"'), word, word.as('",')]);
  return Placed.join([name.replace(/_/g, (_, one) => one.as('.')), name.as('('), ...listed, name.as(')')]);
}

function callsMatching(script: Placed, pattern: RegExp): Call[] {
  return [...script.text.matchAll(pattern)].map((match) => {
    const [all, object, method, list = ''] = match;
    const from = match.index + all.lastIndexOf(list, /[)\]]$/.test(all) ? all.length - 1 : all.length);
    // Without the arguments, one of which may be a password.
    const start = match.index + all.indexOf(object ?? '');
    const at = script.slice(start, match.index + all.indexOf(method ?? '') + (method ?? '').length);
    return { name: `${object}.${method}`, args: argumentsIn(script.slice(from, from + list.length)), at };
  });
}

/** The calls in JSON: `{"method": "admin_startHTTP", "params": ["0.0.0.0"]}`, with the fields in any order. */
function callsInRequests(script: Placed): Call[] {
  const { text } = script;
  return [...text.matchAll(inRequest)].map(({ 0: all, 1: object, 2: method, index }) => {
    const start = Math.max(0, text.lastIndexOf('{', index));
    const end = text.indexOf('}', index);
    const request = script.slice(start, end < 0 ? text.length : end);
    const [before = '', list = ''] = /["']?\bparams["']?\s*:\s*\[([^\]]*)/.exec(request.text) ?? [];
    const first = request.text.indexOf(before) + before.length - list.length;
    const at = script.slice(index + all.indexOf(object ?? ''), index + all.length - 1);
    return { name: `${object}.${method}`, args: argumentsIn(request.slice(first, first + list.length)), at };
  });
}

/** The arguments of a list; an empty one has none. */
function argumentsIn(list: Placed): (Placed | null)[] {
  return list.text.trim() === '' ? [] : list.split(/,(?=(?:[^"']|"[^"]*"|'[^']*')*$)/).map(literal);
}

/** The flags that do the same as the calls at the start of a node of this kind. */
export function flagsOf({ interfaces: { flags } }: KindListeners, { calls }: Commanded): Placed[] {
  return calls.flatMap(({ name, args, at }) => {
    const open = opening[name];
    if (open !== undefined) return openingFlags(flags, open, args, at);
    return name === 'personal.unlockAccount' ? [at.as('--unlock'), accountOf(args[0], at)] : [];
  });
}
/** The text of a literal argument; unknown for another expression, null for a default. */
function literal(argument: Placed): Placed | null {
  const text = argument.trim();
  if (text.text === '' || /^(?:null|undefined)$/.test(text.text)) return null;
  if (/^(["']).*\1$/s.test(text.text))
    return text.text.length === 2 ? text.as('') : text.slice(1, text.text.length - 1);
  return /^\d+$/.test(text.text) ? text : text.as(unfilled);
}

function openingFlags(
  flags: ListenerFlags,
  [listener, parts]: Opening,
  args: readonly (Placed | null)[],
  at: Placed,
): Placed[] {
  const names: Partial<Record<Part, string | null>> = flags[listener];
  const { enable } = flags[listener];
  if (enable === null) return [];
  const set = parts.flatMap((part, index) => {
    const value = args[index] ?? null;
    // startHTTP without a module list offers every public module.
    const given = value ?? (part === 'api' && listener === 'http' ? at.as(unfilled) : null);
    return given === null || names[part] == null ? [] : [Placed.join([at.as(`--${names[part]}=`), given])];
  });
  return [at.as(`--${enable}`), ...set];
}

/** An account by its address; an expression such as eth.accounts[0] by the first index. */
function accountOf(account: Placed | null | undefined, at: Placed): Placed {
  return account == null || account.text === '' || account.text === unfilled ? at.as('0') : account;
}

/** Calls of a running node; null if they come from the standard input. */
export interface Attached {
  readonly console: Placed | null;
  /** Whether they are requests: a file of them that is not among the files may hold any other. */
  readonly isRequest?: true;
}

/** The calls of `ken attach --exec SCRIPT`; null for another command. */
export function attachedBy(kinds: readonly Kind[], name: string, words: readonly Placed[]): Attached | null {
  const starter = starterOfProgram(kinds, name);
  if (starter === null || !words.some(({ text }) => /^(?:attach|js)$/.test(text))) return null;
  return { console: consoleOf(words) };
}

/** The script that a console runs by its options and by the files of `js`; null if there is none. */
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

/** The requests in the words of a command, and in the files that they name; null if it sends none, and no input. */
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

/** The value of `--name VALUE` or `--name=VALUE`; null if the option is absent. */
function optionIn(words: readonly Placed[], name: string): Placed | null {
  const at = words.findIndex(({ text }) => new RegExp(`^--?${name}(?:=|$)`).test(text));
  const [option, next] = words.slice(Math.max(0, at));
  if (at < 0 || option === undefined) return null;
  return option.text.includes('=') ? option.slice(option.text.indexOf('=') + 1) : (next ?? null);
}
