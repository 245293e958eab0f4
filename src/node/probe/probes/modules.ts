/** What an endpoint says of itself: its modules, client version and chain. */
import { unreadable } from '../../../jsonrpc/failure.js';
import { visible } from '../../../util/visible.js';
import { anyNode } from '../../kinds/request.js';
import { type FactProbe, unlessMissing } from './probe.js';

/** A node has about twenty modules with names like `chaindatafetcher`; beyond this it is not a node's answer. */
const limits = { modules: 256, name: /^[A-Za-z0-9_.-]{1,64}$/, version: /^[A-Za-z0-9_.+-]{0,32}$/ };

export type Modules = Readonly<Record<string, string>>;

export const modules: FactProbe<'modules'> = {
  fact: 'modules',
  over: ['http', 'ws', 'ipc'],
  depth: 'none',
  plan: [['rpc_modules []', null]],
  ask: async (session) => readModules(await session.result(anyNode.modules)),
};

/** Sorted by name. @throws {ChannelError} when the value is not a map of module names to versions */
function readModules(value: unknown): Modules {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable('rpc_modules did not answer with an object');
  }
  const entries = Object.entries(value);
  if (entries.length > limits.modules) {
    throw unreadable(`rpc_modules names ${entries.length} modules; no node has that many`);
  }
  for (const [name, version] of entries) {
    if (!limits.name.test(name)) throw unreadable(`rpc_modules names a module no node has: ${cut(name)}`);
    if (typeof version !== 'string' || !limits.version.test(version)) {
      throw unreadable(`rpc_modules gives ${name} something that is not a version`);
    }
  }
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** On one line without invisible characters: `Klaytn/v2.2.1/linux-amd64/go1.25.3`. */
export const client: FactProbe<'client'> = {
  fact: 'client',
  over: ['http', 'ws', 'ipc'],
  depth: 'none',
  plan: [['web3_clientVersion []', 'web3 is offered']],
  unless: unlessMissing('web3'),
  ask: async (session) => visible(await session.text(anyNode.client), 256),
};

/** The chain's id as a decimal. */
export const chain: FactProbe<'chain'> = {
  fact: 'chain',
  over: ['http', 'ws', 'ipc'],
  depth: 'none',
  plan: [['net_version []', 'net is offered']],
  unless: unlessMissing('net'),
  async ask(session) {
    const text = await session.text(anyNode.chain);
    if (!/^\d{1,20}$/.test(text)) throw unreadable('net_version did not answer with a number');
    return text;
  },
};
