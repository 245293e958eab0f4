/** The Kaia node, formerly Klaytn: programs ken, kcn, kpn, kscn, kspn, ksen and kbn of kaiachain/kaia v2.2.1. */
import { partDecided, switchOpensMore } from '../define.js';
import type { Kind } from '../kind.js';
import { fallbackOf, flagOfAnyBinary, flagsOf } from './flags.js';
import { infer, launcherInName, launcherOfConf } from './infer.js';
import { defaultPort, listenerFlags, networkId, peerPorts, socketName } from './interfaces.js';
import { switchesOf, variablesByFlag } from './keys.js';
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
  isBootNode,
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
import { policies } from './policies.js';
import { probes } from './probes.js';
import { isOwn, namesKaia, offersKaia, signs } from './signs.js';
import { bindProblems } from './start-problems.js';
import { deadVariables, isKnownVariable, knownVariables, readBy, readersByName } from './variables.js';

export const kaia: Kind = {
  id: 'kaia',
  label: 'Kaia node',
  releases: knownReleases,
  programs: launchers.map(binaryOf),
  // `ken attach`, `ken account new` and `ken version` start no node.
  startsNode: ([first]) => first === undefined || !/^[a-z]/.test(first),
  usualLauncher,
  programOf: (launcher) => binaryOf(launcherNamed(launcher)),
  launcherOf: (program) => launchers.find((one) => binaryOf(one) === program) ?? null,
  signs,
  flags: {
    of: (program) => flagsOf(launcherNamed(`${program}d`)),
    fallback: fallbackOf,
    ofAnyProgram: flagOfAnyBinary,
    opensMore: switchOpensMore,
    decides: (name) => partDecided(listenerFlags, name),
    // metrics/utils/metrics.go:52-58
    literal: new Set(['metrics', 'prometheus']),
    exclusive: [['ipcdisable', 'ipcpath']],
    // kbnd passes --nodekey $KEY_PATH without a test.
    keyFile: { flag: 'nodekey', variable: 'KEY_PATH' },
  },
  configFile: { flag: 'conf', format: 'yaml' },
  secrets: [
    { flag: 'password', inDataFolder: null, isFolder: false, holds: 'the password of an account' },
    { flag: 'nodekey', inDataFolder: 'klay/nodekey', isFolder: false, holds: 'the node’s key' },
    { flag: 'keystore', inDataFolder: 'keystore', isFolder: true, holds: 'keys of accounts' },
    ...['parent', 'child'].map((side) => ({
      flag: 'datadir',
      inDataFolder: `${side}_bridge_account`,
      isFolder: true,
      holds: 'keys and passwords of bridge operators',
    })),
  ],
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
    ofConf: launcherOfConf,
    inName: launcherInName,
    infer,
    installedConfs: launchers.map((launcher) => `/etc/${launcher}/conf/${launcher}.conf`),
    confsInImage: (launcher) =>
      ['/klaytn-docker-pkg/conf', '/kaia-docker-pkg/conf', `/etc/${launcher}/conf`].map(
        (folder) => `${folder}/${launcher}.conf`,
      ),
    isOwn,
    ownExamples: ['ADDITIONAL', 'SC_SUB_BRIDGE'],
    extraFlags: 'ADDITIONAL',
    presets: (from): Readonly<Record<string, string>> => (from === 'tar' ? { STOP_TIMEOUT: '10' } : {}),
    neededFolder: (launcher, from) =>
      from === 'rpm' || isBootNode(launcherNamed(launcher))
        ? null
        : { variable: 'DATA_DIR', flag: 'datadir' },
    networkVariables: (launcher) =>
      launcher === 'kbnd' || launcher === 'kscnd'
        ? null
        : { name: 'NETWORK', id: 'NETWORK_ID', flag: 'networkid' },
    steps: (launcher, from) => launcherSteps(launcherNamed(launcher), packageNamed(from)),
    switches: (launcher, from) => switchesOf(launcherNamed(launcher), packageNamed(from)),
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
