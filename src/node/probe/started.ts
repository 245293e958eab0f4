/** What a running node's command line and environment open, dialable from this machine. */
import { isAbsolute, join } from 'node:path';
import { parseEndpoint } from '../../jsonrpc/endpoint.js';
import type { ProcessFacts } from '../facts/live.js';
import { localPort, portOf } from './local/bind.js';
import { pathInside } from './local/namespace.js';
import { confEndpoints, confMetrics, type Target } from './target.js';

/** A target with the interfaces its process opens beside those it has already, each once. */
export function withStarted(target: Target, process: ProcessFacts): Target {
  const { settings } = process;
  if (settings === null) return target;
  const on = settings.listeners.filter(({ state }) => state === 'on');
  const ports = new Set([
    ...target.endpoints.map(({ address }) => localPort(address.endpoint)),
    ...target.metrics.map(({ url }) => portOf(url)),
  ]);
  const named = target.endpoints.some(({ address }) => address.endpoint.kind === 'ipc') ? ['ipc'] : [];
  const opened = confEndpoints({ ...settings, listeners: on }, named);
  return {
    ...target,
    endpoints: [
      ...target.endpoints,
      ...opened
        .flatMap(({ address }) =>
          address.endpoint.kind === 'ipc' ? socketOf(address.endpoint.path, process) : [address],
        )
        .filter(({ endpoint }) => endpoint.kind === 'ipc' || !ports.has(portOf(endpoint.url)))
        .map((address) => ({ address, source: 'process' as const })),
    ],
    metrics: [
      ...target.metrics,
      ...confMetrics({ ...settings, listeners: on })
        .filter(({ url }) => !ports.has(portOf(url)))
        .map((port) => ({ ...port, source: 'process' as const })),
    ],
  };
}

/** The ipc socket as it lies from here: relative to the process's folder, inside its root. */
function socketOf(path: string, { root, folder }: ProcessFacts) {
  const base = folder.state === 'seen' ? folder.value : '/';
  const at = pathInside(root, isAbsolute(path) ? path : join(base, path));
  return at === null ? [] : [parseEndpoint(`ipc:${at}`)];
}
