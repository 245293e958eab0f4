/** The verbs of `kaiactl survey` as a program. */
import { surveyVerbs } from '../../src/cli/survey.js';
import { programOf } from '../cli/verbs.js';

export const main = programOf('survey', surveyVerbs);
