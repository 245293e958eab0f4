/** The launcher drops a value that contains blanks. */
import { advise, type Fix, setTo } from '../fix/proposal/fix.js';
import { bash, conf, decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';
import { fileStart } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

/** The default that applies instead (source: node and cmd/utils defaults). */
const instead: Readonly<Record<string, string>> = {
  RPC_VHOSTS: 'the node accepts only localhost as Host name',
  RPC_CORSDOMAIN: 'no web page may call the node',
  WS_ORIGINS: 'only pages from localhost may connect',
  RPC_ADDR: 'http listens on 127.0.0.1',
  WS_ADDR: 'ws listens on 127.0.0.1',
};

export const droppedSetting: Rule = {
  id: 'dropped-setting',
  severity: 'medium',
  title: 'The launcher drops a value because it contains blanks.',
  why: `The launchers test values unquoted: [ ! -z $X ]. With two or more words the test fails, the launcher leaves the flag out and the node uses its default. Only RPC_API and WS_API have their blanks removed first.`,
  fix: 'Separate list items with commas only.',
  ignore: 'Never: the value has no effect, so correct it or delete it.',
  sources: [...launchers, bash('Word-Splitting')],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="localhost, en.example"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="localhost,en.example"'),
  },
  on: 'shell',
  check: (shell, settings) =>
    decideVerdict(
      settings.problems
        .filter(({ kind }) => kind === 'dropped-setting')
        .map(({ variable, at, message, flags }) => {
          const name = variable ?? 'a setting';
          const value = variable === null ? null : shell.variables[variable];
          const effect =
            instead[name] === undefined
              ? message
              : `The launcher drops ${name} because its value contains blanks: ${instead[name]}.`;
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

/** Replaces the blanks of a list by commas. */
function unblanked(settings: NodeSettings, flag: string, name: string, value: string): Fix {
  if (!lists.includes(flag)) return advise(`Give ${name} one value without blanks.`);
  const list = value
    .trim()
    .replace(/\s*,\s*/g, ',')
    .replace(/\s+/g, ',');
  return setTo(settings, flag, list, { say: `Separate the items of ${name} with commas only.` });
}
