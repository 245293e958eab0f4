/**
 * Every probe of a node that may be of these kinds, in the order of the requests. The plan, the budget and saved facts
 * derive from this list.
 */
import type { Kind } from '../../kinds/kind.js';
import { accounts, unlocked } from './accounts.js';
import { calibrated } from './calibrated.js';
import { existence } from './existence.js';
import { fileMode, openTo } from './file-mode.js';
import { foreignHost, handshake, preflight } from './foreign-access.js';
import { chain, client, modules } from './modules.js';
import type { Probe } from './probe.js';

export function probesOf(kinds: readonly Kind[]): Probe[] {
  return [
    fileMode,
    openTo,
    modules,
    client,
    chain,
    accounts(kinds),
    unlocked(kinds),
    foreignHost,
    calibrated,
    ...existence(kinds),
    preflight,
    handshake,
  ];
}
