/** The verbs of `kaiactl node`. */
import { settingsVerb } from './node-conf.js';
import { hardenVerb } from './node-harden.js';
import { explainVerb, lintVerb } from './node-lint.js';
import { auditVerb, modulesVerb } from './node-live.js';
import { policyVerb } from './node-policy.js';
import { simulateVerb } from './node-simulate.js';
import { watchVerb } from './node-watch.js';

/** All node verbs, in the order help shows them. */
export const nodeVerbs = [
  ...[lintVerb, explainVerb, settingsVerb, hardenVerb],
  ...[auditVerb, modulesVerb, simulateVerb, watchVerb, policyVerb],
];
