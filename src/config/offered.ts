/** Which modules a node of each kind has, and which of them a list, or no list, offers. */
import type { Launcher, Setting } from '../model/conf.js';
import { builtInModules, canonicalModule } from '../model/modules.js';

const everyNode = 'admin debug eth governance istanbul kaia net personal rpc txpool web3'.split(' ');
const bootNode = ['admin', 'bootnode', 'debug', 'kaia', 'rpc', 'web3'];
/** Modules whose service is Public in the node's source: gRPC offers all of them and knows no list. */
const publicModules = new Set(
  'admin debug kaia eth web3 net txpool istanbul governance mainbridge subbridge chaindatafetcher bootnode rpc'.split(
    ' ',
  ),
);
const byFlag = ['mainbridge', 'subbridge', 'chaindatafetcher'] as const;

/** Modules the node has; null when a setting that decides it is opaque. */
export function existingModules(
  launcher: Launcher,
  settings: Readonly<Record<string, Setting>>,
): readonly string[] | null {
  if (launcher === 'kbnd') return bootNode;
  const names = [...everyNode];
  for (const flag of byFlag) {
    const setting = settings[flag];
    if (setting?.opaque != null) return null;
    if (setting?.value === true) names.push(flag);
  }
  const auction = settings['auction.disable'];
  if (launcher === 'kcnd' || launcher === 'kscnd') {
    if (auction?.opaque != null) return null;
    if (auction?.value !== true) names.push('auction');
  }
  return names.sort();
}

/** What a list offers: unknown names fall away, klay is kaia, rpc always answers. null list: the built-in one. */
export function offered(existing: readonly string[], list: readonly string[] | null): readonly string[] {
  const wanted = new Set<string>(list === null ? builtInModules : list.map(canonicalModule));
  return existing.filter((name) => name === 'rpc' || wanted.has(name));
}

/** What gRPC offers. */
export function publicOnly(existing: readonly string[]): readonly string[] {
  return existing.filter((name) => publicModules.has(name));
}
