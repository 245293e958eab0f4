/**
 * reth, the node of paradigmxyz/reth, op-reth of the OP Stack, and their forks, whose defaults may differ. The facts are read
 * from the sources of the releases; none was seen running.
 */
import { clap } from '../../dialect/clap/index.js';
import { defineKind } from '../define.js';
import { evidenceBy } from '../evidence.js';
import type { Turn } from '../history.js';
import type { Flags, Kind, Probes } from '../kind.js';
import { engineSecret, nodeKey, plainModules, plainProbes, plainSigns } from '../plain.js';
import { parameterMethod } from '../request.js';
import { versionIn } from '../versions.js';
import { flagsOf } from './flag-table.js';
import { type Flavour, opFlavour, rethFlavour, type Tag } from './flavours.js';
import { interfacesOf, peerPorts, quirks, rows } from './listeners.js';
import { builtInModules, checksLater, inert, listWord, modulesOf, offeredModules } from './modules.js';
import { startProblemsOf } from './start-problems.js';

const turns: readonly Turn<Tag>[] = [
  [['http.api', 'ws.api'], checksLater],
  [(uses) => [...uses.keys()].some((name) => name.toLowerCase() === 'all'), ...modulesOf.reth.rows()],
  // What the port of the metrics serves beside them.
  [['metrics'], { since: 'v1.10.0' }, { since: 'v2.0.0' }],
];

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

function kindOf(flavour: Flavour): Kind {
  const { releases, id, programs, program, image, entrypoint, ownFlag, client } = flavour;
  const { newest } = flagsOf[id];
  return defineKind<Tag>({
    id,
    releases,
    flags: flagsOf[id],
    histories: [flagsOf[id], modulesOf[id]],
    quirks,
    turns,
    programs,
    dialect: clap,
    consoles: ['node'],
    launcherOf: (name) => (program.test(name) ? id : null),
    // Some forks need no `node`; a word that is not known may be it.
    startsNode(words) {
      const command = clap.commandIn(words, (name) => newest(name)?.type !== 'bool');
      if (words.some((word) => /^(?:--help|--version|-[hV])$/.test(word))) return false;
      if (command !== null) return command === 'node' || !/^[a-z-]/i.test(command);
      return words.some((word) => newest(clap.flagIn(word) ?? '') !== null);
    },
    evidence: evidenceOf(flavour),
    signs: {
      ...plainSigns(programs, image),
      entrypoint: { image: entrypoint, words: [] },
      flag: ownFlag,
      otherProgram:
        /\b(?:geth|erigon|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex)\b/,
    },
    probes,
    secrets: [engineSecret('jwt.hex'), nodeKey('p2p-secret-key', 'discovery-secret')],
    identity: { client, ownModules: flavour === rethFlavour ? ['reth'] : [], chains: [] },
    peerPorts: (_launcher, values) => peerPorts(values),
    simulated: () => import('./answers.js'),
    at({ release, fork, holds }) {
      const forms = modulesOf[id].at(release);
      return {
        rows: () => rows,
        flags: () => flagRules,
        modules: {
          ...plainModules(forms, builtInModules),
          inert,
          listWord,
          offered: offeredModules,
          usual: builtInModules,
          signing: ['eth'],
          signingMethods: ['sendTransaction', 'sign', 'signTransaction', 'signTypedData'],
        },
        interfaces: () => interfacesOf(holds),
        startProblems: (_launcher, values, listeners) =>
          startProblemsOf({ holds, modules: fork === '' ? forms : null }, values, listeners),
      };
    },
  });
}

/** A path holds a release in the repository, or the name of its archive: reth-v1.3.12-x86_64-unknown-linux-gnu.tar.gz. */
const evidenceOf = ({ id, releases, image, own }: Flavour) => {
  const ofVersion = (text: string) => versionIn(id, releases, text);
  return evidenceBy({
    ofVersion,
    // A fork has numbers and defaults of its own.
    ofImage(name, tag) {
      if (own.test(name)) return ofVersion(tag);
      return image.test(name) ? { ...releases.whole, fork: name.replace(/^.*\//, '') } : null;
    },
    inPath: new RegExp(
      `github\\.com/paradigmxyz/reth(?:\\.git)?/(?:releases/download|archive/refs/tags|tree)/(v?\\d+\\.\\d+\\.\\d+)/${id}-v|(?:^|[/\\s"'=])${id}-(v\\d+\\.\\d+\\.\\d+)-(?:x86_64|aarch64|riscv64)`,
    ),
    client: new RegExp(`^${id}/(v\\d+\\.\\d+\\.\\d+)`),
  });
};

export const reth = kindOf(rethFlavour);
export const opReth = kindOf(opFlavour);
