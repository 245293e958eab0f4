/** The verbs of `kaiactl survey`. */
import type { Command } from 'commander';
import type { Host } from '../host.js';
import type { Outcome } from './verb.js';

/** All survey verbs, in the order help shows them. */
export function surveyVerbs(_host: Host, _outcome: Outcome): Command[] {
  return [];
}
