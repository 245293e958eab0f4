/** What shows that a text is a conf, or that it is something else. */
import { jsonOf } from '../../util/json.js';
import { flagsOf } from '../kinds/kaia/flags.js';
import { formerName } from '../kinds/kaia/modules.js';
import { usualLauncher } from '../kinds/kaia/names.js';
import { isKnownVariable } from '../kinds/kaia/variables.js';

const shellish =
  /^[ \t]*(?:(?:export[ \t]+)?[A-Za-z_]\w*[ \t]?\+?=|: |true\b|(?:if|then|else|elif|fi|for|do|done|case|esac|unset|export|source|echo|set)\b|\.[ \t]|\[|\{[{%])/;

/** How much of a text is assignments and what stands between them, comments and blank lines apart. */
export function shellShare(text: string): number {
  const lines = text
    .slice(0, 65_536)
    .split('\n')
    .filter((line) => !/^[ \t\r]*(?:#|$)/.test(line));
  return lines.length === 0 ? 1 : lines.filter((line) => shellish.test(line)).length / lines.length;
}

/** Names that the settings of other nodes and of web applications use too: alone they show no conf. */
const shared = new Set(
  [
    'RPC_ENABLE RPC_API RPC_PORT RPC_ADDR RPC_CORSDOMAIN RPC_VHOSTS WS_ENABLE WS_API WS_ADDR WS_PORT WS_ORIGINS',
    'RPC_READ_TIMEOUT RPC_WRITE_TIMEOUT RPC_IDLE_TIMEOUT RPC_EXECUTION_TIMEOUT RPC_CONCURRENCY_LIMIT SERVER_TYPE',
    'NETWORK NETWORK_ID BOOTNODES NO_DISCOVER PORT SUBPORT MULTICHANNEL MAXCONNECTIONS SYNCMODE GCMODE KEY_PATH',
    'DATA_DIR DB_TYPE DB_SINGLE LOG_DIR LOG_ROTATE LOG_MAXSIZE LOG_MAXBACKUP LOG_MAXBACKUPS LOG_MAXAGE LOG_COMPRESS',
    'METRICS PROMETHEUS VERBOSITY AUTO_RESTART KLAY_HOME',
  ].flatMap((line) => line.split(' ')),
);
/** `. file` or an eval may bring the settings. */
export const sourcesMore = /^[ \t]*(?:\.|source|eval)[ \t]/m;

const assignment = /(?<![\w$.-])(?:\$\{)?([A-Z]\w{0,79})[ \t]?(?:\+|:)?=[ \t]*(\S*)/g;
/** A module list with the node's own module in it, which no other node has. */
const ownModule = new RegExp(`^["']?(?:[\\w-]+,)*(?:kaia|${formerName})(?![\\w.:/-])`);

/** What the assignments of a text show. */
export interface Signs {
  /** A variable that a launcher reads, or a flag's variable. */
  readonly some: boolean;
  /** One that no other program has, or a value that none has. */
  readonly own: boolean;
}

/** Looks for variables of the launchers and of the node, in what is not a comment. */
export function signsOf(text: string): Signs {
  let some = false;
  for (const line of text.split('\n')) {
    if (/^[ \t]*#/.test(line)) continue;
    for (const [, name = '', value = ''] of line.matchAll(assignment)) {
      if (!isKnownVariable(name) && !setsFlag(name, value)) continue;
      some = true;
      const lists = (name === 'RPC_API' || name === 'WS_API') && ownModule.test(value);
      if (lists || !shared.has(name)) return { some, own: true };
    }
  }
  return { some, own: false };
}

/** Flags whose names say little, so that an application may have a variable of the same name. */
const common =
  /^(?:networkid|mainnet|kairos|password|port|identity|network|datadir|debug|log|db|config|conf)$/;

/** True where the environment sets a flag of the node to a value it takes: KAIA_RPC=true, and not the URL of an RPC. */
export function setsFlag(name: string, value: string): boolean {
  if (!/^(?:KAIA|KLAYTN)_/.test(name)) return false;
  const flag = flagsOf(usualLauncher).byEnvironment.get(name);
  if (flag === undefined || common.test(flag.name)) return false;
  const plain = value.replace(/^(["'])(.*)\1$/, '$2');
  return flag.type === 'bool' ? /^(?:1|0|t|f|true|false)$/i.test(plain) : !/^\w+:\/\//.test(plain);
}

const yamlLine = /^[ \t]*(?:- |-$|---$|["']?[A-Za-z_][\w./-]*["']?:(?:[ \t]|$))/;
const shellLine = /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]?\+?=/;

/** What else it is, if that shows; a launcher would source a file of its own name whatever stands in the first line. */
export function otherKind(text: string, named: boolean): string | null {
  if (/^\s*[[{]/.test(text) && (jsonOf(text) !== undefined || /^\s*\{\s*"/.test(text))) return 'it is JSON';
  if (/^\s*<(?:\?xml|!doctype|html|[a-z]+[ >])/i.test(text)) return 'it is markup';
  if (!named && text.startsWith('#!')) return 'it is a script';
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^[ \t]*#/.test(line));
  const shell = lines.filter((line) => shellLine.test(line)).length;
  if (lines.filter((line) => yamlLine.test(line)).length > Math.max(shell, lines.length / 2))
    return 'it is YAML';
  if (/^(?:```|~~~)/m.test(text)) return 'it is Markdown';
  if (!named && yamlLine.test(lines.find((line) => !/^[ \t]*\{[{%#]/.test(line)) ?? '')) return 'it is YAML';
  return null;
}
