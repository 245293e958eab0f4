/** The permission bits of an ipc socket (for a symbolic link, those of its target), and who may open it. */
import { stat } from 'node:fs/promises';
import { failure } from '../../../jsonrpc/failure.js';
import { socketAccess } from '../local/socket-access.js';
import type { FactProbe } from './probe.js';

export const fileMode: FactProbe<'fileMode'> = {
  fact: 'fileMode',
  over: ['ipc'],
  depth: 'none',
  plan: [],
  ask: async ({ address }) => (await ofSystem(stat(address.raw))).mode & 0o777,
};

export const openTo: FactProbe<'openTo'> = {
  fact: 'openTo',
  over: ['ipc'],
  depth: 'none',
  plan: [],
  ask: ({ address }) => ofSystem(socketAccess(address.raw)),
};

/** @throws {ChannelError} where the file system fails */
async function ofSystem<T>(step: Promise<T>): Promise<T> {
  return await step.catch((error) => {
    throw failure(error);
  });
}
