/** The launcher drops a value that holds blanks. */

import type { Settings } from '../facts/settings.js';
import { advise, type Fix, setTo } from '../judge/fix/fix.js';
import { conf, found, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';
import { fileStart } from '../judge/settings/setting.js';

/** What the node uses instead (node and cmd/utils defaults). */
const instead: Readonly<Record<string, string>> = {
  RPC_VHOSTS: 'only localhost is answered as a Host name',
  RPC_CORSDOMAIN: 'no web page may call the node',
  WS_ORIGINS: 'only pages from localhost may connect',
  RPC_ADDR: 'http binds to 127.0.0.1',
  WS_ADDR: 'ws binds to 127.0.0.1',
};

export const droppedSetting: Rule = {
  id: 'dropped-setting',
  severity: 'medium',
  title: 'The launcher drops a value because it holds blanks.',
  why: `The launchers test values unquoted, [ ! -z $X ]: with two or more words the test is an error and the flag is left out, so the node uses its default. Only RPC_API and WS_API have their blanks removed first.`,
  fix: 'Write lists with commas only.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="localhost, en.example"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="localhost,en.example"'),
  },
  on: 'shell',
  check: (shell, settings) =>
    found(
      settings.problems
        .filter(({ kind }) => kind === 'dropped-setting')
        .map(({ variable, at, message, flags }) => {
          const name = variable ?? 'a setting';
          const value = variable === null ? null : shell.variables[variable];
          const effect =
            instead[name] === undefined
              ? message
              : `The launcher drops ${name} because of the blanks in it: ${instead[name]}.`;
          return {
            subject: name,
            at:
              (variable === null ? undefined : effectiveAssignment(shell, variable)?.valueAt) ??
              at ??
              fileStart(settings),
            message: effect,
            fix: unblanked(settings, flags[0]?.replace(/^-+/, '') ?? '', name, value ?? ''),
          };
        }),
    ),
};

/** The flags of the conf's variables that take more than one value. */
const lists: readonly string[] = ['rpcvhosts', 'rpccorsdomain', 'wsorigins'];

/** The value with commas where blanks stand, if it is a list. */
function unblanked(settings: Settings, flag: string, name: string, value: string): Fix {
  if (!lists.includes(flag)) return advise(`Give ${name} one value, without blanks.`);
  const list = value
    .trim()
    .replace(/\s*,\s*/g, ',')
    .replace(/\s+/g, ',');
  return setTo(settings, flag, list, { say: `Write ${name} with commas only.` });
}
