/** What changes for given settings from release to release. */
import type { Turn } from '../history.js';
import type { Uses } from '../kind.js';
import { environmentSince, flagHistory, secondLibrary, variableHistory } from './flags.js';
import { moduleHistory } from './modules.js';
import type { ReleaseId } from './releases.js';

/** Releases that change what some settings mean, although they know the same names. */
export const turns: readonly Turn<ReleaseId>[] = [
  // The rpm scripts emitted --txpool.lifetime without its value.
  [(uses) => uses.has('rpm') && !uses.has('TXPOOL_LIFE_TIME'), { since: 'klaytn/v1.8.3' }],
  // Launchers strip blanks from lists.
  [(uses) => ['RPC_API', 'WS_API'].some((name) => hasBlanks(uses.get(name))), { since: 'klaytn/v1.9.0' }],
  // Which modules gRPC offers.
  [['grpc'], { since: 'klaytn/v1.10.0' }, { since: 'kaia/v2.0.0' }],
  // What the node makes of the file that --conf names.
  [['conf'], { since: 'klaytn/v1.10.0' }, { since: 'klaytn/v1.11.0' }],
  // Lists of the environment and the command line add up before, and flags have one name.
  [(uses) => [...uses.keys()].some(isListOrAlias), secondLibrary],
  // Variables of the environment.
  [(uses) => readsSince(uses, 'klaytn/v1.9.1'), { since: 'klaytn/v1.9.1' }],
  [(uses) => readsSince(uses, 'kaia/v0.9.0'), { since: 'kaia/v0.9.0' }],
  // Names of networks.
  [(uses) => namesNetwork(uses, 'cypress', 'baobab'), { since: 'kaia/v0.9.0' }],
  [(uses) => namesNetwork(uses, 'cypress', 'baobab', 'mainnet'), { since: 'kaia/v1.0.1' }],
];

function isListOrAlias(name: string): boolean {
  return flagHistory.named(name).some(({ type, aliases }) => type === 'list' || aliases.includes(name));
}

function readsSince(uses: Uses, since: ReleaseId): boolean {
  const isRead = (name: string) => variableHistory.named(name).length > 0 && environmentSince(name) === since;
  return [...uses.keys()].some(isRead);
}

function hasBlanks(text: string | null | undefined): boolean {
  return text === null || (text !== undefined && /\s/.test(text));
}

/** Whether the launchers read another network than these. */
function namesNetwork(uses: Uses, ...others: readonly string[]): boolean {
  const name = uses.get('NETWORK');
  return name !== undefined && !uses.has('NETWORK_ID') && (name === null || !others.includes(name));
}

/** Launcher variables need no history: launchers pass them as flags. */
export const histories = [flagHistory, variableHistory, moduleHistory];
