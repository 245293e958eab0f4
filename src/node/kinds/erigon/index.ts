/**
 * erigon, with the rpcdaemon that serves JSON-RPC from its database. Its forks for BNB Smart Chain, the OP Stack and Polygon's
 * CDK are judged as erigon: a fork's flags may differ.
 */
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import { flagSet, plainFlags } from '../flags.js';
import { isPublicSecret } from '../geth/public-secrets.js';
import { type History, type Turn, testsOf } from '../history.js';
import type { Kind, Modules } from '../kind.js';
import { partDecided } from '../listening.js';
import { executionClient, plainModules, plainProbes } from '../plain.js';
import { madeOnce } from '../release.js';
import { existenceMethod, readMethod } from '../request.js';
import { flagsOf, historyWith, isProgram, type Program } from './flags.js';
import { interfacesAt, listenerFlags, listenersOf, peerPorts } from './listeners.js';
import { builtInModules, inert, moduleHistory, modulesAt, offeredModules, rewinding } from './modules.js';
import { evidence, imageName, programOfBuild, publishedImage, releases, type Tag } from './releases.js';

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

const turns: readonly Turn<Tag>[] = [
  [['private.api.addr'], rewinding],
  [['ws'], ...flagsOf.erigon.named('ws.port')],
  [['metrics'], ...flagsOf.erigon.named('metrics.port')],
];
const flagTests: Pick<History<unknown, Tag>, 'testsOf'> = {
  testsOf: (name) => historyWith(name).testsOf(name),
};

/** The kind at a release, made anew. */
function kindAt(id: string, fork: string, at: (release: string, fork?: string) => Kind): Kind {
  const sets = {
    erigon: once(() => flagSet(go, flagsOf.erigon.at(id))),
    rpcdaemon: once(() => flagSet(go, flagsOf.rpcdaemon.at(id))),
  };
  const catalogue = modulesAt(id, fork);
  const modules: Modules = {
    ...plainModules(catalogue, builtInModules),
    inert,
    usual: ['erigon', 'eth', 'net', 'web3'],
    offered: offeredModules,
  };
  const flagOf = (name: string) => historyWith(name).newest(name);
  return {
    ...executionClient,
    id: 'erigon',
    label: 'erigon node',
    release: releases.named(id),
    releases: releases.all,
    at: at as () => Kind,
    parts: (since, until, uses) =>
      releases.partsBy(since, until, testsOf(releases, uses, [flagTests, moduleHistory], turns)),
    evidence,
    seenRunning: false,
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
      of: (name) => sets[isProgram(name) ? name : program](),
      fallback: (name) => sets.erigon().byName.get(name)?.fallback ?? null,
      ofAnyProgram: (name) => sets.erigon().byName.get(name) ?? sets.rpcdaemon().byName.get(name) ?? null,
      ofAnyRelease: flagOf,
      period: (name) => historyWith(name).period(name),
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
        opens: 'authrpc',
        isPublic: isPublicSecret,
      },
    ],
    interfaces: interfacesAt(id),
    methodFilter: 'rpc.accessList',
    modules,
    identity: {
      namesItself: (client) => /^erigon\//i.test(client),
      offersOwn: (names) => names.includes('erigon'),
      chains: [],
    },
    probes: {
      ...plainProbes,
      // "the method has been deprecated", as bsc-erigon 1.4.3-dev says: it holds no accounts.
      accounts: [{ module: 'eth', method: readMethod('eth_accounts'), none: -32_000 }],
      // {} never runs a method (rpc/json.go, as geth's); those with a required parameter are preferred all the same.
      namespaces: ['admin_nodeInfo', 'debug_getRawBlock', 'txpool_status'].map(existenceMethod),
    },
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(this, settings);
    },
    listeners: (start) => listenersOf(start, modules.existing(start.launcher, start.values)),
    startProblems: () => [],
    peerPorts,
  };
}

export const erigon = madeOnce(kindAt)(releases.newest.id);
