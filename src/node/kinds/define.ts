/** A kind of node from what it states of itself: what its releases share, and what turns from one to the next. */
import { once } from '../../util/once.js';
import type { Period } from '../facts/release.js';
import type { Settings } from '../facts/settings.js';
import type { Answers } from './answers.js';
import { noEvidence } from './evidence.js';
import { executionPolicies } from './execution-policies.js';
import { flagSet } from './flags.js';
import { type History, type Releases, type Turn, testsBy } from './history.js';
import type { ConfigFile, Flag, FlagSet, Flags, InterfaceRows, Interfaces, Kind } from './kind.js';
import { listenersOf, type Opening } from './listening.js';
import { datedFlags, plainInterfaces, plainProbes, plainSigns, startsUnless } from './plain.js';
import { madeOnce } from './release.js';
import { versionIn } from './versions.js';

/** A release, or a fork that descends from it; `fork` empty: none. */
export interface At<Tag extends string> {
  readonly release: string;
  readonly fork: string;
  readonly holds: (period: Period<Tag>) => boolean;
}

type Parts = 'flags' | 'interfaces' | 'configFile';
type Own = Partial<Omit<Kind, Parts | 'release' | 'releases' | 'at' | 'parts' | 'listeners' | 'answers'>>;

/** What turns. The parts are made when they are first asked for: a run seldom needs all of every release. */
export interface Turning extends Omit<Own, 'modules'>, Pick<Kind, 'modules'> {
  readonly rows: () => InterfaceRows;
  /** The rows that have listeners; absent if all do. */
  readonly opened?: () => InterfaceRows;
  /** Default: the flags in the history. */
  readonly set?: () => FlagSet;
  /** Which uses count; it may need the set, so it is asked for last. Default: all of them. */
  readonly counting?: () => Flags['counting'];
  /** What differs from the rules of plain flags, and from plain interfaces. */
  readonly flags?: () => Partial<Omit<Flags, 'counting'>>;
  readonly interfaces?: (plain: Interfaces) => Partial<Interfaces>;
  readonly configFile?: () => ConfigFile;
}

/** What is the same in every release. */
export type OwnKind<Tag extends string> = Own &
  Pick<Kind, 'id' | 'programs' | 'dialect'> &
  Pick<Opening<Tag>, 'anyHost' | 'listIn' | 'quirks'> & {
    readonly releases: Releases<Tag>;
    readonly flags: Pick<History<Flag, Tag>, 'at' | 'newest' | 'period'>;
    readonly histories: readonly Pick<History<unknown, Tag>, 'testsOf'>[];
    readonly turns: readonly Turn<Tag>[];
    /** Commands that start no node. */
    readonly idle?: ReadonlySet<string>;
    /** How its nodes answer, which the simulator alone loads. */
    readonly simulated: () => Promise<{ answersOf(kind: Kind, settings: Settings): Answers }>;
    at(at: At<Tag>): Turning;
  };

/** Without scripts, its nodes execute blocks of Ethereum or of a chain like it. */
const plain = {
  launchers: null,
  policies: executionPolicies,
  roles: Object.keys(executionPolicies),
  roleOf: () => null,
  isForked: true,
  seenRunning: false,
  consoles: [],
  programOfBuild: () => null,
  secrets: [],
  peerPorts: () => [],
  startProblems: () => [],
  probes: plainProbes,
} satisfies Own;

/** The newest release of the kind, whose `at` makes each of the others once. */
export function defineKind<Tag extends string>(own: OwnKind<Tag>): Kind {
  const { releases, flags: history, histories, turns, simulated, at: turning, ...same } = own;
  const {
    id,
    label = `${id} node`,
    programs,
    dialect,
    consoles = [],
    idle = new Set(),
    usualLauncher = id,
  } = own;
  const { newest } = history;
  const testsOf = testsBy(releases, histories, turns);
  return madeOnce((release, fork, at): Kind => {
    const holds = (period: Period<Tag>) => releases.holds(release, period);
    const {
      set = once(() => flagSet(dialect, history.at(release))),
      counting = () => null,
      flags,
      rows,
      opened = rows,
      interfaces,
      configFile = () => null,
      ...turned
    } = turning({ release, fork, holds });
    const parts = {
      flags: once(() => ({
        ...datedFlags(set, history, rows),
        ...flags?.(),
        get counting() {
          return counting();
        },
      })),
      interfaces: once(() => {
        const plain = plainInterfaces(rows(), newest);
        return { ...plain, ...interfaces?.(plain) };
      }),
      configFile: once(configFile),
    };
    return {
      ...plain,
      usualLauncher,
      programOf: () => usualLauncher,
      launcherOf: (name) => (programs.includes(name) ? usualLauncher : null),
      startsNode: startsUnless(idle, { dialect, consoles }, newest),
      evidence: { ...noEvidence, ofVersion: (text) => versionIn(id, releases, text) },
      signs: plainSigns(programs, /(?!)/),
      identity: { client: new RegExp(`^${id}/`, 'i'), ownModules: [], chains: [] },
      ...same,
      ...turned,
      label,
      release: releases.named(release),
      releases: releases.all,
      at: at as () => Kind,
      parts: (since, until, uses) => releases.partsBy(since, until, testsOf(uses)),
      get flags() {
        return parts.flags();
      },
      get interfaces() {
        return parts.interfaces();
      },
      get configFile() {
        return parts.configFile();
      },
      async answers(settings) {
        return (await simulated()).answersOf(this, settings);
      },
      listeners(start) {
        const { socketName } = parts.interfaces();
        const { modules } = turned;
        return listenersOf({ ...own, rows: opened(), holds, modules, socketName }, start);
      },
    };
  })(releases.newest.id);
}
