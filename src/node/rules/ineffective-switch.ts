/** A boolean that reads as on and is off to the launcher, or the reverse. */

import { quoted } from '../../util/words.js';
import type { Shell } from '../facts/shell.js';
import type { Span } from '../facts/span.js';
import type { Fix } from '../judge/fix/fix.js';
import { conf, type Draft, found, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';

const looksOn = /^(?:true|yes|on|enabled?|y|t|[1-9]\d*(?:\.\d+)?)$/i;
const looksOff = /^(?:false|no|off|disabled?|n|f|0+|)$/i;

export const ineffectiveSwitch: Rule = {
  id: 'ineffective-switch',
  severity: 'medium',
  title: 'A switch does not do what it looks like.',
  why: `The launchers test switches with bash arithmetic, [[ $X -eq 1 ]]: only what evaluates to 1 is on. true, yes, on and 2 are off; 01 and 0x1 are on; and the name of a variable stands for that variable’s value.`,
  fix: 'Write 1 for on and 0 for off.',
  examples: {
    bad: conf('RPC_ENABLE=true', 'RPC_API="klay,eth"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"'),
  },
  on: 'shell',
  check: (shell) =>
    found(Object.entries(shell.switches).flatMap(([variable, on]) => draft(shell, variable, on))),
};

function draft(shell: Shell, variable: string, on: boolean | null): Draft[] {
  const value = shell.variables[variable]?.trim();
  const at = effectiveAssignment(shell, variable)?.valueAt;
  if (value === undefined || at === undefined || on === null) return [];
  if (shell.syntaxIssues.some((one) => one.kind === 'carriage-return' && one.at.line === at.line)) return []; // said there
  const wrong = on ? looksOff.test(value) || /^[A-Za-z_]/.test(value) : looksOn.test(value);
  if (!wrong) return [];
  return [
    {
      subject: variable,
      at,
      message: `${variable}=${quoted(value)} looks ${on ? 'off' : 'on'} but is ${on ? 'ON' : 'OFF'} to the launcher, which ${on ? 'takes it for the number 1' : 'only accepts what equals 1'}.`,
      fix: explicit(at, variable, on),
      evidence: { value, on },
    },
  ];
}

/** Off is written as off, which changes nothing; whoever meant on writes 1. */
function explicit(at: Span, variable: string, on: boolean): Fix {
  const edits = [{ at, text: '0' }];
  return on
    ? { say: `Write ${variable} as 1 if it is to be on, as 0 if it is to be off.`, safety: 'unsafe' }
    : { say: `Write 0, which is what ${variable} is now, or 1 if it is to be on.`, edits, safety: 'safe' };
}
