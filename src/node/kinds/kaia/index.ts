/** The Kaia node, formerly Klaytn: programs ken, kcn, kpn, kscn, kspn, ksen and kbn of klaytn/klaytn and kaiachain/kaia. */
import { closest } from '../../../util/closest.js';
import { go } from '../../dialect/go/index.js';
import type { ConfigFileReading, Flags, Kind, KindWords, Modules, Secret } from '../kind.js';
import { listenersOf } from '../listening.js';
import { datedFlags, datedKind, nodeKey, plainModules, startsUnless } from '../plain.js';
import { madeOnce } from '../release.js';
import { histories, turns } from './changes.js';
import { build, evidence } from './evidence.js';
import { flagsAt, formsOf, periodOfFlag, type ReleaseFlags, secondLibrary } from './flags.js';
import { interfaces, openingAt, peerPorts, rows } from './interfaces.js';
import * as tables from './modules.js';
import { binaryOf, launcherNamed, launchers, roleOf, roles, usualLauncher } from './names.js';
import { policies } from './policies.js';
import { probesAt } from './probes.js';
import { holdsAt, latest, releases } from './releases.js';
import { launchersAt } from './scripts.js';
import { namesKaia, offersKaia, signs } from './signs.js';
import { bindProblems, commands, consoles } from './start-problems.js';

const secrets: readonly Secret[] = [
  { flag: 'password', inDataFolder: null, isFolder: false, holds: 'the password of an account' },
  nodeKey('nodekey', 'klay/nodekey'),
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
  const modules = modulesAt(release);
  const opening = openingAt(release, modules);
  return {
    ...datedKind(releases, release, at, histories, turns),
    ...wordsOf(flags),
    id: 'kaia',
    label: 'Kaia node',
    evidence,
    seenRunning: true,
    isForked: false,
    signs,
    secrets,
    interfaces,
    modules,
    policies,
    roles: Object.keys(roles),
    flags: flagRulesAt(release, flags),
    configFile: { flag: 'conf', format: 'yaml', reads: (program) => configFileAt(release, program) },
    identity: { namesItself: namesKaia, offersOwn: offersKaia, chains: [] },
    probes: probesAt(release),
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(this, settings);
    },
    listeners: (start) => listenersOf(opening, start),
    startProblems: (launcher, values, listeners) => bindProblems(launcherNamed(launcher), values, listeners),
    peerPorts: (launcher, values) => peerPorts(launcherNamed(launcher), values),
    launchers: launchersAt(release),
    roleOf: (launcher) => roleOf(launcherNamed(launcher)),
  };
}

function wordsOf(flags: ReleaseFlags): Omit<KindWords, 'flags' | 'configFile'> {
  return {
    programs: launchers.map(binaryOf),
    startsNode: startsUnless(commands, { dialect: go, consoles }, flags.ofAnyBinary),
    consoles,
    usualLauncher,
    programOf: (launcher) => binaryOf(launcherNamed(launcher)),
    launcherOf: (program) => launchers.find((one) => binaryOf(one) === program) ?? null,
    programOfBuild: ({ path }) => build.exec(path)?.[1] ?? null,
    dialect: go,
  };
}

function modulesAt(release: string): Modules {
  const { canonicalModule, existsAt, formerName, listedModule, modules } = tables;
  const known = plainModules(Object.values(modules), tables.builtInModules);
  const names = [...Object.keys(modules), formerName];
  return {
    ...known,
    builtIn: known.builtIn.filter((name) => existsAt(release, name)),
    catalogue: Object.fromEntries(
      Object.entries(known.catalogue).filter(([name]) => existsAt(release, name)),
    ),
    inert: tables.inertModules,
    usual: [formerName, 'eth', 'net', 'web3'].filter((name) => existsAt(release, canonicalModule(name))),
    signing: tables.signingModules,
    signingMethods: tables.signingMethods,
    canonical: canonicalModule,
    listed: (name) => listedModule(release, name),
    namesOf: (name) =>
      (name === 'kaia' ? ['kaia', formerName] : [name]).filter((one) => listedModule(release, one)),
    closest: (name) => closest(name, names),
    foreign: tables.foreignModule,
    isPrivileged: (name) => known.isPrivileged(canonicalModule(name)),
    isKnownPrivileged: (name) => known.isKnownPrivileged(canonicalModule(name)),
    on: tables.moduleOn,
    likely: tables.likelyModules,
    existing: (launcher, values) => tables.existingModules(release, launcherNamed(launcher), values),
    publicParts: tables.publicPartsAt(release),
    // Unknown names are ignored.
    offered: (existing, list) =>
      known.offered(existing, list?.flatMap((name) => listedModule(release, name) ?? []) ?? null),
  };
}

function flagRulesAt(release: string, flags: ReleaseFlags): Flags {
  const newest = (name: string) => formsOf(name).at(-1) ?? null;
  const usual = () => flags.of(usualLauncher);
  return {
    ...datedFlags(usual, { newest, period: periodOfFlag }, () => rows),
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
