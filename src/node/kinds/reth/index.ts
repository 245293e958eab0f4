/**
 * reth, the node of paradigmxyz/reth, op-reth of the OP Stack, and their forks, whose defaults may differ. The facts are read
 * from the sources of the releases; none was seen running.
 */
import { once } from '../../../util/once.js';
import { clap } from '../../dialect/clap/index.js';
import type { Period } from '../../facts/release.js';
import { evidenceBy } from '../evidence.js';
import { flagSet } from '../flags.js';
import type { Turn } from '../history.js';
import type { Flags, Kind, KindWords, Modules, Probes, Signs } from '../kind.js';
import { listenersOf } from '../listening.js';
import {
  datedFlags,
  datedKind,
  engineSecret,
  executionClient,
  nodeKey,
  plainModules,
  plainProbes,
  plainSigns,
} from '../plain.js';
import { madeOnce } from '../release.js';
import { parameterMethod } from '../request.js';
import { versionIn } from '../versions.js';
import { flagsOf } from './flags.js';
import { type Flavour, opFlavour, rethFlavour, type Tag } from './flavours.js';
import { interfacesOf, peerPorts, quirks, rows, socketName } from './listeners.js';
import { builtInModules, checksLater, inert, listWord, modulesOf, offeredModules } from './modules.js';
import { startProblemsOf } from './start-problems.js';

const turns: readonly Turn<Tag>[] = [
  [['http.api', 'ws.api'], checksLater],
  [(uses) => [...uses.keys()].some((name) => name.toLowerCase() === 'all'), ...modulesOf.reth.rows()],
  // What the port of the metrics serves beside them.
  [['metrics'], { since: 'v1.10.0' }, { since: 'v2.0.0' }],
];

/** The newest release of a flavour, whose `at` makes each of the others once. */
function kindOf(flavour: Flavour): Kind {
  return madeOnce((id, fork, at) => kindAt(flavour, id, fork, at))(flavour.releases.newest.id);
}

function kindAt(flavour: Flavour, release: string, fork: string, at: (release: string) => Kind): Kind {
  const { releases, id, label } = flavour;
  const histories = [flagsOf[id], modulesOf[id]] as const;
  const holds = (period: Period<Tag>) => releases.holds(release, period);
  const modules: Modules = {
    ...plainModules(modulesOf[id].at(release), builtInModules),
    inert,
    listWord,
    offered: offeredModules,
    usual: builtInModules,
    signing: ['eth'],
    signingMethods: ['sendTransaction', 'sign', 'signTransaction', 'signTypedData'],
  };
  return {
    ...executionClient,
    ...datedKind(releases, release, at, histories, turns),
    ...wordsOf(flavour),
    id,
    label,
    evidence: evidenceOf(flavour),
    seenRunning: false,
    signs: signsOf(flavour),
    probes,
    modules,
    flags: {
      ...datedFlags(
        once(() => flagSet(clap, flagsOf[id].at(release))),
        flagsOf[id],
        () => rows,
      ),
      ...flagRules,
    },
    // reth.toml has no key of an interface.
    configFile: null,
    secrets: [engineSecret('jwt.hex'), nodeKey('p2p-secret-key', 'discovery-secret')],
    interfaces: interfacesOf(holds),
    identity: {
      namesItself: (client) => flavour.client.test(client),
      offersOwn: (names) => flavour === rethFlavour && names.includes('reth'),
      chains: [],
    },
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(this, settings);
    },
    listeners: (start) => listenersOf({ rows, quirks, holds, modules, socketName }, start),
    startProblems: (_launcher, values, listeners) =>
      startProblemsOf({ holds, modules: modules.catalogue, isFork: fork !== '' }, values, listeners),
    peerPorts: (_launcher, values) => peerPorts(values),
  };
}

function wordsOf({ id, programs, program }: Flavour): Omit<KindWords, 'flags' | 'configFile'> {
  const { newest } = flagsOf[id];
  return {
    programs,
    // Some forks need no `node`; a word that is not known may be it.
    startsNode(words) {
      const command = clap.commandIn(words, (name) => newest(name)?.type !== 'bool');
      if (words.some((word) => /^(?:--help|--version|-[hV])$/.test(word))) return false;
      if (command !== null) return command === 'node' || !/^[a-z-]/i.test(command);
      return words.some((word) => newest(clap.flagIn(word) ?? '') !== null);
    },
    consoles: ['node'],
    usualLauncher: id,
    programOf: () => id,
    launcherOf: (name) => (program.test(name) ? id : null),
    programOfBuild: () => null,
    dialect: clap,
  };
}

/** A fork has numbers and defaults of its own. */
const evidenceOf = ({ id, releases, image, own, ownClient, inPath }: Flavour) => {
  const ofVersion = (text: string) => versionIn(id, releases, text);
  return evidenceBy({
    ofVersion,
    ofImage(name, tag) {
      if (own.test(name)) return ofVersion(tag);
      return image.test(name) ? { ...releases.whole, fork: name.replace(/^.*\//, '') } : null;
    },
    inPath,
    client: ownClient,
  });
};

const signsOf = ({ programs, image, entrypoint, ownFlag }: Flavour): Signs => ({
  ...plainSigns(programs, image),
  entrypoint: { image: entrypoint, words: [] },
  flag: ownFlag,
  otherProgram:
    /\b(?:geth|erigon|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex)\b/,
});

const flagRules = {
  development: 'dev',
  developmentAccounts: 'the 20 accounts of --dev, whose mnemonic is public',
  exclusive: [['with-unused-ports', 'instance']],
  dependents: {
    dev: { removed: ['dev.block-time', 'dev.block-max-transactions', 'dev.mnemonic'], need: [] },
  },
  identity: ['chain', 'datadir', 'p2p-secret-key', 'p2p-secret-key-hex'],
  dataFolder: 'datadir',
} satisfies Partial<Flags>;

const probes: Probes = {
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
};

export const reth = kindOf(rethFlavour);
export const opReth = kindOf(opFlavour);
