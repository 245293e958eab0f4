/** Every probe, in the order of the requests. The plan, the budget and saved facts derive from this list. */
import { accounts } from './accounts.js';
import { calibrated } from './calibrated.js';
import { chain } from './chain.js';
import { client } from './client.js';
import { fileMode } from './file-mode.js';
import { foreignHost, handshake, preflight } from './foreign-access.js';
import { modules } from './modules.js';
import { namespaces } from './namespaces.js';
import type { Probe } from './probe.js';
import { unsafeDebug } from './unsafe-debug.js';

export const probes: readonly Probe[] = [
  fileMode,
  modules,
  client,
  chain,
  accounts,
  foreignHost,
  calibrated,
  ...unsafeDebug,
  ...namespaces,
  preflight,
  handshake,
];
