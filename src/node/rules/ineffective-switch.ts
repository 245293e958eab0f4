/** A boolean whose value looks on but is off for the launcher, or the reverse. */

import { quoteValue } from '../../util/words.js';
import type { ConfShell } from '../facts/shell.js';
import type { Span } from '../facts/span.js';
import type { Fix } from '../fix/proposal/fix.js';
import { bash, conf, type Draft, decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';

const looksOn = /^(?:true|yes|on|enabled?|y|t|[1-9]\d*(?:\.\d+)?)$/i;
const looksOff = /^(?:false|no|off|disabled?|n|f|0+|)$/i;

export const ineffectiveSwitch: Rule = {
  id: 'ineffective-switch',
  severity: 'medium',
  title: 'A switch has another effect than its value suggests.',
  why: `The launchers test switches with bash arithmetic, [[ $X -eq 1 ]]: only a value that evaluates to 1 is on. true, yes, on and 2 are off; 01 and 0x1 are on; the name of a variable evaluates to the value of that variable.`,
  fix: 'Write 1 for on and 0 for off.',
  ignore: 'If the effect that the finding names is intended and the file must keep its value.',
  sources: [...launchers, bash('Shell-Arithmetic')],
  examples: {
    bad: conf('RPC_ENABLE=true', 'RPC_API="klay,eth"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"'),
  },
  on: 'shell',
  check: (shell) =>
    decideVerdict(Object.entries(shell.switches).flatMap(([variable, on]) => draft(shell, variable, on))),
};

function draft(shell: ConfShell, variable: string, on: boolean | null): Draft[] {
  const value = shell.variables[variable]?.trim();
  if (value === undefined || on === null) return [];
  const wrong = on ? looksOff.test(value) || /^[A-Za-z_]/.test(value) : looksOn.test(value);
  const at = wrong ? effectiveAssignment(shell, variable)?.valueAt : undefined;
  if (at === undefined) return [];
  return [
    {
      subject: variable,
      at,
      message: `${variable}=${quoteValue(value)} looks ${on ? 'off' : 'on'}, but the launcher reads it as ${on ? 'on: it evaluates to 1' : 'off: only a value that equals 1 is on'}.`,
      fix: explicit(at, variable, on),
      evidence: { value, on },
    },
  ];
}

/** Writing off as 0 keeps the node's start unchanged; 1 would change it. */
function explicit(at: Span, variable: string, on: boolean): Fix {
  const edits = () => [{ at, text: '0' }];
  return on
    ? { say: `Set ${variable} to 1 to switch it on, or to 0 to switch it off.`, safety: 'unsafe' }
    : { say: `Set ${variable} to 0, its current effect, or to 1 to switch it on.`, edits, safety: 'safe' };
}
