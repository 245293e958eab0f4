/** What commands of the node's console do to a running node, as the flags that do the same at its start. */
import type { Kind, ListenerFlags } from '../../kinds/kind.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';

/** The flags that commands add, and the commands; no flags: a file with commands that cannot be read. */
export interface Commanded {
  readonly kind: Kind;
  readonly words: readonly Placed[];
  readonly at: Placed;
}

type Part = 'addr' | 'port' | 'origins' | 'api' | 'vhosts';

/** The arguments of each command, in order, by the part of the interface that they set. */
const opening: Readonly<Record<string, readonly ['http' | 'ws', readonly Part[]]>> = {
  'admin.startHTTP': ['http', ['addr', 'port', 'origins', 'api', 'vhosts']],
  'admin.startRPC': ['http', ['addr', 'port', 'origins', 'api', 'vhosts']],
  'admin.startWS': ['ws', ['addr', 'port', 'origins', 'api']],
};

const call =
  /\b(admin|personal|debug)\s*\.\s*(startHTTP|startRPC|startWS|unlockAccount|startPProf)\s*\(([^)]*)\)?/g;

/** The paths of the files that a script for the console loads. */
export function loadedBy(script: Placed): Placed[] {
  return [...script.text.matchAll(/\bloadScript\s*\(\s*(["'])(.*?)\1/g)].map(
    ({ 0: all, 2: path = '', index }) => {
      const at = index + all.length - 1 - path.length;
      return script.slice(at, at + path.length);
    },
  );
}

/** The effect of a script for the console; null: it opens nothing and unlocks no account. */
export function commandedBy(kind: Kind, script: Placed): Commanded | null {
  const { flags } = kind.interfaces;
  const calls = [...script.text.matchAll(call)].map((match) => {
    const [all, object, method, list = ''] = match;
    const from = match.index + all.lastIndexOf(list, all.endsWith(')') ? all.length - 1 : all.length);
    const args =
      list.trim() === ''
        ? []
        : script.slice(from, from + list.length).split(/,(?=(?:[^"']|"[^"]*"|'[^']*')*$)/);
    const at = script.slice(match.index, match.index + all.length);
    return { name: `${object}.${method}`, args: args.map(literal), at };
  });
  const words = calls.flatMap(({ name, args, at }) => {
    const open = opening[name];
    if (open !== undefined) return opened(flags, open[0], open[1], args, at);
    if (name === 'personal.unlockAccount') return [at.as('--unlock'), unlocked(args[0], at)];
    return name === 'debug.startPProf' ? pprof(flags, args, at) : [];
  });
  const [first] = calls;
  return first === undefined || words.length === 0 ? null : { kind, words, at: first.at };
}

/** The text of a literal argument; unknown for another expression, null for a default. */
function literal(argument: Placed): Placed | null {
  const text = argument.trim();
  if (text.text === '' || /^(?:null|undefined)$/.test(text.text)) return null;
  if (/^(["']).*\1$/s.test(text.text))
    return text.text.length === 2 ? text.as('') : text.slice(1, text.text.length - 1);
  return /^\d+$/.test(text.text) ? text : text.as(unfilled);
}

function opened(
  flags: ListenerFlags,
  listener: 'http' | 'ws',
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
function unlocked(account: Placed | null | undefined, at: Placed): Placed {
  return account == null || account.text === '' || account.text === unfilled ? at.as('0') : account;
}

function pprof({ pprof }: ListenerFlags, args: readonly (Placed | null)[], at: Placed): Placed[] {
  const [addr = null, port = null] = args;
  return [
    at.as(`--${pprof.enable}`),
    ...(addr === null ? [] : [Placed.join([at.as(`--${pprof.addr}=`), addr])]),
    ...(port === null ? [] : [Placed.join([at.as(`--${pprof.port}=`), port])]),
  ];
}
