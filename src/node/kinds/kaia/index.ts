/** The Kaia node, formerly Klaytn: programs ken, kcn, kpn, kscn, kspn, ksen and kbn of klaytn/klaytn and kaiachain/kaia. */
import { go } from '../../dialect/go/index.js';
import { switchOpensMore } from '../flags.js';
import type { ConfigFileReading, Flags, Kind, Modules, Secret } from '../kind.js';
import { partDecided } from '../listening.js';
import { madeOnce } from '../release.js';
import { caps } from './caps.js';
import { partsOf } from './changes.js';
import { evidence, programOfBuild } from './evidence.js';
import { flagsAt, formsOf, periodOfFlag, type ReleaseFlags, secondLibrary } from './flags.js';
import { defaultPort, listenerFlags, networkId, peerPorts, socketName } from './interfaces.js';
import { listenersOf } from './listeners.js';
import {
  builtInAt,
  canonicalModule,
  closestModule,
  existsAt,
  foreignModule,
  formerName,
  inertModules,
  isKnownPrivileged,
  isPrivileged,
  likelyModules,
  listedModule,
  moduleOn,
  modules,
  publicPartsAt,
  signingMethods,
  signingModules,
  switchOf,
} from './modules.js';
import { binaryOf, launcherNamed, launchers, roleOf, roles, usualLauncher } from './names.js';
import { existingModules, offered } from './offered.js';
import { policies } from './policies.js';
import { probesAt } from './probes.js';
import { holdsAt, latest, releases } from './releases.js';
import { launchersAt } from './scripts.js';
import { namesKaia, offersKaia, signs } from './signs.js';
import { bindProblems, consoles, startsNode } from './start-problems.js';

const secrets: readonly Secret[] = [
  { flag: 'password', inDataFolder: null, isFolder: false, holds: 'the password of an account' },
  { flag: 'nodekey', inDataFolder: 'klay/nodekey', isFolder: false, holds: 'the node’s key' },
  { flag: 'keystore', inDataFolder: 'keystore', isFolder: true, holds: 'keys of accounts' },
  ...['parent', 'child'].map((side) => ({
    flag: 'datadir',
    inDataFolder: `${side}_bridge_account`,
    isFolder: true,
    holds: 'keys and passwords of bridge operators',
  })),
];

/** The newest release known. */
export const kaia: Kind = madeOnce((release, _fork, at) => kaiaAt(release, at))(releases.newest.id);

/** The kind at a release, made anew; `kaia.at` makes each once. */
export function kaiaAt(release: string, at: (release: string) => Kind = kaia.at): Kind {
  const flags = flagsAt(release);
  return {
    id: 'kaia',
    label: 'Kaia node',
    release: releases.named(release),
    releases: releases.all,
    at: at as () => Kind,
    parts: partsOf,
    evidence,
    seenRunning: true,
    isForked: false,
    programs: launchers.map(binaryOf),
    startsNode: (words) => startsNode(words, (name) => flags.ofAnyBinary(name)?.type !== 'bool'),
    consoles,
    usualLauncher,
    programOf: (launcher) => binaryOf(launcherNamed(launcher)),
    launcherOf: (program) => launchers.find((one) => binaryOf(one) === program) ?? null,
    programOfBuild,
    signs,
    dialect: go,
    flags: flagRulesAt(release, flags),
    configFile: { flag: 'conf', format: 'yaml', reads: (program) => configFileAt(release, program) },
    secrets,
    interfaces: {
      flags: listenerFlags,
      caps,
      profilers: ['metrics', 'pprof'],
      metricsPath: '/metrics',
      checks: { host: true, wsOrigin: true },
      serves: {},
      defaultPort,
      socketName,
      networkId,
    },
    modules: modulesAt(release),
    identity: { namesItself: namesKaia, offersOwn: offersKaia, chains: [] },
    probes: probesAt(release),
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(this, settings);
    },
    listeners: (start) => listenersOf(release, start),
    startProblems: (launcher, values, listeners) => bindProblems(launcherNamed(launcher), values, listeners),
    peerPorts: (launcher, values) => peerPorts(launcherNamed(launcher), values),
    launchers: launchersAt(release),
    policies,
    roles: Object.keys(roles),
    roleOf: (launcher) => roleOf(launcherNamed(launcher)),
  };
}

function modulesAt(release: string): Modules {
  return {
    catalogue: Object.fromEntries(Object.entries(modules).filter(([name]) => existsAt(release, name))),
    inert: inertModules,
    builtIn: builtInAt(release),
    emptyMeansAll: false,
    usual: [formerName, 'eth', 'net', 'web3'].filter((name) => existsAt(release, canonicalModule(name))),
    signing: signingModules,
    signingMethods,
    canonical: canonicalModule,
    listed: (name) => listedModule(release, name),
    namesOf: (name) =>
      (name === 'kaia' ? ['kaia', formerName] : [name]).filter((one) => listedModule(release, one)),
    closest: closestModule,
    foreign: foreignModule,
    isPrivileged,
    isKnownPrivileged,
    on: moduleOn,
    switchOf,
    likely: likelyModules,
    existing: (launcher, values) => existingModules(release, launcherNamed(launcher), values),
    publicParts: publicPartsAt(release),
    offered: (existing, list) => offered(release, existing, list),
  };
}

function flagRulesAt(release: string, flags: ReleaseFlags): Flags {
  return {
    of: (program) => flags.of(launcherNamed(`${program}d`)),
    ofFork: () => null,
    fallback: flags.fallback,
    ofAnyProgram: flags.ofAnyBinary,
    ofAnyRelease: (name) => formsOf(name).at(-1) ?? null,
    period: periodOfFlag,
    listsAddUp: !holdsAt(release, secondLibrary),
    counting: null,
    ignoresStray: false,
    opensMore: switchOpensMore,
    decides: (name) => partDecided(listenerFlags, name),
    // metrics/utils/metrics.go:52-58
    literal: new Set(['metrics', 'prometheus']),
    variablePrefix: null,
    removedTogether: false,
    development: null,
    exclusive: [['ipcdisable', 'ipcpath']],
    dependents: {},
    identity: ['networkid', 'mainnet', 'kairos', 'datadir', 'nodekey', 'nodekeyhex'],
    dataFolder: 'datadir',
    unlock: 'unlock',
    // kbnd passes --nodekey $KEY_PATH without a test.
    keyFile: { flag: 'nodekey', variable: 'KEY_PATH' },
  };
}

/** What a node takes from the file that --conf names (cmd/utils/nodecmd/defaultcmd.go). */
function configFileAt(release: string, program: string): ConfigFileReading {
  if (program === 'kbn') return 'all';
  const reads = latest<ConfigFileReading>(release, [
    ['klaytn/v1.9.1', 'switches'],
    ['klaytn/v1.10.0', 'nothing'],
    ['klaytn/v1.11.0', 'all'],
  ]);
  return reads ?? 'nothing';
}
