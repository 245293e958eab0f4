/**
 * JSON of one target a line, `kaiactl/report-lines-1`, for fleets of any size: the last line is the report without its
 * targets. Lines are written while the run goes on. They leave out nulls and checks that did not apply; `as` names an
 * earlier line with the same `checks` and `notLookedAt`. `kaiactl report schema ndjson` prints the JSON Schema of a line.
 */
import type { Render } from './format.js';
import { LineWriter } from './lines.js';

export const ndjson: Render = async function* (report) {
  const lines = new LineWriter();
  for await (const target of report.targets) yield lines.target(target);
  yield lines.summary(report);
};
