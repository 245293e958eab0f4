/**
 * erigon, with the rpcdaemon that serves JSON-RPC from its database. Its forks for BNB Smart Chain, the OP Stack and Polygon's
 * CDK are judged as erigon: a fork's flags may differ.
 */
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import { defineKind } from '../define.js';
import { flagSet } from '../flags.js';
import type { Turn } from '../history.js';
import type { Probes, Secret } from '../kind.js';
import { engineSecret, nodeKey, plainModules, plainProbes, plainSigns } from '../plain.js';
import { existenceMethod, readMethod } from '../request.js';
import { flagsOf, historyWith, isProgram, type Program } from './flags.js';
import { anyHost, interfacesAt, peerPorts, quirks, rows } from './listeners.js';
import { builtInModules, inert, moduleHistory, modulesAt, rewinding } from './modules.js';
import { build, evidence, imageName, publishedImage, releases, type Tag } from './releases.js';

/** Forks keep the flags and rename the program. */
const programs = ['erigon', 'rpcdaemon', 'bsc-erigon', 'op-erigon', 'cdk-erigon', 'xlayer-erigon'];
const program: Program = 'erigon';

/** Commands that start no node (cmd/utils/app). */
// biome-ignore format: a table, its lines filled by hand
const idle = new Set((
  'init import snapshots seg snapshot segments segment support db backtest-commitment shutter-validator-reg-check export ' +
  'import-preimages version help h').split(' '));

const turns: readonly Turn<Tag>[] = [
  [['private.api.addr'], rewinding],
  [['ws'], ...flagsOf.erigon.named('ws.port')],
  [['metrics'], ...flagsOf.erigon.named('metrics.port')],
];
const newest = (name: string) => historyWith(name).newest(name);
const period = (name: string) => historyWith(name).period(name);

// biome-ignore format: a row a line
const secrets: readonly Secret[] = [
  nodeKey('nodekey', 'nodekey'),
  { flag: 'miner.sigfile', inDataFolder: null, isFolder: false, holds: 'the key that signs blocks' },
  { flag: 'tls.key', inDataFolder: null, isFolder: false, holds: 'the key of its TLS certificate' },
  engineSecret('jwt.hex'),
];

const probes: Probes = {
  ...plainProbes,
  // "the method has been deprecated", as bsc-erigon 1.4.3-dev says: it holds no accounts.
  accounts: [{ module: 'eth', method: readMethod('eth_accounts'), none: -32_000 }],
  // {} never runs a method (rpc/json.go, as geth's); those with a required parameter are preferred all the same.
  namespaces: ['admin_nodeInfo', 'debug_getRawBlock', 'txpool_status'].map(existenceMethod),
};

export const erigon = defineKind<Tag>({
  id: program,
  releases,
  flags: { at: flagsOf.erigon.at, newest, period },
  idle,
  quirks,
  anyHost,
  histories: [{ testsOf: (name) => historyWith(name).testsOf(name) }, moduleHistory],
  turns,
  programs,
  dialect: go,
  programOf: (launcher) => (isProgram(launcher) ? launcher : program),
  launcherOf: (name) => (programs.includes(name) ? (isProgram(name) ? name : program) : null),
  programOfBuild: ({ path }) => build.exec(path)?.[1] ?? null,
  evidence,
  signs: {
    ...plainSigns([], imageName),
    name: /(?:^|[^\w.@-])(?:(?:bsc-|op-|cdk-|xlayer-)?erigon|rpcdaemon)(?![\w@.-])|(?:^|[/_-])erigon(?![\w-])/m,
    tools: ['downloader', 'sentry', 'txpool', 'sentinel', 'caplin', 'diag', 'mcp', 'evm', 'integration'],
    entrypoint: { image: publishedImage, words: [] },
    flag: /--(?:private\.api\.(?:addr|ratelimit)|prune\.mode|externalcl|internalcl|torrent\.[\w.]+|caplin\.[\w.-]+|db\.size\.limit|mcp\.(?:addr|port|disable)|beacon\.api\.cors\.[\w-]+)/,
    otherProgram:
      /\b(?:geth|op-reth|reth|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex|sentry|downloader|txpool|sentinel|diag|caplin)\b/,
  },
  secrets,
  probes,
  identity: { client: /^erigon\//i, ownModules: ['erigon'], chains: [] },
  methodFilter: 'rpc.accessList',
  peerPorts,
  simulated: () => import('./answers.js'),
  at({ release, fork }) {
    const sets = {
      erigon: once(() => flagSet(go, flagsOf.erigon.at(release))),
      rpcdaemon: once(() => flagSet(go, flagsOf.rpcdaemon.at(release))),
    };
    return {
      set: sets.erigon,
      flags: () => ({
        of: (name) => sets[isProgram(name) ? name : program](),
        ofAnyProgram: (name) => sets.erigon().byName.get(name) ?? sets.rpcdaemon().byName.get(name) ?? null,
        onceGiven: new Set(['ws']),
        identity: ['chain', 'networkid', 'datadir', 'nodekey', 'nodekeyhex'],
        dataFolder: 'datadir',
        keyFile: { flag: 'nodekey', variable: null },
      }),
      modules: {
        ...plainModules(modulesAt(release, fork), builtInModules),
        inert,
        usual: ['erigon', 'eth', 'net', 'web3'],
      },
      rows: () => rows,
      interfaces: (plain) => interfacesAt(release, plain),
      configFile: () => ({
        flag: 'config',
        format: 'flags',
        reads: (name) => (name === 'rpcdaemon' ? 'nothing' : 'all'),
      }),
    };
  },
});
