/**
 * erigon, with the rpcdaemon that serves JSON-RPC from its database. Its forks for BNB Smart Chain, the OP Stack and Polygon's
 * CDK are judged as erigon: a fork's flags may differ.
 */
import { closest } from '../../../util/closest.js';
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import { commonModule } from '../common-modules.js';
import { executionPolicies } from '../execution-policies.js';
import { plainFlags } from '../flags.js';
import { isPublicSecret } from '../geth/public-secrets.js';
import type { Interfaces, Kind, Module, Period, Uses } from '../kind.js';
import { partDecided } from '../listening.js';
import { madeOnce } from '../release.js';
import { existenceMethod, readMethod } from '../request.js';
import { flagOf, flagsAt, isProgram, type Program, tagsOf, turnsOf } from './flags.js';
import { interfacesAt, listenerFlags, listenersOf, peerPorts } from './listeners.js';
import {
  builtInModules,
  existingModules,
  inert,
  modulesAt,
  offeredModules,
  periodsOfModule,
  rewinding,
} from './modules.js';
import { evidence, imageName, programOfBuild, publishedImage, releaseNamed, releases } from './releases.js';

/** Forks keep the flags and rename the program. */
const forkPrograms = ['bsc-erigon', 'op-erigon', 'cdk-erigon', 'xlayer-erigon'];
const programs = ['erigon', 'rpcdaemon', ...forkPrograms];

/** Commands that start no node (cmd/utils/app). */
const commands = new Set(
  'init import snapshots seg snapshot segments segment support db backtest-commitment shutter-validator-reg-check export import-preimages version help h'.split(
    ' ',
  ),
);

const program: Program = 'erigon';

const idOf = (tag: string) => `erigon/${tag}`;
const inIds = ({ since, until }: Period): Period => ({
  ...(since === undefined ? {} : { since: idOf(since) }),
  ...(until === undefined ? {} : { until: idOf(until) }),
});

/** The releases from which on something changes for settings with these uses, in tags. */
function turns(uses: Uses): Set<string> {
  const names = [...uses.keys()];
  const periods = names.flatMap(periodsOfModule);
  const grpc = names.includes('private.api.addr') ? [rewinding.since] : [];
  return new Set([
    ...names.flatMap(turnsOf),
    ...periods.flatMap(({ since }) => since ?? []),
    ...grpc,
    ...(names.includes('ws') ? turnsOf('ws.port') : []),
    ...(names.includes('metrics') ? turnsOf('metrics.port') : []),
  ]);
}

/** Splits the range, oldest first. Within a part nothing changes for settings with these uses. */
function partsOf(since: string, until: string, uses: Uses): readonly Required<Period>[] {
  const at = (id: string) => releases.findIndex((one) => one.id === id);
  const [first, last] = [at(since), at(until)];
  const all = turns(uses);
  const starts = releases.flatMap(({ tag }, index) =>
    index === first || (index > first && index <= last && all.has(tag)) ? [index] : [],
  );
  return starts.map((start, index) => ({
    since: releases[start]?.id as string,
    until: releases[(starts[index + 1] ?? last + 1) - 1]?.id as string,
  }));
}

const kindAt = madeOnce(makeKind);

function makeKind(id: string, fork: string): Kind {
  const release = releaseNamed(id);
  const { tag } = release;
  const sets = {
    erigon: once(() => flagsAt('erigon', tag)),
    rpcdaemon: once(() => flagsAt('rpcdaemon', tag)),
  };
  const catalogue = once(() => modulesAt(tag, fork));
  const moduleNames = once(() => Object.keys(catalogue()).sort());
  const interfaces = once((): Interfaces => interfacesAt(tag));
  const named = (name: string): Module | null =>
    Object.hasOwn(catalogue(), name) ? (catalogue()[name] ?? null) : null;
  const flagSetOf = (name: string) => sets[isProgram(name) ? name : program]();
  return {
    id: 'erigon',
    label: 'erigon node',
    release,
    releases,
    at: ((other: string, of = fork) => kindAt(other, of)) as () => Kind,
    parts: partsOf,
    evidence,
    seenRunning: false,
    isForked: true,
    programs,
    startsNode(words) {
      const command = go.commandIn(words, (name) => flagOf(name)?.type !== 'bool');
      return command === null || (!/^[a-z]/.test(words[0] ?? '') && !commands.has(command));
    },
    consoles: [],
    usualLauncher: program,
    programOf: (launcher) => (isProgram(launcher) ? launcher : program),
    launcherOf: (name) => (programs.includes(name) ? (isProgram(name) ? name : program) : null),
    programOfBuild,
    signs: {
      name: /(?:^|[^\w.@-])(?:(?:bsc-|op-|cdk-|xlayer-)?erigon|rpcdaemon)(?![\w@.-])|(?:^|[/_-])erigon(?![\w-])/m,
      image: imageName,
      tools: ['downloader', 'sentry', 'txpool', 'sentinel', 'caplin', 'diag', 'mcp', 'evm', 'integration'],
      variable: /(?!)/,
      generator: null,
      entrypoint: { image: publishedImage, words: [] },
      flag: /--(?:private\.api\.(?:addr|ratelimit)|prune\.mode|externalcl|internalcl|torrent\.[\w.]+|caplin\.[\w.-]+|db\.size\.limit|mcp\.(?:addr|port|disable)|beacon\.api\.cors\.[\w-]+)/,
      besideFlag: null,
      otherProgram:
        /\b(?:geth|op-reth|reth|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex|sentry|downloader|txpool|sentinel|diag|caplin)\b/,
      commonKeys: new Set(),
      commonVariables: new Set(),
    },
    dialect: go,
    flags: {
      ...plainFlags,
      of: flagSetOf,
      fallback: (name) => sets.erigon().byName.get(name)?.fallback ?? null,
      ofAnyProgram: (name) => sets.erigon().byName.get(name) ?? sets.rpcdaemon().byName.get(name) ?? null,
      ofAnyRelease: flagOf,
      period(name) {
        const period = tagsOf(name);
        return period === null ? null : inIds(period);
      },
      decides: (name) => partDecided(listenerFlags, name),
      onceGiven: new Set(['ws']),
      identity: ['chain', 'networkid', 'datadir', 'nodekey', 'nodekeyhex'],
      dataFolder: 'datadir',
      keyFile: { flag: 'nodekey', variable: null },
    },
    configFile: {
      flag: 'config',
      format: 'flags',
      reads: (name) => (name === 'rpcdaemon' ? 'nothing' : 'all'),
    },
    secrets: [
      { flag: 'nodekey', inDataFolder: 'nodekey', isFolder: false, holds: 'the node’s key' },
      { flag: 'miner.sigfile', inDataFolder: null, isFolder: false, holds: 'the key that signs blocks' },
      { flag: 'tls.key', inDataFolder: null, isFolder: false, holds: 'the key of its TLS certificate' },
      {
        flag: 'authrpc.jwtsecret',
        inDataFolder: 'jwt.hex',
        isFolder: false,
        holds: 'the secret of the engine API',
        isPublic: isPublicSecret,
      },
    ],
    get interfaces() {
      return interfaces();
    },
    modules: {
      get catalogue() {
        return catalogue();
      },
      inert,
      builtIn: builtInModules,
      emptyMeansAll: false,
      usual: ['erigon', 'eth', 'net', 'web3'],
      signing: [],
      signingMethods: [],
      canonical: (name) => name,
      listed: (name) => (named(name) === null ? null : name),
      namesOf: (name) => (named(name) === null ? [] : [name]),
      closest: (name) => closest(name, moduleNames()),
      foreign: () => ({ severity: 'medium', does: 'do what kaiactl does not know' }),
      isPrivileged: (name) => named(name)?.privileged ?? true,
      isKnownPrivileged: (name) => named(name)?.privileged === true,
      // A node may offer more than its release has.
      on: (_node, name) => named(name) ?? commonModule(name),
      switchOf: () => null,
      likely: () => [],
      existing: (_launcher, values) => existingModules(moduleNames(), values),
      readHalves: null,
      offered: offeredModules,
    },
    identity: {
      namesItself: (client) => /^erigon\//i.test(client),
      offersOwn: (names) => names.includes('erigon'),
      chains: [],
    },
    probes: {
      accounts: [{ module: 'eth', method: readMethod('eth_accounts') }],
      wallets: null,
      unsafeDebug: null,
      // {} never runs a method (rpc/json.go, as geth's); those with a required parameter are preferred all the same.
      namespaces: ['admin_nodeInfo', 'debug_getRawBlock', 'txpool_status'].map(existenceMethod),
      otherHalf: null,
      refusesNamedParameters: true,
      parameterMethods: [],
      excludes: {},
      logged: true,
    },
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(this, settings);
    },
    listeners: (start) => listenersOf(start, existingModules(moduleNames(), start.values)),
    startProblems: () => [],
    peerPorts,
    launchers: null,
    policies: executionPolicies,
    roles: Object.keys(executionPolicies),
    roleOf: () => null,
  };
}

export const erigon = kindAt((releases.at(-1) as (typeof releases)[number]).id);
