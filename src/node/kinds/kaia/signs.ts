/** What shows that a text is about a Kaia node, or holds its settings. */

import type { Signs } from '../kind.js';
import { homi } from './homi.js';
import { formerName } from './modules.js';
import { binaryOf, launchers } from './names.js';

const set = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

const names = [...launchers, ...launchers.map(binaryOf)].join('|');

export const signs: Signs = {
  name: new RegExp(`(?:^|[^\\w.@-])(?:${names})(?![\\w@])|klaytn|kaia|\\bhomi[ \\t]+setup\\b`, 'mi'),
  image: /klaytn|kaia/i,
  generator: homi,
  entrypoint: null,
  variable: /^(?:KAIA|KLAYTN)_\w/,
  flag: /--(?:http|ws)-rpc\.[a-z]+|--(?:rpc|ws)(?:api|addr|origins|corsdomain|vhosts)/,
  // geth before v1.10.9 had the same flags.
  besideFlag:
    /--(?:http|ws)-rpc\.|(?:^|[=,])(?:klay|kaia|governance|istanbul|mainbridge|subbridge)(?:,|$)|--(?:kairos|cypress|baobab)\b/,
  otherProgram: /\b(?:geth|client-go|quorum|bsc|bor|erigon|celo|besu|nethermind|openethereum|parity)\b/,
  commonKeys: set(
    'rpc ws grpc pprof metrics prometheus password unlock port verbosity network identity config conf db log cache',
    'gcmode syncmode bootnodes mainnet kairos networkid datadir nodekey vmodule debug',
  ),
  commonVariables: set(
    'networkid mainnet kairos password port identity network datadir debug log db config conf',
  ),
};

/** Variables of a conf that other nodes and web applications have too: alone they show no conf. */
const shared = set(
  'RPC_ENABLE RPC_API RPC_PORT RPC_ADDR RPC_CORSDOMAIN RPC_VHOSTS WS_ENABLE WS_API WS_ADDR WS_PORT WS_ORIGINS',
  'RPC_READ_TIMEOUT RPC_WRITE_TIMEOUT RPC_IDLE_TIMEOUT RPC_EXECUTION_TIMEOUT RPC_CONCURRENCY_LIMIT SERVER_TYPE',
  'NETWORK NETWORK_ID BOOTNODES NO_DISCOVER PORT SUBPORT MULTICHANNEL MAXCONNECTIONS SYNCMODE GCMODE KEY_PATH',
  'DATA_DIR DB_TYPE DB_SINGLE LOG_DIR LOG_ROTATE LOG_MAXSIZE LOG_MAXBACKUP LOG_MAXBACKUPS LOG_MAXAGE LOG_COMPRESS',
  'METRICS PROMETHEUS VERBOSITY AUTO_RESTART KLAY_HOME',
);
/** A module list with the node's own module in it, which no other node has. */
const ownModule = new RegExp(`^["']?(?:[\\w-]+,)*(?:kaia|${formerName})(?![\\w.:/-])`);

/** Whether it is an assignment that no other program's settings have: by the variable, or by a module list in it. */
export function isOwn(variable: string, value: string): boolean {
  const isList = variable === 'RPC_API' || variable === 'WS_API';
  return !shared.has(variable) || (isList && ownModule.test(value));
}
