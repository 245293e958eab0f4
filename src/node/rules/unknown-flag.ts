/** A flag that no known release has, or that only prints a text. */
import { distance } from '../../util/closest.js';
import type { StartProblem } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { advise, type Fix, renameFlag } from '../fix/proposal/fix.js';
import { mayBeOfFork, unknownNameBlindSpots } from '../judge/exposure/unknown-names.js';
import { conf, decideVerdict, kaia, type Rule } from '../judge/rule/rule.js';
import { isInAnother, isRemoved, nearestFlag, startProblems } from '../judge/rule/start-problems.js';
import { variableOf } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const unknownFlag: Rule = {
  id: 'unknown-flag',
  severity: 'medium',
  title: 'A flag is unknown.',
  why: `A release that does not know a flag prints its usage and exits; another release may know it. Nothing shows whether an unknown flag takes a value, so the next word is read both as its value and as a separate word, and the worse reading counts. What a flag with the name of an interface, such as --http.extra, may open stays an open question.`,
  fix: 'Correct the flag, or check that the node’s release has it.',
  ignore: 'If the installed release has the flag; --node-version names that release.',
  sources: [kaia('cmd/utils/nodeflags.go'), 'docs/releases.md'],
  examples: {
    bad: conf('ADDITIONAL="--allow-insecure-unlock"'),
    good: conf('ADDITIONAL="--txpool.nolocals"'),
  },
  on: 'settings',
  check: (settings) =>
    decideVerdict(
      startProblems(
        {
          ...settings,
          problems: settings.problems.filter(
            (one) => !isRemoved(settings, one) && !isInAnother(settings, one),
          ),
        },
        ['unknown-flag', 'bad-syntax', 'ending-flag'],
        (one) => fix(settings, one),
        (one) => severity(settings, one),
      ).findings,
      unknownNameBlindSpots(settings, null, openingFlags(settings)),
    ),
};

/** A release that merely follows from a name proves nothing. */
function severity(
  settings: NodeSettings,
  { kind, release, flags: [flag] }: StartProblem,
): Severity | undefined {
  if (release === 'inferred') return 'info';
  return kind === 'unknown-flag' && flag !== undefined && mayBeOfFork(settings, flag) ? 'low' : undefined;
}

/** Parts of the names of flags that open or widen an interface, or say what it offers: any other flag leaves those as they are. */
const interfaceNames =
  /(?:^|[.-])(?:http|g?rpc|ws|ipc|graphql|pprof|metrics|prometheus|debug|admin|personal|unlock|sign|auth|jwt|allow|insecure|unsafe|expose|conf)|api|cors|vhost|origin|addr|host|listen|bind/i;

/** Those that may change an interface, without the flags that the launcher adds: every release reads those alike. */
function openingFlags(settings: NodeSettings): string[] {
  return settings.problems
    .filter(
      (problem) =>
        problem.kind === 'unknown-flag' &&
        problem.release === undefined &&
        variableOf(settings, problem) === null,
    )
    .flatMap(({ flags: [flag = ''] }) => (interfaceNames.test(flag) ? [`--${flag}`] : []));
}

function fix(settings: NodeSettings, problem: StartProblem): Fix {
  const {
    kind,
    flags: [flag],
    at,
  } = problem;
  const variable = variableOf(settings, problem);
  if (variable !== null) return advise(`Delete the line with ${variable}, or comment it out.`);
  if (flag === undefined) return advise('Write it as --name or --name=value, or remove it.');
  if (kind === 'ending-flag') return advise(`Remove --${flag}.`);
  const near = nearestFlag(settings, flag);
  if (near === null) return advise(`Remove --${flag}, unless the node’s release has it.`);
  const say = `Write --${near} if that is meant, or remove --${flag}.`;
  return distance(flag, near) === 1 ? renameFlag(settings, { at }, flag, near, say) : advise(say);
}
