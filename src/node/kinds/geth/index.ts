/** geth, the node of ethereum/go-ethereum, and its forks for BNB Smart Chain and the OP Stack, which share its flags. */
import { once } from '../../../util/once.js';
import { go } from '../../dialect/go/index.js';
import type { Period } from '../../facts/release.js';
import { switchOpensMore } from '../flags.js';
import type { Interfaces, Kind, Modules } from '../kind.js';
import { partDecided } from '../listening.js';
import { executionClient, plainModules, plainProbes } from '../plain.js';
import { madeOnce } from '../release.js';
import { existenceMethod } from '../request.js';
import { partsOf } from './changes.js';
import { configFileAt } from './config-file.js';
import { evidenceOf, programOfBuild } from './evidence.js';
import { flagOf, flagsAt, flagsOf } from './flags.js';
import { bscFlavour, type Flavour, gethFlavour, opFlavour, type Tag } from './flavours.js';
import { forkReading } from './forks.js';
import { interfacesOf, listenerFlagsOf, listenersOf, networkFlags, peerPorts } from './listeners.js';
import {
  builtInAt,
  builtInModules,
  existingModules,
  inertAt,
  modulesAt,
  offeredAt,
  publicPartsAt,
  switchesOf,
} from './modules.js';
import { countingUses, formerNames } from './names.js';
import { isPublicSecret } from './public-secrets.js';
import { startProblemsOf, strayIgnored, unlocking } from './start-problems.js';

/** Commands that start no node; geth's `js` started one up to v1.10.19 (cmd/geth/consolecmd.go). */
const commands = new Set(
  'account attach bintrie bls bug copydb db download-era dump dumpconfig dumpgenesis export export-history export-preimages import import-history import-preimages init init-network js license makecache makedag monitor prune-history removedb show-deprecated-flags snapshot upgradedb verkle version version-check wallet help h'.split(
    ' ',
  ),
);

const program = 'geth';

/** The newest release of a flavour, whose `at` makes each of the others once. */
export function kindsOf(flavour: Flavour): Kind {
  return madeOnce((release, fork, at) => kindAt(flavour, release, fork, at))(flavour.releases.newest.id);
}

function kindAt(
  flavour: Flavour,
  release: string,
  fork: string,
  at: (release: string, fork?: string) => Kind,
): Kind {
  const { releases } = flavour;
  const holds = (period: Period<Tag>) => releases.holds(release, period);
  const flags = once(() => flagsAt(flavour, release, fork));
  const here = once(() => ({ flavour, holds, flags: listenerFlagsOf(flags()) }));
  const configFile = once(() => configFileAt(flavour, release, flags(), fork));
  // v1.11.0 changed the status (node/jwt_handler.go).
  const tokenless = [holds({ since: 'v1.11.0' }) ? 401 : 403] as const;
  // Host names are checked since v1.8.0, and no flag of an earlier release makes it check them.
  const checks = { host: !holds({ until: 'v1.7.3' }), wsOrigin: true };
  const interfaces = once((): Interfaces => ({ ...interfacesOf(flags()), tokenless, checks }));
  const catalogue = modulesAt(flavour, holds, fork);
  const moduleNames = Object.keys(catalogue).sort();
  const modules: Modules = {
    ...plainModules(catalogue, builtInAt(holds)),
    inert: inertAt(catalogue),
    emptyMeansAll: true,
    usual: builtInModules,
    signing: ['eth', 'personal'],
    signingMethods: ['resend', 'sendTransaction', 'sign', 'signTransaction'],
    switchOf: (name) => switchesOf(name)[0] ?? null,
    existing: (_launcher, values) => existingModules(moduleNames, values),
    publicParts: publicPartsAt(holds),
    offered: (existing, list) => offeredAt(holds, existing, list),
  };
  const unlocks = flavour === bscFlavour || holds({ until: unlocking.until });
  const hasTwoNames = once(() => {
    const hasBoth = ([name, former]: readonly [string, string]) =>
      flags().byName.get(name)?.aliases.includes(former) === true;
    return Object.entries(formerNames).some(hasBoth);
  });
  const js: Period<Tag> = { until: 'v1.10.19' };
  return {
    ...executionClient,
    id: flavour.id,
    label: flavour.label,
    release: releases.named(release),
    releases: releases.all,
    at: at as () => Kind,
    parts: (since, until, uses) => partsOf(flavour, since, until, uses),
    evidence: evidenceOf(flavour),
    seenRunning: true,
    programs: flavour.programs,
    startsNode(words, oldest = releases.whole.since) {
      const command = go.commandIn(words, (name) => flagOf(flavour, name)?.type !== 'bool');
      if (command === 'js') return releases.holds(oldest, js);
      if (command === null || command === 'console') return true;
      return !/^[a-z]/.test(words[0] ?? '') && !commands.has(command);
    },
    consoles: flavour === gethFlavour || holds(js) ? ['console', 'js'] : ['console'],
    usualLauncher: program,
    programOf: () => program,
    launcherOf: (name) => (flavour.programs.includes(name) ? program : null),
    programOfBuild,
    signs: {
      name: new RegExp(
        `(?:^|[^\\w.@-])(?:${flavour.programs.join('|')})(?![\\w@.-])|${flavour.image.source}`,
        'm',
      ),
      image: flavour.image,
      // Dockerfile.alltools; clef and faucet serve requests.
      tools: ['abidump', 'abigen', 'bootnode', 'devp2p', 'era', 'ethkey', 'evm', 'p2psim', 'rlpdump'],
      variable: /^GETH_\w/,
      generator: null,
      entrypoint: flavour.entrypoint,
      flag: /--(?:http|ws)\.(?:api|addr|origins|corsdomain|vhosts)/,
      besideFlag: null,
      otherProgram:
        /\b(?:op-reth|reth|erigon|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex|healthmon)\b/,
      commonKeys: new Set(),
      commonVariables: new Set(['networkid', 'password', 'datadir', 'config', 'port', 'identity']),
    },
    dialect: go,
    flags: {
      of: flags,
      ofFork(variable, range) {
        const { fork, flag } = forkReading(flavour, variable, range) ?? {};
        const enable = flag === 'rpc' ? here().flags.http.enable : flag === 'ws' ? flag : null;
        return fork === undefined || enable === null ? null : { fork, flag: enable };
      },
      fallback: (name) => flags().byName.get(name)?.fallback ?? null,
      ofAnyProgram: () => null,
      ofAnyRelease: (name) => flagOf(flavour, name),
      period: flagsOf[flavour.id].period,
      listsAddUp: false,
      get counting() {
        return hasTwoNames() ? countingUses : null;
      },
      ignoresStray: holds(strayIgnored),
      opensMore: switchOpensMore,
      decides: (name) => partDecided(here().flags, name),
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
      unlock: unlocks ? 'unlock' : null,
      keyFile: { flag: 'nodekey', variable: null },
    },
    get configFile() {
      return configFile();
    },
    secrets: [
      { flag: 'password', inDataFolder: null, isFolder: false, holds: 'the password of an account' },
      { flag: 'nodekey', inDataFolder: 'geth/nodekey', isFolder: false, holds: 'the node’s key' },
      { flag: 'keystore', inDataFolder: 'keystore', isFolder: true, holds: 'keys of accounts' },
      {
        flag: 'authrpc.jwtsecret',
        inDataFolder: 'geth/jwtsecret',
        isFolder: false,
        holds: 'the secret of the engine API',
        opens: 'authrpc',
        isPublic: isPublicSecret,
      },
    ],
    get interfaces() {
      return interfaces();
    },
    modules,
    identity: {
      namesItself: (client) => flavour.client.test(client),
      offersOwn: (names) => names.some((name) => flavour.ownModules.includes(name)),
      chains: flavour.chains,
    },
    probes: {
      ...plainProbes,
      // {} never runs a method on these nodes; those with a required parameter are preferred all the same.
      namespaces: ['admin_nodeInfo', 'debug_getRawBlock', 'personal_ecRecover', 'txpool_status'].map(
        existenceMethod,
      ),
      // From v1.6.0 on (eth/api.go, PrivateDebugAPI). The answers of a fork do not tell its release.
      otherHalf: flavour === gethFlavour ? existenceMethod('debug_preimage') : null,
    },
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(flavour, this, settings);
    },
    listeners: (start) => listenersOf(here(), start, existingModules(moduleNames, start.values)),
    startProblems: (_launcher, values, listeners) => startProblemsOf(here(), values, listeners),
    peerPorts: (_launcher, values) => peerPorts(values),
  };
}

export const geth = kindsOf(gethFlavour);
export const bsc = kindsOf(bscFlavour);
export const opGeth = kindsOf(opFlavour);
