/**
 * Every probe of a node that may be of these kinds, in the order of the requests. The plan, the budget and saved facts
 * derive from this list. `running`: the kind that the endpoint's own process runs; absent if it is not known.
 */
import { oncePer, oncePerKey } from '../../../util/once-per.js';
import type { Kind } from '../../kinds/kind.js';
import { accounts, probeUnlocked } from './accounts.js';
import { probeCalibrated } from './calibrated.js';
import { existence } from './existence.js';
import { fileMode, openTo } from './file-mode.js';
import { foreignHost, handshake, preflight } from './foreign-access.js';
import { chain, client, modules } from './modules.js';
import type { Probe } from './probe.js';
import { recognising } from './recognised.js';

export function probesOf(kinds: readonly Kind[], running?: string): readonly Probe[] {
  return ofKinds(kinds)(running);
}

const ofKinds = oncePer((kinds: readonly Kind[]) =>
  oncePerKey((running?: string) => orderedProbes(kinds, running)),
);

function orderedProbes(kinds: readonly Kind[], running?: string): Probe[] {
  const recognised = recognising(kinds, running);
  return [
    fileMode,
    openTo,
    modules,
    client,
    chain,
    accounts(kinds, recognised),
    probeUnlocked(kinds, recognised),
    foreignHost,
    probeCalibrated(kinds, recognised),
    ...existence(kinds, recognised),
    preflight,
    handshake,
  ];
}
