/** Errors and exit codes. */
import { maskUrls } from './util/mask-url.js';

/** See docs/exit-codes.md. */
export const exit = {
  ok: 0,
  /** node: findings at or above --fail-on; survey: the answer is no. */
  failed: 1,
  /** Wrong invocation, unreadable or unparsable input. */
  usage: 2,
  /** node: something asked for could not be seen; survey: the API could not be reached or broke its protocol. */
  unseen: 3,
  /** survey join: accepted, but not listed in time. */
  pending: 4,
  /** A defect of kaiactl itself. */
  defect: 70,
  /** Interrupted by a signal. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exit)[keyof typeof exit];

export interface ErrorDetail {
  /** Default: usage (2). */
  readonly exitCode?: ExitCode;
  /** Facts, one indented line each below the message. */
  readonly notes?: readonly string[];
  /** What to do, in one sentence. */
  readonly hint?: string | null;
  /** More than most readers need: shown with --verbose. */
  readonly details?: string;
  readonly cause?: unknown;
}

/**
 * An expected failure: what happened and where (message), facts (notes), what to do (hint).
 * URLs are masked here; callers redact other secrets first, see util/redact.
 */
export class KaiactlError extends Error {
  readonly exitCode: ExitCode;
  readonly notes: readonly string[];
  readonly hint: string | null;
  readonly details: string | null;

  constructor(message: string, detail: ErrorDetail = {}) {
    super(maskUrls(message), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'KaiactlError';
    this.exitCode = detail.exitCode ?? exit.usage;
    this.notes = (detail.notes ?? []).map(maskUrls);
    this.hint = detail.hint == null ? null : maskUrls(detail.hint);
    this.details = detail.details ?? null;
  }
}

/** What the system says of a file, by its code (errno(3)). */
const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is not a folder',
  ELOOP: 'too many symbolic links',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'it is not a regular file',
  EADDRINUSE: 'another process listens there',
  EADDRNOTAVAIL: 'this machine does not have that address',
};

/** Why a file could not be used; null if the code is none of a file. */
export function fileError(cause: unknown): string | null {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  return syscall === 'connect' ? null : (fileErrors[code ?? ''] ?? null);
}

/** `sentence: cause`, with the cause in words of its own, or in those of the system or a library. */
export function failure(sentence: string, cause: unknown, detail: ErrorDetail = {}): KaiactlError {
  const why = cause instanceof Error ? (fileError(cause) ?? cause.message) : String(cause);
  return new KaiactlError(`${sentence}: ${why}`, { ...detail, cause });
}

/** `cannot write the report to a/b: …`; a file that is to be written lacks its folder. */
export function writeFailure(what: string, cause: unknown): KaiactlError {
  const isLacking = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  return failure(`cannot write ${what}`, isLacking ? 'its folder does not exist' : cause);
}

/** The same KaiactlError with its place in front; other errors are unchanged. */
export function addPlace(place: string, error: unknown): unknown {
  if (!(error instanceof KaiactlError)) return error;
  const { exitCode, notes, hint } = error;
  return failure(place, error, { exitCode, notes, hint });
}

/** The lines of several errors, each hint once. */
export function explainAll(errors: readonly KaiactlError[], verbose = false): string[] {
  const told = new Set<string | null>();
  return errors.flatMap((error) => {
    const lines = explain(error, verbose);
    const last = verbose && error.details !== null ? error.details : error.hint;
    const again = last !== null && told.has(last);
    told.add(last);
    return again ? lines.slice(0, -1) : lines;
  });
}

/** The lines for stderr. Any error but KaiactlError is a defect: the lines ask for a report. */
export function explain(error: unknown, verbose = false): string[] {
  if (error instanceof KaiactlError) {
    const lines = [`kaiactl: ${error.message}`, ...error.notes.map((note) => `  ${note}`)];
    if (error.hint !== null) lines.push(`  ${error.hint}`);
    if (verbose && error.details !== null) lines.push(`  ${error.details}`);
    return lines;
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const lines = [`kaiactl: internal error: ${message}`];
  if (verbose && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  lines.push('  This is a defect of kaiactl. Please report it with the command that was run.');
  if (!verbose) lines.push('  With --verbose the place in the code is shown.');
  return lines;
}

export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof KaiactlError ? error.exitCode : exit.defect;
}
