/** The report, version 1: what every format renders. Fields are only ever added. */
import type { BlindSpot } from './seen.js';
import type { Basis } from './settings.js';
import type { FailOn, Reach, Severity } from './severity.js';
import type { Span } from './span.js';

export type Place = Span | { readonly endpoint: string };

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** The rule's title: a short noun phrase. */
  readonly title: string;
  /** What is wrong here and what it means, in one or two sentences. */
  readonly message: string;
  /** What to write instead: can be pasted. */
  readonly fix: string;
  /** The thing: a variable, a module at an interface, a flag. */
  readonly subject: string;
  readonly at: Place;
  /** The file's line at `at`, secrets masked column by column; null for an endpoint or when there is none. */
  readonly source: string | null;
  /** Other places that belong to it (what is shadowed, what overrides). */
  readonly related: readonly {
    readonly at: Place;
    readonly note: string;
    readonly source: string | null;
  }[];
  readonly evidence: Readonly<Record<string, unknown>> | null;
  /** What to write instead, place by place; empty or absent where it takes a person. */
  readonly edits?: readonly Edit[];
  /** `safe`: leaves what the node is started with as it is; null without edits. */
  readonly safety?: 'safe' | 'unsafe' | null;
  /** Other ways, where there is more than one; absent: there is none. */
  readonly alternatives?: readonly FixReport[];
  /** The same wherever the line stands and however severe it is. */
  readonly fingerprint: string;
  readonly suppressed: null | {
    readonly reason: string;
    readonly until: string | null;
    /** By a baseline, not by a comment. */
    readonly baseline?: true;
  };
}

/** A way to correct something. */
export interface FixReport {
  /** A sentence. */
  readonly fix: string;
  readonly edits: readonly Edit[];
  /** null without edits. */
  readonly safety: 'safe' | 'unsafe' | null;
}

/** The text that replaces a stretch of a file. */
export interface Edit extends Span {
  readonly text: string;
  /** The line it begins in, secrets masked; null: there is none. */
  readonly source?: string | null;
}

/** How one rule ended for one target. */
export interface Check {
  readonly rule: string;
  readonly verdict: 'pass' | 'fail' | 'undetermined' | 'not-applicable';
}

/** A question that stays open for one target, and why. */
export interface Undetermined extends BlindSpot {
  readonly rule: string;
  /** True when kaiactl itself failed there: the run ends with 70. */
  readonly defect?: true;
}

/** What a format needs to know of a rule: the report carries it, so that formats never import rules. */
export interface RuleInfo {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}

/** The interfaces a report tells of, in its order. */
export const transports = ['http', 'ws', 'ipc', 'grpc', 'metrics'] as const;
export type TransportName = (typeof transports)[number];

export interface InterfaceReport {
  readonly transport: TransportName;
  readonly endpoint: string;
  readonly source: 'argument' | 'conf' | 'inventory' | 'process';
  readonly state: 'open' | 'refused' | 'unreachable' | 'closed' | 'not-checked';
  readonly reason: string | null;
  readonly modules: Readonly<Record<string, string>> | null;
  readonly client: string | null;
  readonly latencyMs: number | null;
  /** Who reaches it: `ipc`, `loopback`, `private`, `any`; absent where nobody looked. */
  readonly reach?: Reach;
  /** The evidence the reach is taken from. */
  readonly reachBy?: 'socket' | 'process' | 'settings' | 'address' | 'assumed';
  /** Addresses it listens on; null: not seen. */
  readonly bind?: readonly string[] | null;
  /** A simulated node answered. */
  readonly simulated?: true;
  /** Chain id, decimal. */
  readonly chain?: string | null;
  readonly access?: AccessReport;
  /** The unsafe-debug switch as this interface shows it; null where debug is not offered. */
  readonly unsafeDebug?: 'on' | 'off' | 'unproven' | null;
  /** Requests it was sent. */
  readonly requests?: number;
  /** What the settings make of it; absent where the node itself was asked. */
  readonly declared?: Declared;
}

/** An interface by the settings alone. */
export interface Declared {
  /** null: not known offline. */
  readonly modules: readonly string[] | null;
  readonly access: AccessReport;
  readonly unsafeDebug: 'on' | 'off' | 'unproven' | null;
}

/** What lets strangers in; null: not seen, or no such check. */
export interface AccessReport {
  /** http: a Host name nobody configured is answered. */
  readonly foreignHost: boolean | null;
  /** A page of a foreign origin is let in. */
  readonly foreignOrigin: boolean | null;
  /** ipc: permission bits in octal, `0600`. */
  readonly fileMode: string | null;
  /** metrics: the profiler answers on the same port. */
  readonly profiler: boolean | null;
}

/** One setting that is not everywhere the same: what the conf, the running process and the node say. */
export interface DriftRow {
  /** The conf variable or flag it is about. */
  readonly setting: string;
  readonly conf: string;
  /** null: no process was seen, or it says nothing about this. */
  readonly process: string | null;
  /** null: the node cannot be asked this. */
  readonly node: string | null;
  /** What explains it: `restart pending`, `changed at run time`. */
  readonly note: string | null;
}

export interface TargetReport {
  readonly name: string;
  readonly role: string | null;
  /** What kind of node it is: `kaia`, or the name the client gives itself, in lower case; null: not known. */
  readonly kind?: string | null;
  /** The evidence the kind is taken from; null: there is none. */
  readonly kindBy?: 'build' | 'answer' | 'image' | 'name' | 'settings' | null;
  /** What it was held against; absent: nothing. */
  readonly policy?: { readonly name: string; readonly version: number };
  readonly conf: {
    readonly path: string;
    readonly launcher: string;
    /** How the launcher is known; absent in reports of older versions, as is `packageBy`. */
    readonly by?: Basis;
    readonly package: string;
    readonly packageBy?: Basis;
    /** The same as `by` being `guess`. */
    readonly guessed?: true;
  } | null;
  readonly interfaces: readonly InterfaceReport[];
  /** Every rule that was asked, and how it ended. */
  readonly checks?: readonly Check[];
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
  readonly verdict: 'pass' | 'fail' | 'undetermined';
  /** Where findings fail, if the settings of its own folder say so. */
  readonly failOn?: FailOn;
  /** Where conf, process and node differ; absent when there was nothing to compare. */
  readonly drift?: readonly DriftRow[];
  /** What an audit did not look at; absent where nothing live was asked for, or nothing was left. */
  readonly notLookedAt?: readonly string[];
}

export interface Report {
  readonly schema: 'kaiactl/report-1';
  readonly tool: { readonly name: string; readonly version: string };
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly targets: readonly TargetReport[];
  /** Every rule named in the targets, sorted by id. */
  readonly rules: readonly RuleInfo[];
  /** The severity at and above which findings fail. */
  readonly failOn: FailOn;
  readonly summary: Readonly<Record<Severity | 'targets' | 'suppressed' | 'undetermined', number>>;
  readonly exitCode: number;
}

/** A report whose targets are read one at a time, from the first, as often as it takes: they need not be in memory. */
export type ReportStream = Omit<Report, 'targets'> & { readonly targets: Targets };

export type Targets = AsyncIterable<TargetReport> | Iterable<TargetReport>;
