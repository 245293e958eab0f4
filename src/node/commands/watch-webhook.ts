/** The webhook of `node watch`: posts what changed since the last report that the server received. */
import { exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import type { Report } from '../facts/report.js';
import { diffReports } from '../report/diff.js';
import type { Clock } from './fleet.js';
import type { VerbOptions } from './options/verbs.js';
import type { WatchCounts } from './watch-metrics.js';

export interface Webhook {
  /** Never throws. Changes that the server did not receive are in the next difference. */
  deliver(report: Report): Promise<void>;
}

interface Context {
  /** The last report that was told; null if there is none. */
  readonly before: Report | null;
  readonly counts: WatchCounts;
  readonly clock: Clock;
  readonly host: Host;
}

/** Null without --webhook. @throws {KaiactlError} when it is not an http or https URL (exit 2) */
export function webhookOf(
  { webhook: text, notifyInitial }: Pick<VerbOptions<'watch'>, 'webhook' | 'notifyInitial'>,
  { before, counts, clock, host }: Context,
): Webhook | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new KaiactlError('--webhook is not an http or https URL', {
      hint: 'Set a URL that holds a secret as KAIACTL_WEBHOOK.',
    });
  let received = before;
  let isFirst = true;
  return {
    async deliver(report) {
      if (isFirst && !notifyInitial) received ??= report;
      const diff = { ...diffReports(isFirst && notifyInitial ? null : received, report), exitCode: exit.ok };
      counts.pending = diff.targets.length;
      if (diff.targets.length === 0) return;
      const why = await post(url, diff, clock, host.signal, counts);
      if (why === null) {
        [received, isFirst, counts.pending] = [report, false, 0];
        return;
      }
      const later = host.signal.aborted ? 'after a restart with the same --state' : 'with the next round';
      // The URL may hold a secret: print only its host.
      await print(
        host.stderr,
        `kaiactl: the webhook at ${url.host} failed: ${why}; its changes are sent again ${later}\n`,
      );
    },
  };
}

const maxAttempts = 3;
const firstWaitMs = 1_000;
const timeoutMs = 10_000;

/** Posts JSON, and retries after one and two seconds. @returns why it failed, or null */
async function post(
  url: URL,
  body: unknown,
  clock: Clock,
  signal: AbortSignal,
  counts: WatchCounts,
): Promise<string | null> {
  let why = 'interrupted';
  for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt++) {
    if (attempt > 0) await clock.wait(firstWaitMs * 2 ** (attempt - 1), signal);
    const failure = await postOnce(url, body, signal);
    if (failure === null) {
      counts.delivered += 1;
      return null;
    }
    counts.failedDeliveries += 1;
    why = signal.aborted ? 'interrupted' : failure;
  }
  return why;
}

async function postOnce(url: URL, body: unknown, signal: AbortSignal): Promise<string | null> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, late]),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    if (late.aborted) return `no answer in ${timeoutMs / 1000} s`;
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
