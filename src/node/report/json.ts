/** The report itself, as one JSON document. */
import type { Render } from './format.js';

export const json: Render = (report) => `${JSON.stringify(report, null, 2)}\n`;
