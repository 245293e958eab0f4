/** The verbs of `kaiactl survey`. */
import type { CommandUnknownOpts } from 'commander';
import type { Host } from '../host.js';
import { serveVerb } from './serve.js';
import { adminVerb, backupVerb } from './survey-admin.js';
import { joinVerb, membersVerb, payVerb } from './survey-client.js';
import type { Outcome } from './verb.js';

/** All survey verbs, in the order help shows them. */
export function surveyVerbs(host: Host, outcome: Outcome): CommandUnknownOpts[] {
  return [
    membersVerb(host, outcome),
    joinVerb(host, outcome),
    payVerb(host, outcome),
    serveVerb(host, outcome),
    adminVerb(host, outcome),
    backupVerb(host, outcome),
  ];
}
