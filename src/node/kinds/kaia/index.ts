/** The Kaia node, formerly Klaytn: programs ken, kcn, kpn, kscn, kspn, ksen and kbn of klaytn/klaytn and kaiachain/kaia. */
import { closest } from '../../../util/closest.js';
import { oncePerKey } from '../../../util/once-per.js';
import { go } from '../../dialect/go/index.js';
import { defineKind } from '../define.js';
import type { ConfigFileReading, Flags, Modules, Secret } from '../kind.js';
import { items } from '../listening.js';
import { catalogueOf, nodeKey, plainModules } from '../plain.js';
import { histories, turns } from './changes.js';
import { build, evidence } from './evidence.js';
import { flagHistory, flagsAt, newestFlag, periodOfFlag, type ReleaseFlags, secondLibrary } from './flags.js';
import { interfaces, peerPorts, quirks, rows } from './interfaces.js';
import * as tables from './modules.js';
import { binaryOf, launcherNamed, launchers, roleOf, roles, usualLauncher } from './names.js';
import { policies } from './policies.js';
import { probesAt } from './probes.js';
import { holdsAt, latest, type ReleaseId, releases } from './releases.js';
import { launchersAt } from './scripts.js';
import { signs } from './signs.js';
import { bindProblems, consoles, idle } from './start-problems.js';

// biome-ignore format: a row a line
const secrets: readonly Secret[] = [
  { flag: 'password', inDataFolder: null, isFolder: false, holds: 'the password of an account' },
  nodeKey('nodekey', 'klay/nodekey'),
  { flag: 'keystore', inDataFolder: 'keystore', isFolder: true, holds: 'keys of accounts' },
  { flag: 'datadir', inDataFolder: 'parent_bridge_account', isFolder: true, holds: 'keys and passwords of bridge operators' },
  { flag: 'datadir', inDataFolder: 'child_bridge_account', isFolder: true, holds: 'keys and passwords of bridge operators' },
];

export const kaia = defineKind<ReleaseId>({
  id: 'kaia',
  label: 'Kaia node',
  releases,
  flags: { at: flagHistory.at, newest: newestFlag, period: periodOfFlag },
  quirks,
  listIn: items,
  histories,
  turns,
  programs: launchers.map(binaryOf),
  dialect: go,
  consoles,
  idle,
  usualLauncher,
  programOf: (launcher) => binaryOf(launcherNamed(launcher)),
  launcherOf: (program) => launchers.find((one) => binaryOf(one) === program) ?? null,
  programOfBuild: ({ path }) => build.exec(path)?.[1] ?? null,
  evidence,
  seenRunning: true,
  isForked: false,
  signs,
  secrets,
  // Every release says Klaytn, those called Kaia too (cmd/utils, web3_clientVersion).
  identity: { client: /^(?:Klaytn|Kaia)\//i, ownModules: ['kaia', tables.formerName], chains: [] },
  policies,
  roles: Object.keys(roles),
  roleOf: (launcher) => roleOf(launcherNamed(launcher)),
  startProblems: (launcher, values, listeners) => bindProblems(launcherNamed(launcher), values, listeners),
  peerPorts: (launcher, values) => peerPorts(launcherNamed(launcher), values),
  simulated: () => import('./answers.js'),
  at({ release }) {
    const flags = flagsAt(release);
    return {
      flags: () => flagRulesAt(release, flags),
      modules: modulesAt(release),
      rows: () => rows,
      interfaces: () => interfaces,
      configFile: () => ({
        flag: 'conf',
        format: 'yaml',
        reads: (program) => configFileAt(release, program),
      }),
      probes: probesAt(release),
      launchers: launchersAt(release),
    };
  },
});

function modulesAt(release: string): Modules {
  const { canonicalModule, existsAt, formerName, listedModule, modules } = tables;
  const known = plainModules(Object.values(modules), tables.builtInModules);
  const existing = tables.existingModulesAt(release);
  return {
    ...known,
    builtIn: known.builtIn.filter((name) => existsAt(release, name)),
    catalogue: catalogueOf(tables.moduleHistory.at(release)),
    inert: tables.inertModules,
    usual: [formerName, 'eth', 'net', 'web3'].filter((name) => existsAt(release, canonicalModule(name))),
    signing: tables.signingModules,
    signingMethods: tables.signingMethods,
    canonical: canonicalModule,
    listed: (name) => listedModule(release, name),
    namesOf: (name) =>
      (name === 'kaia' ? ['kaia', formerName] : [name]).filter((one) => listedModule(release, one)),
    closest: oncePerKey((name: string) => closest(name, [...Object.keys(modules), formerName]), 1_000),
    foreign: tables.foreignModule,
    isPrivileged: (name) => known.isPrivileged(canonicalModule(name)),
    isKnownPrivileged: (name) => known.isKnownPrivileged(canonicalModule(name)),
    on: tables.moduleOn,
    likely: tables.likelyModules,
    existing: (launcher, values) => existing(launcherNamed(launcher), values),
    publicParts: tables.publicPartsAt(release),
    // Unknown names are ignored.
    offered: (existing, list) =>
      known.offered(existing, list?.flatMap((name) => listedModule(release, name) ?? []) ?? null),
  };
}

function flagRulesAt(release: string, flags: ReleaseFlags): Partial<Flags> {
  return {
    of: (program) => flags.of(launcherNamed(`${program}d`)),
    fallback: flags.fallback,
    ofAnyProgram: flags.ofAnyBinary,
    listsAddUp: !holdsAt(release, secondLibrary),
    // metrics/utils/metrics.go:52-58
    literal: new Set(['metrics', 'prometheus']),
    exclusive: [['ipcdisable', 'ipcpath']],
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
