/** Asks on the terminal before something that cannot be undone. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { exit, KaiactlError } from '../errors.js';
import type { Host } from '../host.js';

export interface Question {
  /** The effect, as a sentence: `This creates a payment.` */
  readonly effect: string;
  readonly unasked: string;
  /** What did not happen, for a hint. */
  readonly otherwise: string;
}

/** @throws {KaiactlError} without a terminal, or if the answer is not yes (exit 2) */
export async function confirm({ effect, unasked, otherwise }: Question, yes: boolean, host: Host) {
  if (yes) return;
  if (host.stdin.isTTY !== true)
    throw new KaiactlError(`${unasked}, but stdin is not a terminal to ask on`, {
      hint: 'Give --yes to do it without asking.',
    });
  // readline's terminal mode would intercept Ctrl-C.
  const lines = createInterface({ input: host.stdin, output: host.stderr, terminal: false });
  try {
    // A closed stdin never answers the question.
    const closed = once(lines, 'close').then(() => '');
    const asked = lines.question(`${effect} Continue? [y/N] `, { signal: host.signal }).catch(() => '');
    const answer = await Promise.race([asked, closed]);
    if (host.signal.aborted)
      throw new KaiactlError('interrupted', { exitCode: exit.interrupted, hint: otherwise });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    lines.close();
  }
  throw new KaiactlError('not confirmed', { hint: otherwise });
}
