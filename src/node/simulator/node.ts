/** Simulates a node: opens the interfaces of its conf on loopback. */
import { KaiactlError } from '../../errors.js';
import type { Settings } from '../facts/settings.js';
import { openAuthRpc, openIpc, openMetrics, openRpc, type SimulateOptions } from './interfaces.js';
import { type NodeShape, shapeOf } from './shape.js';

/** A simulated node that runs until closed. */
export interface Simulation {
  readonly http: string | null;
  readonly ws: string | null;
  /** Path of the socket or pipe. */
  readonly ipc: string | null;
  /** The engine API of the kinds that have one. */
  readonly authrpc: string | null;
  readonly metrics: string | null;
  readonly pprof: string | null;
  /** Differences from the conf, one sentence each. */
  readonly notes: readonly string[];
  /** Ends every connection and listener and removes the socket. */
  close(): Promise<void>;
}

/**
 * Opens the interfaces of the conf, even if a node would not start with it.
 * @throws {KaiactlError} if a port is in use or the socket cannot be created (exit 2); nothing stays open then
 */
export async function simulate(settings: Settings, options: SimulateOptions = {}): Promise<Simulation> {
  return await simulateShape(await shapeOf(settings), options);
}

export async function simulateShape(shape: NodeShape, options: SimulateOptions = {}): Promise<Simulation> {
  if (options.freePorts !== true) refuseSharedPorts(shape);
  const opened: (() => Promise<void>)[] = [];
  const notes = [...shape.notes];
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0)) await one();
  };
  try {
    const at = { shape, options, opened, notes };
    return {
      ...(await openRpc(at)),
      ipc: await openIpc(at),
      authrpc: await openAuthRpc(at),
      metrics: await openMetrics(at, 'metrics'),
      pprof: await openMetrics(at, 'pprof'),
      notes,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws {KaiactlError} if two interfaces have the same port: a node fails to open the second. */
function refuseSharedPorts(shape: NodeShape): void {
  const taken = new Map<number, string>();
  for (const kind of ['http', 'ws', 'authrpc', 'metrics', 'pprof'] as const) {
    const port = shape[kind]?.port ?? 0;
    const other = taken.get(port);
    const isShared = shape.answers.wire.sharesPort && kind === 'ws';
    if (port !== 0 && other !== undefined && !isShared) {
      throw new KaiactlError(`${other} and ${kind} both use port ${port}: a node cannot open the second`, {
        hint: 'Give one of them another port, or use free ports with --free-ports.',
      });
    }
    taken.set(port, kind);
  }
}
