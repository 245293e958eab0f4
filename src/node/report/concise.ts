/**
 * One line a finding: `file:line:column severity rule message`, or the endpoint as place. What was not seen is a line with
 * the severity `undetermined`, a suppressed critical finding one with `suppressed`: no line means that all is well.
 */
import { visible } from '../../util/visible.js';
import type { Finding, TargetReport, Undetermined } from '../facts/report.js';
import { logLines } from './escape.js';
import type { Render } from './format.js';
import { leftOutNote, placelessReason, placeName, sourceName } from './listing.js';
import type { Paint } from './text-paint.js';

/** Characters of a message. */
const maxLength = 8_000;

/** `paint` colours the severities. With `verbose`, every suppressed finding is a line. */
export function concise(paint: Paint): Render {
  return async function* ({ targets }, { verbose }) {
    for await (const target of targets) {
      const { findings, undetermined, name, fixesLeftOut = 0 } = target;
      const shown = findings.filter(
        ({ suppressed, severity }) => suppressed === null || verbose || severity === 'critical',
      );
      const lines = [
        ...shown.map((one) => findingLine(one, name, paint)),
        ...undetermined.map((one) => openLine(one, sourceName(target))),
        ...(fixesLeftOut === 0 ? [] : [noteLine(target, fixesLeftOut)]),
      ];
      if (lines.length > 0) yield logLines(`${lines.join('\n')}\n`);
    }
  };
}

function findingLine(
  { at, severity, rule, message, suppressed }: Finding,
  name: string,
  paint: Paint,
): string {
  const place = 'endpoint' in at && at.endpoint !== name ? `${name} ${at.endpoint}` : placeName(at);
  const [label, what] =
    suppressed === null
      ? [paint(severity, severity), message]
      : ['suppressed', `${severity}: ${message} Reason: ${suppressed.reason}`];
  return `${shown(place)} ${label} ${shown(rule)} ${shown(what)}`;
}

/** Without a place of its own, the place is the file or the name of the target. */
function openLine(one: Undetermined, name: string): string {
  const { at, rule, about } = one;
  const reason = placelessReason(one);
  const what = about === null ? reason : `${about}: ${reason}`;
  return `${shown(at === undefined ? name : placeName(at))} undetermined ${shown(rule)} ${shown(what)}`;
}

function noteLine(target: TargetReport, fixesLeftOut: number): string {
  return `${shown(sourceName(target))} note ${leftOutNote(fixesLeftOut)}`;
}

function shown(text: string): string {
  return visible(text, maxLength);
}
