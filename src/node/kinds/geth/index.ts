/** geth, the node of ethereum/go-ethereum, and its forks for BNB Smart Chain and the OP Stack, which share its flags. */
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import type { Period } from '../../facts/release.js';
import { defineKind } from '../define.js';
import { flagsIn } from '../interfaces.js';
import type { Flags, Kind, Modules, Secret } from '../kind.js';
import { engineSecret, nodeKey, plainModules, plainProbes, plainSigns, startsUnless } from '../plain.js';
import { existenceMethod } from '../request.js';
import { caps } from './caps.js';
import { historiesOf, turns } from './changes.js';
import { configFileAt } from './config-file.js';
import { build, evidenceOf } from './evidence.js';
import { flagOf, flagsAt, flagsOf } from './flags.js';
import { bscFlavour, type Flavour, gethFlavour, type Holds, opFlavour, type Tag } from './flavours.js';
import { networkFlags, peerPorts, quirks, rowsOf } from './listeners.js';
import * as tables from './modules.js';
import { countingUses, hasTwoNames } from './names.js';
import { startProblemsOf, unlocking } from './start-problems.js';

/** Commands that start no node. */
// biome-ignore format: a table, its lines filled by hand
const commands = new Set((
  'account attach bintrie bls bug copydb db download-era dump dumpconfig dumpgenesis export export-history export-preimages ' +
  'import import-history import-preimages init init-network js license makecache makedag monitor prune-history removedb ' +
  'show-deprecated-flags snapshot upgradedb verkle version version-check wallet help h').split(' '));
const words = { dialect: go, consoles: ['console', 'js'] };
/** `js` started a node up to then (cmd/geth/consolecmd.go). */
const js: Period<Tag> = { until: 'v1.10.19' };

// biome-ignore format: a row a line
const secrets: readonly Secret[] = [
  { flag: 'password', inDataFolder: null, isFolder: false, holds: 'the password of an account' },
  nodeKey('nodekey', 'geth/nodekey'),
  { flag: 'keystore', inDataFolder: 'keystore', isFolder: true, holds: 'keys of accounts' },
  engineSecret('geth/jwtsecret'),
];

/** A flavour at its newest release. */
export function kindsOf(flavour: Flavour): Kind {
  const { releases, id, label, programs, image, entrypoint } = flavour;
  const newest = (name: string) => flagOf(flavour, name);
  const starts = startsUnless(commands, words, (name) => newest(name) ?? flagOf(gethFlavour, name));
  return defineKind<Tag>({
    ...words,
    id,
    ...(label === undefined ? {} : { label }),
    releases,
    flags: { ...flagsOf[id], newest },
    quirks,
    histories: historiesOf(flavour),
    turns,
    programs,
    startsNode: (given, oldest = releases.whole.since) =>
      releases.holds(oldest, js) || !given.includes('js') ? starts(given) : false,
    usualLauncher: 'geth',
    programOfBuild: ({ path }) => build.exec(path)?.[1] ?? null,
    evidence: evidenceOf(flavour),
    seenRunning: true,
    signs: {
      ...plainSigns(programs, image),
      entrypoint,
      // Dockerfile.alltools; clef and faucet serve requests.
      tools: ['abidump', 'abigen', 'bootnode', 'devp2p', 'era', 'ethkey', 'evm', 'p2psim', 'rlpdump'],
      variable: /^GETH_\w/,
      flag: /--(?:http|ws)\.(?:api|addr|origins|corsdomain|vhosts)/,
      otherProgram:
        /\b(?:op-reth|reth|erigon|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex|healthmon)\b/,
      commonVariables: new Set(['networkid', 'password', 'datadir', 'config', 'port', 'identity']),
    },
    secrets,
    identity: flavour,
    probes: {
      ...plainProbes,
      // {} never runs a method on these nodes; those with a required parameter are preferred all the same.
      namespaces: ['admin_nodeInfo', 'debug_getRawBlock', 'personal_ecRecover', 'txpool_status'].map(
        existenceMethod,
      ),
      // From v1.6.0 on (eth/api.go, PrivateDebugAPI). The answers of a fork do not tell its release.
      otherHalf: flavour === gethFlavour ? existenceMethod('debug_preimage') : null,
    },
    peerPorts: (_launcher, values) => peerPorts(values),
    simulated: () => import('./answers.js'),
    at({ release, fork, holds }) {
      const flags = once(() => flagsAt(flavour, release, fork));
      const rows = once(() => rowsOf(flags()));
      return {
        set: flags,
        counting: () => (hasTwoNames(flags()) ? countingUses : null),
        flags: () => flagRules(flavour, holds),
        modules: modulesOf(flavour, holds, fork),
        rows,
        // Later, GraphQL is on the port of http.
        opened() {
          const { graphql, ...others } = rows();
          return graphql.port === null ? others : rows();
        },
        interfaces: () => ({
          caps,
          socketName: 'geth.ipc',
          // The metrics have a mux of their own (metrics/exp/exp.go).
          profilers: ['pprof'],
          metricsPath: '/debug/metrics/prometheus',
          // v1.11.0 changed the status (node/jwt_handler.go).
          tokenless: [holds({ since: 'v1.11.0' }) ? 401 : 403],
        }),
        configFile: () => configFileAt(flavour, release, flags, fork),
        startProblems: (_launcher, values, listeners) =>
          startProblemsOf({ flavour, holds, flags: flagsIn(rows()) }, values, listeners),
      };
    },
  });
}

function flagRules(flavour: Flavour, holds: Holds): Partial<Flags> {
  return {
    // metrics/metrics.go before v1.15.0
    literal: new Set(holds({ until: 'v1.14.13' }) ? ['metrics'] : []),
    variablePrefix: 'GETH_',
    removedTogether: true,
    development: 'dev',
    exclusive: [['ipcdisable', 'ipcpath']],
    // A node that seals blocks signs them with its account; that of --dev has the password too.
    dependents: {
      unlock: { removed: ['password', 'allow-insecure-unlock'], need: ['mine', 'dev'] },
      dev: { removed: ['dev.period', 'dev.gaslimit'], need: ['mine'] },
    },
    identity: [...networkFlags, 'networkid', 'datadir', 'nodekey', 'nodekeyhex'],
    dataFolder: 'datadir',
    unlock: flavour === bscFlavour || holds({ until: unlocking.until }) ? 'unlock' : null,
    keyFile: { flag: 'nodekey', variable: null },
  };
}

function modulesOf(flavour: Flavour, holds: Holds, fork: string): Modules {
  const known = plainModules(tables.modulesAt(flavour, holds, fork), tables.builtInModules);
  return {
    ...known,
    inert: tables.inertAt(known.catalogue),
    emptyMeansAll: true,
    usual: tables.builtInModules,
    signing: ['eth', 'personal'],
    signingMethods: ['resend', 'sendTransaction', 'sign', 'signTransaction'],
    publicParts: holds({ until: 'v1.10.19' }) ? tables.publicParts : null,
    offered: (existing, list) => known.offered(existing, tables.namesIn(holds, existing, list)),
  };
}

export const geth = kindsOf(gethFlavour);
export const bsc = kindsOf(bscFlavour);
export const opGeth = kindsOf(opFlavour);
