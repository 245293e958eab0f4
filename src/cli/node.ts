/** The verbs of `kaiactl node`. */
import type { CommandUnknownOpts } from 'commander';
import type { Host } from '../host.js';
import { settingsVerb } from './node-conf.js';
import { hardenVerb } from './node-harden.js';
import { lintVerbs } from './node-lint.js';
import { liveVerbs } from './node-live.js';
import { policyVerb } from './node-policy.js';
import { simulateVerb } from './node-simulate.js';
import { watchVerb } from './node-watch.js';
import type { Outcome } from './verb.js';

/** All node verbs, in the order help shows them. */
export function nodeVerbs(host: Host, outcome: Outcome): CommandUnknownOpts[] {
  return [
    ...lintVerbs(host, outcome),
    settingsVerb(host, outcome),
    hardenVerb(host, outcome),
    ...liveVerbs(host, outcome),
    simulateVerb(host, outcome),
    watchVerb(host, outcome),
    policyVerb(host, outcome),
  ];
}
