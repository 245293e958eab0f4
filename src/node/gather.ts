/** Everything about one target. Apart from judging, so that judging a file loads nothing of the network. */
import type { Facts } from './facts/facts.js';
import { seen } from './facts/seen.js';
import {
  findProcess,
  type GatherOptions,
  gatherLive,
  type Local,
  noProcess,
  type Target,
} from './probe/index.js';
import { running } from './sources/argv/running.js';

export interface GatherTargetOptions extends GatherOptions {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Everything about one target. Never throws: what goes wrong for one target is a fact about it and ends no other. */
export async function gather(target: Target, options: GatherTargetOptions): Promise<Facts> {
  const { name, role, conf } = target;
  const facts = { name, role, conf, gatheredAt: new Date(options.now()).toISOString() };
  if (isUnread(facts)) return { ...facts, live: null };
  try {
    return { ...facts, live: await gatherLive(target, options, localOf(target, options)) };
  } catch (error) {
    return { ...facts, live: null, defect: error instanceof Error ? error.message : String(error) };
  }
}

/** The target's process, and what it and the target's settings open. */
function localOf({ conf, simulated }: Target, { process: place }: GatherOptions): Local {
  if (conf?.state !== 'seen' || simulated) return noProcess;
  const found = findProcess(conf.value.settings, place);
  const own = found.state === 'seen' ? running(found.value) : null;
  return {
    process: found.state === 'seen' ? seen({ ...found.value, listeners: own?.listeners ?? [] }) : found,
    expected: [...(own === null ? [] : [own]), { listeners: conf.value.settings.listeners, peerPorts: [] }],
  };
}

/** True when settings belong to the target and could not be read. */
export function isUnread({ conf }: Pick<Facts, 'conf'>): boolean {
  return conf !== null && conf.state !== 'seen';
}
