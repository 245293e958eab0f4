/** The report itself, as one JSON document. */
import type { Render } from './format.js';
import { jsonPieces, listed } from './json-pieces.js';

export const json: Render = (report) => jsonPieces({ ...report, targets: listed(report.targets) });
