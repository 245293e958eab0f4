/** A setting that reaches the node and has no effect there. */

import type { ConfShell } from '../facts/shell.js';
import { advise } from '../fix/proposal/fix.js';
import { conf, type Draft, decideVerdict, kaia, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';

interface Inert {
  readonly variable: string;
  /** Whether the value requests an effect that the node does not have; packaged values request none. */
  asks(value: string, shell: ConfShell): boolean;
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
    says: 'only a removed server used this limit: concurrent requests are not limited',
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
    says: 'the node opens no metrics port without METRICS=1',
    fix: 'Switch PROMETHEUS off, or switch METRICS on to serve metrics.',
  },
];

export const inertSetting: Rule = {
  id: 'inert-setting',
  severity: 'low',
  title: 'A setting has no effect.',
  why: `Some settings still reach the node although the code that used them is gone or never runs. The fasthttp server no longer exists, so SERVER_TYPE and the concurrency limit have no effect. An operator who relies on such a limit has none.`,
  fix: 'Restore the packaged value. Where a limit is needed, set it in a proxy or firewall.',
  ignore: 'If the packaged file contains the line and an update would bring it back.',
  sources: [kaia('build/packaging/linux/conf/kend.conf'), kaia('cmd/utils/flags.go')],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CONCURRENCYLIMIT=100'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CONCURRENCYLIMIT=3000'),
  },
  on: 'shell',
  check: (shell) => decideVerdict(table.flatMap((one) => draft(shell, one))),
};

function draft(shell: ConfShell, { variable, asks, says, fix }: Inert): Draft[] {
  const value = shell.variables[variable];
  const at = effectiveAssignment(shell, variable)?.at;
  if (at === undefined || value === undefined || value === null || !shell.reads.includes(variable)) return [];
  return asks(value, shell)
    ? [{ subject: variable, at, message: `${variable}=${value} has no effect: ${says}.`, fix: advise(fix) }]
    : [];
}
