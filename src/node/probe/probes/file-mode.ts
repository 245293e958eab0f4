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
  async ask({ address }) {
    try {
      return (await stat(address.raw)).mode & 0o777;
    } catch (error) {
      throw failure(error);
    }
  },
};

export const openTo: FactProbe<'openTo'> = {
  fact: 'openTo',
  over: ['ipc'],
  depth: 'none',
  plan: [],
  async ask({ address }) {
    try {
      return await socketAccess(address.raw);
    } catch (error) {
      throw failure(error);
    }
  },
};
