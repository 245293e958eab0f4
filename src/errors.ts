/** The error family and the exit codes (the only place that knows what a code means). */

/** What the process exits with; see docs/exit-codes.md. */
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

/** What every KaiactlError carries besides its sentence. */
export interface ErrorDetail {
  /** The exit code the process ends with if nobody catches it. Default: usage (2). */
  readonly exitCode?: ExitCode;
  /** Facts worth a line of their own, shown indented under the sentence. */
  readonly notes?: readonly string[];
  /** What to do next: one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * An expected failure: what happened and where (message), facts (notes), what to do (hint).
 * Secrets must be gone before it is constructed; see util/redact.
 */
export class KaiactlError extends Error {
  readonly exitCode: ExitCode;
  readonly notes: readonly string[];
  readonly hint: string | null;

  constructor(message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'KaiactlError';
    this.exitCode = detail.exitCode ?? exit.usage;
    this.notes = detail.notes ?? [];
    this.hint = detail.hint ?? null;
  }
}

/** `sentence: why`, the why as the system or a library words it. */
export function failure(sentence: string, cause: unknown, detail: ErrorDetail = {}): KaiactlError {
  return new KaiactlError(`${sentence}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    ...detail,
    cause,
  });
}

/** The same failure with its place in front; a defect stays as it is. */
export function located(place: string, error: unknown): unknown {
  if (!(error instanceof KaiactlError)) return error;
  const { exitCode, notes, hint } = error;
  return failure(place, error, { exitCode, notes, ...(hint === null ? {} : { hint }) });
}

/** The lines a person reads for an error; a defect (anything but KaiactlError) says so and how to report it. */
export function explain(error: unknown, verbose = false): string[] {
  if (error instanceof KaiactlError) {
    const lines = [`kaiactl: ${error.message}`, ...error.notes.map((note) => `  ${note}`)];
    if (error.hint !== null) lines.push(`  ${error.hint}`);
    return lines;
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const lines = [`kaiactl: internal error: ${message}`];
  if (verbose && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  lines.push('  This is a defect of kaiactl. Please report it with the command that was run.');
  if (!verbose) lines.push('  With --verbose the place in the code is shown.');
  return lines;
}

/** The exit code that belongs to an error. */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof KaiactlError ? error.exitCode : exit.defect;
}
