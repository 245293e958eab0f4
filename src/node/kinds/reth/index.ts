/**
 * reth, the node of paradigmxyz/reth, op-reth of the OP Stack, and their forks, whose defaults may differ. The facts are read
 * from the sources of the releases; none was seen running.
 */
import { closest } from '../../../util/closest.js';
import { once } from '../../../util/once.js';
import { clap } from '../../dialect/clap/index.js';
import { commonModule } from '../common-modules.js';
import { executionPolicies } from '../execution-policies.js';
import { plainFlags } from '../flags.js';
import type { Kind, Module } from '../kind.js';
import { partDecided } from '../listening.js';
import { madeOnce } from '../release.js';
import { parameterMethod, readMethod } from '../request.js';
import { partsOf } from './changes.js';
import { evidenceOf } from './evidence.js';
import { flagOf, flagsAt, periodOfFlag } from './flags.js';
import { type Flavour, opFlavour, rethFlavour } from './flavours.js';
import { interfacesOf, listenerFlags, listenersOf, peerPorts } from './listeners.js';
import { builtInModules, inert, listWord, modulesAt, offered } from './modules.js';
import { startProblemsOf } from './start-problems.js';

/** The newest release of a flavour, whose `at` makes each of the others once. */
function kindOf(flavour: Flavour): Kind {
  const at: ReturnType<typeof madeOnce> = madeOnce((release, fork) =>
    makeKind(flavour, release, fork, (other, of = fork) => at(other, of)),
  );
  return at((flavour.releases.at(-1) as Flavour['releases'][number]).id);
}

function makeKind(
  flavour: Flavour,
  id: string,
  fork: string,
  at: (release: string, fork?: string) => Kind,
): Kind {
  const release = flavour.releases.find((one) => one.id === id);
  if (release === undefined) throw new Error(`${id} is not a release of this node`);
  const { tag } = release;
  const flags = once(() => flagsAt(flavour, tag));
  const catalogue = once(() => modulesAt(flavour, tag));
  const sure = once(() => Object.keys(catalogue()).sort());
  const named = (name: string): Module | null =>
    Object.hasOwn(catalogue(), name) ? (catalogue()[name] ?? null) : null;
  return {
    id: flavour.id,
    label: flavour.label,
    release,
    releases: flavour.releases,
    at: at as () => Kind,
    parts: (since, until, uses) => partsOf(flavour, since, until, uses),
    evidence: evidenceOf(flavour),
    seenRunning: false,
    isForked: true,
    programs: flavour.programs,
    // Some forks need no `node`; a word that is not known may be it.
    startsNode(words) {
      const command = clap.commandIn(words, (name) => flagOf(flavour, name)?.type !== 'bool');
      if (words.some((word) => /^(?:--help|--version|-[hV])$/.test(word))) return false;
      if (command !== null) return command === 'node' || !/^[a-z-]/i.test(command);
      return words.some((word) => flagOf(flavour, clap.flagIn(word) ?? '') !== null);
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
      ofAnyRelease: (name) => flagOf(flavour, name),
      period: (name) => periodOfFlag(flavour, name),
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
      },
      { flag: 'p2p-secret-key', inDataFolder: 'discovery-secret', isFolder: false, holds: 'the node’s key' },
    ],
    interfaces: interfacesOf(tag),
    modules: {
      get catalogue() {
        return catalogue();
      },
      inert,
      builtIn: builtInModules,
      emptyMeansAll: false,
      listWord,
      usual: builtInModules,
      signing: ['eth'],
      signingMethods: ['sendTransaction', 'sign', 'signTransaction', 'signTypedData'],
      canonical: (name) => name,
      listed: (name) => (named(name) === null ? null : name),
      namesOf: (name) => (named(name) === null ? [] : [name]),
      closest: (name) => closest(name, Object.keys(catalogue())),
      foreign: () => ({ severity: 'medium', does: 'do what kaiactl does not know' }),
      isPrivileged: (name) => named(name)?.privileged ?? true,
      isKnownPrivileged: (name) => named(name)?.privileged === true,
      // A node may offer more than its release has.
      on: (_node, name) => named(name) ?? commonModule(name),
      switchOf: () => null,
      likely: () => [],
      existing: () => ({ sure: sure(), maybe: [] }),
      readHalves: null,
      offered,
    },
    identity: {
      namesItself: (client) => flavour.client.test(client),
      offersOwn: (names) => flavour === rethFlavour && names.includes('reth'),
      chains: [],
    },
    probes: {
      accounts: [{ module: 'eth', method: readMethod('eth_accounts') }],
      wallets: null,
      unsafeDebug: null,
      // A method runs with {}: only those that need a parameter are asked for, with none.
      namespaces: [],
      refusesNamedParameters: false,
      parameterMethods: [
        'debug_getRawHeader',
        'trace_block',
        'txpool_contentFrom',
        'ots_hasCode',
        'reth_getBalanceChangesInBlock',
        'web3_sha3',
      ].map(parameterMethod),
      otherHalf: null,
      excludes: {},
      logged: false,
    },
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(this, settings);
    },
    listeners: (start) => listenersOf(tag, start, { sure: sure(), maybe: [] }),
    startProblems: (_launcher, values, listeners) =>
      startProblemsOf({ tag, modules: catalogue(), isFork: fork !== '' }, values, listeners),
    peerPorts: (_launcher, values) => peerPorts(values),
    launchers: null,
    policies: executionPolicies,
    roles: Object.keys(executionPolicies),
    roleOf: () => null,
  };
}

export const reth = kindOf(rethFlavour);
export const opReth = kindOf(opFlavour);
