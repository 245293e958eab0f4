/** The report, version 1, which every format renders. Fields may be added, never changed. */
import type { Browsers } from './reach.js';
import type { ReleaseFound } from './release.js';
import type { BlindSpot } from './seen.js';
import type { Basis, ListenerKind } from './settings.js';
import type { FailOn, Reach, Severity } from './severity.js';
import type { Span } from './span.js';

export type Place = Span | { readonly endpoint: string };

/**
 * What a finding is about, and what shows it. Whoever decides by a finding asks these fields, and no other: the rest is
 * for readers.
 */
export interface Evidence {
  readonly interface?: ListenerKind;
  /** Of a finding about several. */
  readonly interfaces?: readonly ListenerKind[];
  readonly module?: string;
  readonly port?: number | null;
  /** The file that it is about, where one holds a secret or has a mode: targets that name it share the finding. */
  readonly path?: string;
  /** The policy that it compares with. */
  readonly policy?: string;
  /** Who reaches the interface. */
  readonly reach?: Reach;
  /** The same, of what lets web pages in. */
  readonly bound?: Reach | null;
  /** Whether it is what keeps the node from starting. */
  readonly fatal?: boolean;
  /** Whether it is what holds in some releases or under a condition alone. */
  readonly conditional?: true;
  /** Whether its edits close an address that clients may need. */
  readonly closes?: true;
  readonly [detail: string]: unknown;
}

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** The rule's title: a short noun phrase. */
  readonly title: string;
  /** What is wrong and why it matters, in one or two sentences. */
  readonly message: string;
  /** What to write instead: can be pasted. */
  readonly fix: string;
  /** A variable, a module at an interface, or a flag. */
  readonly subject: string;
  readonly at: Place;
  /** The file's line at `at`, secrets masked column by column; null for an endpoint or when there is none. */
  readonly source: string | null;
  /** Related places, such as an overridden value. */
  readonly related: readonly {
    readonly at: Place;
    readonly note: string;
    readonly source: string | null;
  }[];
  readonly evidence: Evidence | null;
  /** The edits that fix it; empty or absent when there are none. */
  readonly edits?: readonly Edit[];
  /** `safe`: keeps the node's start unchanged; null without edits. */
  readonly safety?: 'safe' | 'unsafe' | null;
  /** Alternative fixes; absent when there are none. */
  readonly alternatives?: readonly FixReport[];
  /** Independent of the line number and the severity. */
  readonly fingerprint: string;
  /** The fingerprint of the finding of its interface that says as much: text and HTML tell it there. */
  readonly saidBy?: string;
  /** The names of all targets with the same cause, this one first; absent for this one alone. */
  readonly targets?: readonly string[];
  readonly suppressed: null | {
    readonly reason: string;
    readonly until: string | null;
    /** By a baseline, not by a comment. */
    readonly baseline?: true;
  };
}

/** A finding that another target reports. */
export interface SharedFinding extends Pick<Finding, 'rule' | 'subject' | 'severity'> {
  /** The name of that target. */
  readonly target: string;
}

export interface FixReport {
  /** A sentence. */
  readonly fix: string;
  readonly edits: readonly Edit[];
  /** null without edits. */
  readonly safety: 'safe' | 'unsafe' | null;
}

/** A text that replaces a range of a file. */
export interface Edit extends Span {
  readonly text: string;
  /** Its first line, secrets redacted; null when there is none. */
  readonly source?: string | null;
}

/** The verdict of one rule for one target. */
export interface Check {
  readonly rule: string;
  readonly verdict: 'pass' | 'fail' | 'undetermined' | 'not-applicable';
}

/** A check without a result for one target, and why. */
export interface Undetermined extends BlindSpot {
  readonly rule: string;
  /** Whether kaiactl itself failed there: the run ends with 70. */
  readonly defect?: true;
  /** The first place of an open question of the files; the next three are present with it. */
  readonly at?: Span;
  /** What an acknowledgement names: `reth@any+admin`. */
  readonly subject?: string;
  readonly fingerprint?: string;
  /** Not null: it was acknowledged, and does not count. */
  readonly suppressed?: Finding['suppressed'];
}

/** The open questions that were not acknowledged. */
export function unansweredQuestions({
  undetermined,
}: Pick<TargetReport, 'undetermined'>): readonly Undetermined[] {
  return undetermined.filter(({ suppressed = null }) => suppressed === null);
}

/** A rule as formats need it: part of the report, so that formats do not import rules. */
export interface RuleInfo {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  /** The address of its page; absent while the project has none. */
  readonly page?: string;
}

/** The interfaces of a report, in its order. */
export const transports = ['http', 'ws', 'ipc', 'grpc', 'metrics'] as const;
export type TransportName = (typeof transports)[number];

/** What an interface serves besides those that its transport names. */
export const interfaceRoles = ['engine', 'graphql', 'https', 'socket', 'beacon', 'mcp'] as const;
export type InterfaceRole = (typeof interfaceRoles)[number];

export interface InterfaceReport {
  readonly transport: TransportName;
  /** What it serves, where its transport does not tell: the engine API, or JSON-RPC over TLS or TCP; absent for its modules. */
  readonly role?: InterfaceRole;
  readonly endpoint: string;
  readonly source: 'argument' | 'conf' | 'inventory' | 'process';
  readonly state: 'open' | 'refused' | 'unreachable' | 'closed' | 'not-checked';
  readonly reason: string | null;
  readonly modules: Readonly<Record<string, string>> | null;
  readonly client: string | null;
  readonly latencyMs: number | null;
  /** Which addresses reach it; absent when not checked. */
  readonly reach?: Reach;
  /** Which web pages reach it through a browser of a user of the machine; null if it is not known. */
  readonly browsers: Browsers;
  /** The setting that lets every page in: `--http.corsdomain`. */
  readonly browsersBy?: string;
  /** The evidence for the reach. */
  readonly reachBy?: 'socket' | 'process' | 'settings' | 'address' | 'assumed';
  /**
   * Relays that lead to it and rules of a firewall that close it: `nginx.conf:4: any, with a login`. Where it is not known who
   * gets through a relay, its place alone, and no reach.
   */
  readonly reachVia?: readonly string[];
  /** Only its own container reaches it: of a machine, `loopback` means that of the container. */
  readonly containerOnly?: true;
  /** Addresses it listens on; null if they were not seen. */
  readonly bind?: readonly string[] | null;
  /** A simulated node answered. */
  readonly simulated?: true;
  /** Chain id, decimal. */
  readonly chain?: string | null;
  readonly access?: AccessReport;
  /** The state of unsafe debug methods on this interface; null when debug is not offered. */
  readonly unsafeDebug?: 'on' | 'off' | 'unproven' | null;
  /** ipc: the accounts that the node reports as unlocked; null if they were not seen. */
  readonly unlocked?: readonly string[] | null;
  /** Number of requests sent. */
  readonly requests?: number;
  /** From the settings; absent when the node itself was probed. */
  readonly declared?: Declared;
}

/** An interface as the settings define it. */
export interface Declared {
  /** It is null if it is not known offline. */
  readonly modules: readonly string[] | null;
  readonly access: AccessReport;
  readonly unsafeDebug: 'on' | 'off' | 'unproven' | null;
}

/** An interface as people call it: `http`, `engine`. */
export function interfaceName({ transport, role }: Pick<InterfaceReport, 'transport' | 'role'>): string {
  return role ?? transport;
}

/** The access checks of an interface; null if they were not seen or are not applicable. */
export interface AccessReport {
  /** http: requests with a foreign Host are answered. */
  readonly foreignHost: boolean | null;
  /** Pages of a foreign origin are allowed. */
  readonly foreignOrigin: boolean | null;
  /** ipc: permission bits in octal, `0600`. */
  readonly fileMode: string | null;
  /** metrics: the profiler answers on the same port. */
  readonly profiler: boolean | null;
  /** Whether requests without a token are refused; absent if the interface asks for no token. */
  readonly login?: boolean | null;
}

/** A setting that differs between conf, running process and node. */
export interface DriftRow {
  /** The conf variable or flag. */
  readonly setting: string;
  readonly conf: string;
  /** null when no process was seen or it does not show the setting. */
  readonly process: string | null;
  /** null when the node does not show the setting. */
  readonly node: string | null;
  /** The explanation: `restart pending`, `changed at run time`. */
  readonly note: string | null;
}

/** The running process of a node. */
export interface ProcessReport {
  readonly pid: number;
  /** ISO 8601; null if it is not known. */
  readonly startedAt: string | null;
  /** The program's name, `ken`. */
  readonly program: string;
  /** Its --datadir; null if it is not given. */
  readonly dataDir: string | null;
  /** Its user; null if it is not known. Absent, as the next two: not read. */
  readonly user?: string | null;
  /** Its unit of systemd; null if there is none. */
  readonly unit?: string | null;
  /** Its container, by name if that is known, else by id; null if there is none. */
  readonly container?: string | null;
}

export interface TargetReport {
  readonly name: string;
  readonly role: string | null;
  /** What kind of node it is: `kaia`, or the name the client gives itself, in lower case; null if it is not known. */
  readonly kind?: string | null;
  /** The evidence for the kind; null when there is none. */
  readonly kindBy?: 'build' | 'answer' | 'image' | 'name' | 'settings' | null;
  /** False where the facts about its kind are read from the source, and no node of it was seen running. Absent: it was. */
  readonly seenRunning?: false;
  /**
   * The release it is, or the releases it was judged for; null for another kind of node. `value` null: not known. Absent where
   * nothing was read.
   */
  readonly release?: ReleaseFound | null;
  /** The policy it was checked against, if any. */
  readonly policy?: { readonly name: string; readonly version: number };
  readonly conf: {
    readonly path: string;
    readonly launcher: string;
    /** How the launcher is known. */
    readonly by?: Basis;
    readonly package: string;
    readonly packageBy?: Basis;
    /** Whether `by` is `guess`. */
    readonly guessed?: true;
  } | null;
  /** Every file that was read for this target; absent for the conf alone, or none. */
  readonly files?: readonly string[];
  /** It is null if it does not run on this machine. It is absent if it was not searched for, or could not be seen. */
  readonly process?: ProcessReport | null;
  readonly interfaces: readonly InterfaceReport[];
  /** Its report when it last ran: set while a watch finds it down. */
  readonly last?: Omit<TargetReport, 'last'>;
  /** The verdict of every rule. */
  readonly checks?: readonly Check[];
  readonly findings: readonly Finding[];
  /** The findings whose edits were not tried, as that would take too long; absent if there are none. */
  readonly fixesLeftOut?: number;
  /** What the settings changed in its findings; absent if there is nothing. */
  readonly changed?: Pick<Changes, 'hidden' | 'severities'>;
  /** Its findings with a cause in a file that another target uses too: they are among the findings of that target. */
  readonly shared?: readonly SharedFinding[];
  readonly undetermined: readonly Undetermined[];
  /** `suppressed`: it would pass, but a critical finding is suppressed. */
  readonly verdict: 'pass' | 'suppressed' | 'fail' | 'undetermined';
  /** The severity at which its findings fail, if set for its folder. */
  readonly failOn?: FailOn;
  /** Differences between conf, process and node; absent when there was nothing to compare. */
  readonly drift?: readonly DriftRow[];
  /** What an audit did not check; absent when everything was checked or nothing live was probed. */
  readonly notLookedAt?: readonly string[];
}

/** How many findings and questions options, settings, acknowledgements and comments changed. */
export interface Changes {
  /** Findings that are not reported. */
  readonly hidden: number;
  /** Findings with another severity. */
  readonly severities: number;
  /** Findings that comments suppress. */
  readonly suppressed: number;
  /** Open questions that were acknowledged. */
  readonly acknowledged: number;
}

/** The counts of a report. */
export type Counted = Severity | 'targets' | 'suppressed' | 'undetermined';

export interface Report {
  readonly schema: 'kaiactl/report-1';
  readonly tool: { readonly name: string; readonly version: string; readonly homepage?: string };
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly targets: readonly TargetReport[];
  /** Every rule named in the targets, sorted by id. */
  readonly rules: readonly RuleInfo[];
  /** The severity at and above which findings fail. */
  readonly failOn: FailOn;
  /** `excluded`: files and folders that a search left out, absent for none; `changed`: absent for no changes. */
  readonly summary: Readonly<Record<Counted, number>> & {
    readonly excluded?: number;
    readonly changed?: Changes;
  };
  readonly exitCode: number;
}

/** A report whose targets are read one at a time, so that they need not be in memory. Can be read repeatedly. */
export type ReportStream = Omit<Report, 'targets'> & { readonly targets: Targets };

export type Targets = AsyncIterable<TargetReport> | Iterable<TargetReport>;
