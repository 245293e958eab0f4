/** The conf of a node that is asked, too. */
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import type { Conf } from '../facts/facts.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import { loadNode } from '../sources/load.js';
import type { LoadOptions } from '../sources/load-options.js';

/** The conf, or why it cannot be read: a bad file is a fact about its target, and the others go on. */
export async function openConf(path: string, how: LoadOptions, host: Host): Promise<Seen<Conf>> {
  try {
    return seen(await loadNode(path, how, host));
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    return notSeen('unreadable', error.message);
  }
}
