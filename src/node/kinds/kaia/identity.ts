/** How a node of this kind answers. */
import { canonicalModule } from './modules.js';

/** Every release says Klaytn, those called Kaia too (cmd/utils, web3_clientVersion). */
export function namesKaia(client: string): boolean {
  return /^(?:Klaytn|Kaia)\//i.test(client);
}

/** True when a list holds the module that no other kind of node has, under either name. */
export function offersKaia(modules: readonly string[]): boolean {
  return modules.some((name) => canonicalModule(name) === 'kaia');
}
