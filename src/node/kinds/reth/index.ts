/**
 * reth, the node of paradigmxyz/reth, op-reth of the OP Stack, and their forks, whose defaults may differ. The facts are read
 * from the sources of the releases; none was seen running.
 */
import { once } from '../../../util/once.js';
import { clap } from '../../dialect/clap/index.js';
import type { Period } from '../../facts/release.js';
import { flagSet, plainFlags } from '../flags.js';
import { type Turn, testsOf } from '../history.js';
import type { Kind, Modules } from '../kind.js';
import { partDecided } from '../listening.js';
import { executionClient, plainModules, plainProbes } from '../plain.js';
import { madeOnce } from '../release.js';
import { parameterMethod } from '../request.js';
import { evidenceOf } from './evidence.js';
import { flagsOf } from './flags.js';
import { type Flavour, opFlavour, rethFlavour, type Tag } from './flavours.js';
import { interfacesOf, listenerFlags, listenersOf, peerPorts } from './listeners.js';
import { builtInModules, checksLater, inert, listWord, modulesOf, offered } from './modules.js';
import { startProblemsOf } from './start-problems.js';

const modulePeriods = modulesOf.reth.rows();
const turns: readonly Turn<Tag>[] = [
  [['http.api', 'ws.api'], checksLater],
  [(uses) => [...uses.keys()].some((name) => name.toLowerCase() === 'all'), ...modulePeriods],
  // What the port of the metrics serves beside them.
  [['metrics'], { since: 'v1.10.0' }, { since: 'v2.0.0' }],
];

/** The newest release of a flavour, whose `at` makes each of the others once. */
function kindOf(flavour: Flavour): Kind {
  const { releases } = flavour;
  return madeOnce((id, fork, at) => kindAt(flavour, id, fork, at))(releases.newest.id);
}

function kindAt(
  flavour: Flavour,
  id: string,
  fork: string,
  at: (release: string, fork?: string) => Kind,
): Kind {
  const { releases } = flavour;
  const history = flagsOf[flavour.id];
  const flags = once(() => flagSet(clap, history.at(id)));
  const holds = (period: Period<Tag>) => releases.holds(id, period);
  const catalogue = Object.fromEntries(
    modulesOf[flavour.id]
      .at(id)
      .map(({ name, severity, privileged, does }) => [name, { severity, privileged, does }]),
  );
  const modules: Modules = {
    ...plainModules(catalogue, builtInModules),
    inert,
    listWord,
    offered,
    usual: builtInModules,
    signing: ['eth'],
    signingMethods: ['sendTransaction', 'sign', 'signTransaction', 'signTypedData'],
  };
  return {
    ...executionClient,
    id: flavour.id,
    label: flavour.label,
    release: releases.named(id),
    releases: releases.all,
    at: at as () => Kind,
    parts: (since, until, uses) =>
      releases.partsBy(since, until, testsOf(releases, uses, [history, modulesOf[flavour.id]], turns)),
    evidence: evidenceOf(flavour),
    seenRunning: false,
    programs: flavour.programs,
    // Some forks need no `node`; a word that is not known may be it.
    startsNode(words) {
      const command = clap.commandIn(words, (name) => history.newest(name)?.type !== 'bool');
      if (words.some((word) => /^(?:--help|--version|-[hV])$/.test(word))) return false;
      if (command !== null) return command === 'node' || !/^[a-z-]/i.test(command);
      return words.some((word) => history.newest(clap.flagIn(word) ?? '') !== null);
    },
    consoles: ['node'],
    usualLauncher: flavour.id,
    programOf: () => flavour.id,
    launcherOf: (name) => (flavour.program.test(name) ? flavour.id : null),
    programOfBuild: () => null,
    signs: {
      name: new RegExp(
        `(?:^|[^\\w.@-])(?:${flavour.programs.join('|')})(?![\\w@.-])|${flavour.image.source}`,
        'm',
      ),
      image: flavour.image,
      entrypoint: { image: flavour.entrypoint, words: [] },
      variable: /(?!)/,
      generator: null,
      flag:
        flavour === opFlavour
          ? /--(?:rollup\.(?:sequencer-http|sequencer-ws|sequencer-headers|disable-tx-pool-gossip|enable-tx-conditional|discovery\.v4|supervisor-http|historicalrpc|historical-rpc)|flashblocks-url)/
          : /--(?:auth-ipc(?:\.path)?|disable-auth-server|ipc\.permissions|rpc\.(?:max-(?:connections|tracing-requests|logs-per-response|blocks-per-filter|subscriptions-per-connection|request-size|response-size)|eth-proof-window|forwarder|jwtsecret)|datadir\.static-files|log\.(?:stdout\.\w+|file\.(?:directory|filter|max-size|max-files))|builder\.(?:gaslimit|deadline)|engine\.(?:persistence-threshold|memory-block-buffer-target)|enable-discv5-discovery|disable-dns-discovery|with-unused-ports)/,
      besideFlag: null,
      otherProgram:
        /\b(?:geth|erigon|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex)\b/,
      commonKeys: new Set(),
      commonVariables: new Set(),
    },
    dialect: clap,
    flags: {
      ...plainFlags,
      of: flags,
      fallback: (name) => flags().byName.get(name)?.fallback ?? null,
      ofAnyRelease: history.newest,
      period: history.period,
      decides: (name) => (name === 'metrics' ? 'addr' : partDecided(listenerFlags, name)),
      development: 'dev',
      developmentAccounts: 'the 20 accounts of --dev, whose mnemonic is public',
      exclusive: [['with-unused-ports', 'instance']],
      dependents: {
        dev: { removed: ['dev.block-time', 'dev.block-max-transactions', 'dev.mnemonic'], need: [] },
      },
      identity: ['chain', 'datadir', 'p2p-secret-key', 'p2p-secret-key-hex'],
      dataFolder: 'datadir',
    },
    // reth.toml has no key of an interface.
    configFile: null,
    secrets: [
      {
        flag: 'authrpc.jwtsecret',
        inDataFolder: 'jwt.hex',
        isFolder: false,
        holds: 'the secret of the engine API',
        opens: 'authrpc',
      },
      { flag: 'p2p-secret-key', inDataFolder: 'discovery-secret', isFolder: false, holds: 'the node’s key' },
    ],
    interfaces: interfacesOf(holds),
    modules,
    identity: {
      namesItself: (client) => flavour.client.test(client),
      offersOwn: (names) => flavour === rethFlavour && names.includes('reth'),
      chains: [],
    },
    probes: {
      ...plainProbes,
      // A method runs with {}: only those that need a parameter are asked for, with none.
      refusesNamedParameters: false,
      parameterMethods: [
        'debug_getRawHeader',
        'trace_block',
        'txpool_contentFrom',
        'ots_hasCode',
        'reth_getBalanceChangesInBlock',
        'web3_sha3',
      ].map(parameterMethod),
      logged: false,
    },
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(this, settings);
    },
    listeners: (start) => listenersOf(holds, start, modules.existing(start.launcher, start.values)),
    startProblems: (_launcher, values, listeners) =>
      startProblemsOf({ holds, modules: catalogue, isFork: fork !== '' }, values, listeners),
    peerPorts: (_launcher, values) => peerPorts(values),
  };
}

export const reth = kindOf(rethFlavour);
export const opReth = kindOf(opFlavour);
