/** A variable is set more than once: the last value counts. */

import { groupBy } from '../../util/group-by.js';
import { joinWords, quoteValue } from '../../util/words.js';
import type { Settings } from '../facts/settings.js';
import type { Assignment, ConfShell } from '../facts/shell.js';
import { deleteLines } from '../fix/proposal/fix.js';
import { bash, conf, type Draft, decideVerdict, type Rule } from '../judge/rule/rule.js';
import { lastReads } from '../judge/settings/assignments.js';
import { homiMarker } from './homi-leftover.js';

export const duplicateSetting: Rule = {
  id: 'duplicate-setting',
  severity: 'medium',
  title: 'A variable is set more than once; the last value counts.',
  why: `bash reads the file from top to bottom. An operator who edits the first line changes nothing, because a later line overrides it. Deployment scripts often append lines to the file.`,
  fix: 'Keep one line.',
  ignore: 'If a deployment tool appends the last line and people do not edit the file.',
  sources: [bash('Shell-Parameters')],
  examples: {
    bad: conf('RPC_ENABLE=0', 'RPC_API="klay,eth"', 'RPC_ENABLE=1'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"'),
  },
  on: 'shell',
  check: (shell, settings) => decideVerdict(hidden(shell, settings).map((one) => draft(settings, one))),
};

/** Per variable: the assignment that counts, and the earlier ones it hides. */
function hidden(shell: ConfShell, settings: Settings): { last: Assignment; earlier: Assignment[] }[] {
  const plain = shell.assignments.filter((one) => one.kind === 'assign' && !one.conditional);
  const repeated = [...groupBy(plain, ({ variable }) => variable).values()].filter((all) => all.length > 1);
  if (repeated.length === 0) return [];
  const marker = homiMarker(settings);
  const reads = lastReads(settings);
  return repeated.flatMap((all) => {
    const last = all.at(-1);
    if (last === undefined || !last.effective) return [];
    if (marker !== null && last.at.line > marker.line) return []; // homi-leftover reports it
    const earlier = all
      .slice(0, -1)
      .filter((one) => !one.effective && (reads.get(last.variable) ?? 0) < one.at.endLine);
    return earlier.length === 0 ? [] : [{ last, earlier }];
  });
}

/** Lines beyond these are counted, not listed. */
const shown = 4;

function draft(
  settings: Settings,
  { last, earlier }: { last: Assignment; earlier: readonly Assignment[] },
): Draft {
  const same = earlier.every(({ value }) => value !== null && value === last.value);
  const value = last.value === null ? 'the last value' : `the last value, ${quoteValue(last.value)},`;
  return {
    subject: last.variable,
    severity: same ? 'low' : 'medium',
    at: last.at,
    message: `${last.variable} is set ${earlier.length + 1} times${same ? ' to the same value' : ''}; ${value} counts.`,
    fix: deleteLines(
      settings,
      earlier.map(({ at }) => at),
      `Delete line${earlier.length > 1 ? 's' : ''} ${joinWords(earlier.slice(0, shown).map(({ at }) => String(at.line)))}${earlier.length > shown ? ` and ${earlier.length - shown} more` : ''}.`,
    ),
    related: earlier.slice(0, shown).map(({ at }) => ({ at, note: 'this value is not used' })),
  };
}
