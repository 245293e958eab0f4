/** The verbs of `kaiactl node`. */
import type { Command } from 'commander';
import type { Host } from '../host.js';
import type { Outcome } from './verb.js';

/** All node verbs, in the order help shows them. */
export function nodeVerbs(_host: Host, _outcome: Outcome): Command[] {
  return [];
}
