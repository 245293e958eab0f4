/** geth, the node of ethereum/go-ethereum, and its forks for BNB Smart Chain and the OP Stack, which share its flags. */
import { closest } from '../../../util/closest.js';
import { once } from '../../../util/once.js';
import { commonModule } from '../common-modules.js';
import { commandIn, switchOpensMore } from '../flags.js';
import type { Kind, Module, Period, Start } from '../kind.js';
import { partDecided } from '../listening.js';
import { existenceMethod, readMethod } from '../request.js';
import { configFile } from './config-file.js';
import { environmentSince, flagOf, flagsAt, rowsOf } from './flags.js';
import { bscFlavour, type Flavour, gethFlavour, opFlavour } from './flavours.js';
import {
  interfaces,
  listenerFlags,
  listenersOf,
  networkFlags,
  peerPorts,
  valueProblems,
} from './listeners.js';
import {
  builtInModules,
  existingModules,
  inertModules,
  modulesAt,
  offered,
  periodsOfModule,
  switchOf,
} from './modules.js';
import { policies } from './policies.js';
import { isPublicSecret } from './public-secrets.js';
import { evidenceOf, holdsAt, programOfBuild } from './releases.js';

/** Commands that start no node; geth's `js` started one up to v1.10.19 (cmd/geth/consolecmd.go). */
const commands = new Set(
  'account attach bintrie bls db download-era dump dumpconfig dumpgenesis export export-history export-preimages import import-history import-preimages init init-network js license makecache makedag prune-history removedb show-deprecated-flags snapshot verkle version version-check wallet help h'.split(
    ' ',
  ),
);

const program = 'geth';

function kindsOf(flavour: Flavour): Kind {
  const byRelease = new Map(flavour.releases.map(({ id }) => [id, once(() => kindAt(flavour, id, at))]));
  function at(release: string): Kind {
    const known = byRelease.get(release);
    if (known === undefined) throw new Error(`${release} is not a release of this node`);
    return known();
  }
  return at((flavour.releases.at(-1) as Flavour['releases'][number]).id);
}

function kindAt(flavour: Flavour, release: string, at: Kind['at']): Kind {
  const set = once(() => flagsAt(flavour, release));
  const catalogue = modulesAt(flavour, release);
  const named = (name: string): Module | null =>
    Object.hasOwn(catalogue, name) ? (catalogue[name] ?? null) : null;
  const holds = (period: Period) => holdsAt(flavour, release, period);
  const flagOfModule = (name: string) => switchOf(flavour, release, name);
  const moduleNames = Object.keys(catalogue).sort();
  const existing = (values: Start['values']) => existingModules(moduleNames, flagOfModule, values);
  const unlocks = flavour === bscFlavour || (flavour === gethFlavour && holds({ until: 'v1.14.13' }));
  return {
    id: flavour.id,
    label: flavour.label,
    release: flavour.releases.find(({ id }) => id === release) as Flavour['releases'][number],
    releases: flavour.releases,
    at: at as () => Kind,
    parts: (since, until, uses) => partsOf(flavour, since, until, [...uses.keys()]),
    evidence: evidenceOf(flavour),
    programs: [program],
    startsNode(words, oldest = flavour.releases[0]?.id ?? release) {
      const command = commandIn(words, (name) => flagOf(flavour, name)?.type !== 'bool');
      if (command === 'js') return holdsAt(flavour, oldest, { until: 'v1.10.19' });
      return command === null || !commands.has(command);
    },
    consoles: flavour === gethFlavour ? ['console', 'js'] : ['console'],
    usualLauncher: program,
    programOf: () => program,
    launcherOf: (name) => (name === program ? program : null),
    programOfBuild,
    signs: {
      name: new RegExp(`(?:^|[^\\w.@-])geth(?![\\w@.-])|${flavour.image.source}`, 'm'),
      image: flavour.image,
      variable: /^GETH_\w/,
      generator: null,
      entrypoint: flavour.entrypoint,
      flag: /--(?:http|ws)\.(?:api|addr|origins|corsdomain|vhosts)/,
      besideFlag: null,
      // cmd/utils/flags.go before v1.10.9
      formerFlag: /^--?(?:rpc(?:addr|port|api|corsdomain|vhosts)?|ws(?:addr|port|api|origins))(?:=|$)/,
      otherProgram:
        /\b(?:op-reth|reth|erigon|nethermind|besu|bor|nitro|avalanchego|op-node|juno|pathfinder|madara|silkworm|ethrex)\b/,
      commonKeys: new Set(),
      commonVariables: new Set(['networkid', 'password', 'datadir', 'config', 'port', 'identity']),
    },
    flags: {
      of: set,
      fallback: (name) => set().byName.get(name)?.fallback ?? null,
      ofAnyProgram: () => null,
      ofAnyRelease: (name) => flagOf(flavour, name),
      period: (name) => idsOf(flavour, flagOf(flavour, name)),
      listsAddUp: false,
      opensMore: switchOpensMore,
      decides: (name) => partDecided(listenerFlags, name),
      literal: new Set(),
      exclusive: [['ipcdisable', 'ipcpath']],
      identity: [...networkFlags, 'networkid', 'datadir', 'nodekey', 'nodekeyhex'],
      dataFolder: 'datadir',
      unlock: unlocks ? 'unlock' : null,
      keyFile: { flag: 'nodekey', variable: null },
    },
    configFile,
    secrets: [
      { flag: 'password', inDataFolder: null, isFolder: false, holds: 'the password of an account' },
      { flag: 'nodekey', inDataFolder: 'geth/nodekey', isFolder: false, holds: 'the node’s key' },
      { flag: 'keystore', inDataFolder: 'keystore', isFolder: true, holds: 'keys of accounts' },
      {
        flag: 'authrpc.jwtsecret',
        inDataFolder: 'geth/jwtsecret',
        isFolder: false,
        holds: 'the secret of the engine API',
        isPublic: isPublicSecret,
      },
    ],
    // v1.11.0 changed the status (node/jwt_handler.go).
    interfaces: { ...interfaces, tokenless: holds({ since: 'v1.11.0' }) ? 401 : 403 },
    modules: {
      catalogue,
      inert: inertModules,
      builtIn: builtInModules,
      usual: builtInModules,
      signing: ['eth', 'personal'],
      signingMethods: ['resend', 'sendTransaction', 'sign', 'signTransaction'],
      canonical: (name) => name,
      listed: (name) => (named(name) === null ? null : name),
      namesOf: (name) => (named(name) === null ? [] : [name]),
      closest: (name) => closest(name, Object.keys(catalogue)),
      foreign: () => ({ severity: 'medium', does: 'do what kaiactl does not know' }),
      isPrivileged: (name) => named(name)?.privileged ?? true,
      isKnownPrivileged: (name) => named(name)?.privileged === true,
      // A node may offer more than its release has.
      on: (_node, name) => named(name) ?? commonModule(name),
      switchOf: flagOfModule,
      likely: () => [],
      existing: (_launcher, values) => existing(values),
      offered,
    },
    identity: {
      namesItself: (client) => flavour.client.test(client),
      offersOwn: (names) => names.some((name) => flavour.ownModules.includes(name)),
      chains: flavour.chains,
    },
    probes: {
      accounts: [{ module: 'eth', method: readMethod('eth_accounts') }],
      wallets: null,
      unsafeDebug: null,
      // {} never runs a method on these nodes; those with a required parameter are preferred all the same.
      namespaces: ['admin_nodeInfo', 'debug_getRawBlock', 'personal_ecRecover', 'txpool_status'].map(
        existenceMethod,
      ),
      excludes: {},
      logged: true,
    },
    async answers(settings) {
      const { answersOf } = await import('./answers.js');
      return answersOf(flavour, this, settings);
    },
    listeners: (start) =>
      listenersOf(start, existing(start.values), flavour === gethFlavour && !holds({ since: 'v1.15.0' })),
    startProblems: (_launcher, values, listeners) => valueProblems(values, listeners),
    peerPorts: (_launcher, values) => peerPorts(values),
    launchers: null,
    policies,
    roles: Object.keys(policies),
    roleOf: () => null,
  };
}

/** A period in ids of releases. */
function idsOf({ id }: Flavour, period: Period | null): Period | null {
  if (period === null || id !== gethFlavour.id) return period === null ? null : {};
  const { since, until } = period;
  return {
    ...(since === undefined ? {} : { since: `${id}/${since}` }),
    ...(until === undefined ? {} : { until: `${id}/${until}` }),
  };
}

/** Splits a range of releases where a name that is used appears or goes, oldest first. */
function partsOf(flavour: Flavour, since: string, until: string, names: readonly string[]) {
  const order = flavour.releases.map(({ id }) => id);
  const periods: Period[] = names.flatMap((name) => [
    ...rowsOf(flavour).filter((row) => row.name === name || row.environment.includes(name)),
    ...(name.startsWith('GETH_') ? [{ since: environmentSince }] : []),
    ...(name === 'metrics' ? [{ since: 'v1.15.0' }] : []),
    ...(name === 'unlock' ? [{ until: 'v1.14.13' }] : []),
    ...periodsOfModule(name),
  ]);
  const all = order.slice(order.indexOf(since), order.indexOf(until) + 1);
  const key = (release: string) => periods.map((period) => holdsAt(flavour, release, period)).join();
  const starts = all.filter((release, index) => index === 0 || key(release) !== key(all[index - 1] ?? ''));
  return starts.map((start, index) => {
    const next = starts[index + 1];
    return { since: start, until: next === undefined ? until : (order[order.indexOf(next) - 1] ?? until) };
  });
}

export const geth = kindsOf(gethFlavour);
export const bsc = kindsOf(bscFlavour);
export const opGeth = kindsOf(opFlavour);
