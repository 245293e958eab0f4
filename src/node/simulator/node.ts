/** A node's interfaces as its conf would open them, on loopback. */
import { KaiactlError } from '../../errors.js';
import type { Settings } from '../facts/settings.js';
import { openHttp, openIpc, openMetrics, openWs, type SimulateOptions } from './interfaces.js';
import { type NodeShape, shapeOf } from './shape.js';

/** A node that runs until closed. */
export interface Simulation {
  readonly http: string | null;
  readonly ws: string | null;
  /** Path of the socket or pipe. */
  readonly ipc: string | null;
  readonly metrics: string | null;
  readonly pprof: string | null;
  /** What is not as the conf says, one sentence each. */
  readonly notes: readonly string[];
  /** Ends every connection and listener and removes the socket. */
  close(): Promise<void>;
}

/**
 * Opens what the conf opens, whether or not the node itself would start.
 * @throws {KaiactlError} when a port is taken or the socket cannot be made (exit 2); nothing stays open then
 */
export async function simulate(settings: Settings, options: SimulateOptions = {}): Promise<Simulation> {
  return simulateShape(shapeOf(settings), options);
}

/** The same from a shape. */
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
      http: await openHttp(at),
      ws: await openWs(at),
      ipc: await openIpc(at),
      metrics: await openMetrics(at, shape.metrics, 'metrics'),
      pprof: await openMetrics(at, shape.pprof, 'pprof'),
      notes,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A node with such a conf fails to open the second. */
function refuseSharedPorts(shape: NodeShape): void {
  const taken = new Map<number, string>();
  for (const kind of ['http', 'ws', 'metrics', 'pprof'] as const) {
    const port = shape[kind]?.port ?? 0;
    const other = taken.get(port);
    if (port !== 0 && other !== undefined) {
      throw new KaiactlError(`${other} and ${kind} both take port ${port}: a node cannot open the second`, {
        hint: 'Give one of them another port, or take free ports with --free-ports.',
      });
    }
    taken.set(port, kind);
  }
}
