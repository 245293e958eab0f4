/** What calls do to a running node, from its console or as JSON-RPC, as the flags that do the same at its start. */
import type { KindListeners, ListenerFlags } from '../../kinds/kind.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';

/** A call that opens an interface or unlocks an account. */
interface Call {
  /** `admin.startHTTP` */
  readonly name: string;
  /** null: the default of the method. */
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
const opening: Readonly<Record<string, readonly ['http' | 'ws' | 'pprof', readonly Part[]]>> = {
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

/** True for a text with a program that may call a running node. */
export const mayCall = new RegExp(
  `\\b(?:curl|wget|nc|ncat|socat|websocat|cast|attach|node|python3?|${asRequest})\\b`,
);

/** True for a command that calls a running node, or that runs or sends a file, which may. */
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

/** The effect of a script for the console, or of a JSON-RPC request; null: it opens nothing and unlocks no account. */
export function commandedBy(script: Placed): Commanded | null {
  const calls = [
    ...[inScript, inLibrary].flatMap((one) => callsMatching(script, one)),
    ...callsInRequests(script),
  ];
  const [first] = calls;
  return first === undefined ? null : { calls, at: first.at };
}

/** The call that the words of a command make, as a script: `cast rpc admin_startHTTP 0.0.0.0`; null: they make none. */
export function callOfWords(words: readonly Placed[]): Placed | null {
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
    if (open !== undefined) return openingFlags(flags, open[0], open[1], args, at);
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
  listener: 'http' | 'ws' | 'pprof',
  parts: readonly Part[],
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
