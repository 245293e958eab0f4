/** The Kaia node, formerly Klaytn: programs ken, kcn, kpn, kscn, kspn, ksen and kbn of kaiachain/kaia v2.2.1. */
import type { Kind } from '../kind.js';
import { fallbackOf, flagOfAnyBinary, flagsOf } from './flags.js';
import { namesKaia, offersKaia } from './identity.js';
import { decides, defaultPort, listenerFlags, networkId, opensMore, socketName } from './interfaces.js';
import { variablesByFlag } from './keys.js';
import { launcherSteps } from './launchers.js';
import { listenersOf } from './listeners.js';
import {
  builtInModules,
  canonicalModule,
  closestModule,
  foreignModule,
  formerName,
  inertModules,
  isKnownPrivileged,
  isPrivileged,
  likelyModules,
  moduleOn,
  modules,
  needsSwitch,
  signingMethods,
  signingModules,
} from './modules.js';
import {
  binaryOf,
  knownReleases,
  launcherNamed,
  launchers,
  packageNamed,
  packages,
  roles,
  usualLauncher,
} from './names.js';
import { existingModules, offered } from './offered.js';
import { packagedConf } from './packaged.js';
import { peerPorts } from './peer-ports.js';
import { policies } from './policies.js';
import { probes } from './probes.js';
import { bindProblems } from './start-problems.js';
import { deadVariables, isKnownVariable, knownVariables, readBy, readersByName } from './variables.js';

export const kaia: Kind = {
  id: 'kaia',
  label: 'Kaia node',
  releases: knownReleases,
  programs: launchers.map(binaryOf),
  flags: {
    of: (program) => flagsOf(launcherNamed(`${program}d`)),
    fallback: fallbackOf,
    ofAnyProgram: flagOfAnyBinary,
    opensMore,
    decides,
  },
  interfaces: { flags: listenerFlags, defaultPort, socketName, networkId },
  modules: {
    catalogue: modules,
    inert: inertModules,
    builtIn: builtInModules,
    usual: [formerName, 'eth', 'net', 'web3'],
    signing: signingModules,
    signingMethods,
    canonical: canonicalModule,
    namesOf: (name) => (name === 'kaia' ? [name, formerName] : [name]),
    closest: closestModule,
    foreign: foreignModule,
    isPrivileged,
    isKnownPrivileged,
    on: moduleOn,
    needsSwitch,
    likely: likelyModules,
    existing: (launcher, values) => existingModules(launcherNamed(launcher), values),
    offered,
  },
  identity: { namesItself: namesKaia, offersOwn: offersKaia },
  probes,
  listeners: listenersOf,
  startProblems: (launcher, values, listeners) => bindProblems(launcherNamed(launcher), values, listeners),
  peerPorts: (launcher, values) => peerPorts(launcherNamed(launcher), values),
  launchers: {
    names: launchers,
    packages,
    usual: usualLauncher,
    programOf: (launcher) => binaryOf(launcherNamed(launcher)),
    steps: (launcher, from) => launcherSteps(launcherNamed(launcher), packageNamed(from)),
    variablesByFlag: (launcher, from) => variablesByFlag(launcherNamed(launcher), packageNamed(from)),
    packagedConf: (launcher, from) => packagedConf(launcherNamed(launcher), packageNamed(from)),
    knownVariables,
    isKnownVariable,
    deadVariables,
    readBy: (launcher, from) => readBy(launcherNamed(launcher), from === null ? null : packageNamed(from)),
    readersByName,
  },
  policies,
  roles: Object.keys(roles),
};
