/** The report itself, as one JSON document. */
import { jsonText } from './escape.js';
import type { Render } from './format.js';

export const json: Render = jsonText;
