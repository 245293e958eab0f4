/** A made-up kind of node: one program, three flags, and an empty list of modules that means all of them. */
import { type Listener, listenerKinds } from '../../../src/node/facts/settings.js';
import { flagSet } from '../../../src/node/kinds/flags.js';
import type { Flag, Kind, Module } from '../../../src/node/kinds/kind.js';
import { existenceMethod } from '../../../src/node/kinds/request.js';

const flags = (['serve bool', 'bind string 127.0.0.1', 'offer string chain'] as const).map((row): Flag => {
  const [name, type, fallback = null] = row.split(' ') as [string, 'bool' | 'string', string?];
  return { name, type, fallback, aliases: [], environment: [`MOON_${name.toUpperCase()}`] };
});
const modules: Record<string, Module> = {
  chain: { severity: 'low', privileged: false, does: 'read the chain' },
  vault: { severity: 'critical', privileged: true, does: 'open the vault' },
};
const names = Object.keys(modules);
const never = /(?!)/;
const none = { enable: '', addr: '', port: '', api: '', origins: '', vhosts: '' };
const off = {
  state: 'off',
  reason: null,
  decidedBy: [],
  host: null,
  port: null,
  path: null,
  listed: null,
} as const;
const closed = { ...off, modules: null, builtInList: false, origins: null, vhosts: null } as const;

export const moon: Kind = {
  id: 'moon',
  label: 'Moon node',
  releases: 'v1',
  programs: ['moond'],
  startsNode: () => true,
  usualLauncher: 'moond',
  programOf: (launcher) => launcher,
  launcherOf: (program) => (program === 'moond' ? program : null),
  signs: {
    ...{ name: /\bmoond\b/, image: /\bmoond\b/, variable: /^MOON_\w/, flag: never, otherProgram: never },
    ...{ commonKeys: new Set<string>(), commonVariables: new Set<string>() },
  },
  flags: {
    of: () => flagSet(flags),
    fallback: (name) => flags.find((flag) => flag.name === name)?.fallback ?? null,
    ofAnyProgram: () => null,
    opensMore: () => true,
    decides: (name) => (name === 'bind' ? 'addr' : name === 'offer' ? 'api' : null),
    ...{ literal: new Set<string>(), exclusive: [], keyFile: null },
  },
  configFile: null,
  secrets: [],
  interfaces: {
    flags: {
      ...{ ws: none, grpc: none, pprof: none, metrics: none, mainbridge: none, ipc: none },
      http: { ...none, enable: 'serve', addr: 'bind', api: 'offer', origins: 'origins', vhosts: 'hosts' },
    },
    defaultPort: () => 8545,
    socketName: 'moon.ipc',
    networkId: () => null,
  },
  modules: {
    ...{
      catalogue: modules,
      inert: {},
      builtIn: ['chain'],
      usual: ['chain'],
      signing: [],
      signingMethods: [],
    },
    canonical: (name) => name,
    namesOf: (name) => [name],
    closest: () => null,
    foreign: () => ({ severity: 'medium', does: 'do what is not known' }),
    isPrivileged: (name) => modules[name]?.privileged ?? true,
    isKnownPrivileged: (name) => modules[name]?.privileged === true,
    on: (_node, name) => modules[name] ?? null,
    needsSwitch: () => false,
    likely: () => [],
    existing: () => ({ sure: names, maybe: [] }),
    offered: ({ sure }, list) => {
      const wanted = (list ?? ['chain']).filter((name) => name !== '');
      return wanted.length === 0 ? sure : sure.filter((name) => wanted.includes(name));
    },
  },
  identity: {
    namesItself: (client) => client.startsWith('Moon/'),
    offersOwn: (some) => some.includes('vault'),
  },
  probes: {
    accounts: [],
    unsafeDebug: null,
    namespaces: [existenceMethod('vault_open')],
    excludes: {},
  },
  listeners: ({ values, locate }) =>
    listenerKinds.map((kind): Listener => {
      const { serve, bind, offer } = values;
      if (kind !== 'http' || serve?.value !== true || offer === undefined) return { kind, ...closed };
      const list = String(offer.value ?? '').split(',');
      return {
        ...{ kind, ...closed, state: 'on', host: String(bind?.value), port: 8545 },
        decidedBy: ['serve', 'bind', 'offer'],
        listed: list.map((name) => ({ name, at: name === '' ? null : locate(offer, name, null) })),
        modules: moon.modules.offered(moon.modules.existing('moond', values), list),
        ...{ origins: [], vhosts: ['localhost'] },
      };
    }),
  startProblems: () => [],
  peerPorts: () => [],
  launchers: null,
  policies: {},
  roles: [],
};
