/** A setting that reaches the node and changes nothing there. */

import type { Shell } from '../facts/shell.js';
import { advise } from '../judge/fix/fix.js';
import { conf, type Draft, found, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';

interface Inert {
  readonly variable: string;
  /** True when the value asks for something the node will not do; packaged values ask for nothing. */
  asks(value: string, shell: Shell): boolean;
  readonly says: string;
  readonly fix: string;
}

const timeout = 'a timeout below one second is reset to the default (networks/rpc/http.go)';
const table: readonly Inert[] = [
  {
    variable: 'SERVER_TYPE',
    asks: (value) => value !== '' && value !== 'http',
    says: 'the node always runs its plain http server and never reads this value',
    fix: 'Set SERVER_TYPE back to http.',
  },
  {
    variable: 'RPC_CONCURRENCYLIMIT',
    asks: (value) => value !== '' && value !== '3000',
    says: 'the limit is read only by a server the node no longer has: nothing limits concurrent requests',
    fix: 'Set RPC_CONCURRENCYLIMIT back to 3000 and limit connections in a proxy or firewall.',
  },
  ...['RPC_READ_TIMEOUT', 'RPC_WRITE_TIMEOUT', 'RPC_IDLE_TIMEOUT', 'RPC_EXECUTION_TIMEOUT'].map(
    (variable) => ({
      variable,
      asks: (value: string) => /^0+$/.test(value),
      says: timeout,
      fix: `Set ${variable} to ${variable === 'RPC_IDLE_TIMEOUT' ? 120 : 30}, the default, or to more than a second.`,
    }),
  ),
  {
    variable: 'PROMETHEUS',
    asks: (_value, shell) => shell.switches.PROMETHEUS === true && shell.switches.METRICS === false,
    says: 'without METRICS=1 no metrics port is opened',
    fix: 'Switch PROMETHEUS off, or METRICS on if metrics are wanted.',
  },
];

export const inertSetting: Rule = {
  id: 'inert-setting',
  severity: 'low',
  title: 'A setting changes nothing.',
  why: `Some settings are still passed to the node though the code behind them is gone or never runs: there is no fasthttp server any more, so SERVER_TYPE and the concurrency limit are dead, and a limit that is believed in is worse than none.`,
  fix: 'Set it back to the packaged value, and get the effect elsewhere.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CONCURRENCYLIMIT=100'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CONCURRENCYLIMIT=3000'),
  },
  on: 'shell',
  check: (shell) => found(table.flatMap((one) => draft(shell, one))),
};

function draft(shell: Shell, { variable, asks, says, fix }: Inert): Draft[] {
  const value = shell.variables[variable];
  const at = effectiveAssignment(shell, variable)?.at;
  if (at === undefined || value === undefined || value === null || !shell.reads.includes(variable)) return [];
  return asks(value, shell)
    ? [{ subject: variable, at, message: `${variable}=${value} changes nothing: ${says}.`, fix: advise(fix) }]
    : [];
}
