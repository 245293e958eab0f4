/** What other nodes dial (node/config.go, networks/p2p, cmd/kbn). */
import type { Setting, Settings } from '../../facts/settings.js';
import type { PeerPort } from '../kind.js';
import { fallbackOf } from './flags.js';
import { isBootNode, type Launcher } from './names.js';

/** A boot node answers over udp alone, and --multichannel opens a second port. */
export function peerPorts(launcher: Launcher, values: Settings['values']): PeerPort[] {
  if (isBootNode(launcher)) return [peer('udp', 'bnaddr', values)];
  return [
    peer('tcp', 'port', values),
    ...(values.nodiscover?.value === true ? [] : [peer('udp', 'port', values)]),
    { ...peer('tcp', 'subport', values), isOpen: values.multichannel?.value === true },
  ];
}

function peer(protocol: PeerPort['protocol'], flag: string, values: Settings['values']): PeerPort {
  return { protocol, port: known(values[flag]), fallback: portIn(fallbackOf(flag)) ?? 0, isOpen: true };
}

function known(setting: Setting | undefined): number | null {
  return setting?.indeterminate == null ? portIn(setting?.value) : null;
}

/** The port of `32323` or `:32323`. */
function portIn(value: unknown): number | null {
  const digits = /(?:^|:)(\d+)$/.exec(String(value ?? ''))?.[1];
  return digits === undefined ? null : Number(digits);
}
