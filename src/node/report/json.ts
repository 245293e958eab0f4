/**
 * The report itself, `kaiactl/report-1`. `kaiactl report schema` prints its JSON Schema; fields are added, never
 * changed.
 */
import type { Render } from './format.js';
import { jsonPieces, listed } from './json-pieces.js';

export const json: Render = (report) => jsonPieces({ ...report, targets: listed(report.targets) });
