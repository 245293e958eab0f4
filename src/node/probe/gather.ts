/** Looks at a target's interfaces, all at once, and at its process. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { deadline } from '../../jsonrpc/deadline.js';
import type { LiveFacts } from '../facts/live.js';
import { notSeen } from '../facts/seen.js';
import { findProcess, type ProcessPlace } from './local/process.js';
import { probePort } from './ports.js';
import type { Depth } from './probes/probe.js';
import { probeEndpoint } from './run.js';
import type { Target } from './target.js';

export interface GatherOptions {
  readonly connection: ConnectionOptions;
  readonly timeoutMs: number;
  readonly depth: Depth;
  readonly process: ProcessPlace;
  readonly signal: AbortSignal;
}

/** Everything live about one target, within one deadline for all its interfaces. Never throws for what they do. */
export async function gatherLive(target: Target, options: GatherOptions): Promise<LiveFacts> {
  const end = deadline(options.timeoutMs, options.signal);
  const { connection, depth } = options;
  try {
    const endpoints = target.endpoints.map(({ address, source }) =>
      probeEndpoint({ address, source, options: connection, depth, signal: end.signal }),
    );
    const ports = depth === 'none' ? [] : target.metrics;
    const metrics = ports.map((port) => probePort(port, connection, end.signal));
    return {
      endpoints: await Promise.all(endpoints),
      metrics: await Promise.all(metrics),
      process: processOf(target, options),
    };
  } finally {
    end.clear();
  }
}

function processOf(target: Target, options: GatherOptions): LiveFacts['process'] {
  if (target.conf?.state !== 'seen')
    return notSeen('not-applicable', 'without a conf there is no process to compare');
  return findProcess(target.conf.value.settings, options.process);
}
