/** The verbs of `kaiactl survey`. */
import { serveVerb } from './serve.js';
import { adminVerb, backupVerb } from './survey-admin.js';
import { joinVerb, membersVerb, payVerb } from './survey-client.js';

/** All survey verbs, in the order help shows them. */
export const surveyVerbs = [membersVerb, joinVerb, payVerb, serveVerb, adminVerb, backupVerb];
