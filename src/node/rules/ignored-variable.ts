/** Variables of the environment in a release that reads none. */
import { joinFirst } from '../../util/words.js';
import { advise } from '../fix/proposal/fix.js';
import { decideVerdict, geth, type Rule } from '../judge/rule/rule.js';
import { fileStart } from '../judge/settings/setting.js';

export const ignoredVariable: Rule = {
  id: 'ignored-variable',
  needs: ({ flags }) => flags.variablePrefix !== null,
  severity: 'info',
  title: 'The node’s release reads no GETH_ variable.',
  why: `geth reads GETH_ variables from v1.13.1 on. An older release starts without them and without a warning: an interface that they open stays closed, and a list that they narrow keeps its default. The same settings open it once the release is newer.`,
  fix: 'Write the settings as flags, or run a release that reads the variables.',
  ignore: 'If the variables are there for a newer release.',
  sources: [geth('internal/flags/helpers.go'), 'docs/releases.md'],
  examples: {
    bad: { command: 'GETH_SYNCMODE=full geth', release: 'v1.10.26' },
    good: { command: 'GETH_SYNCMODE=full geth', release: 'v1.13.15' },
  },
  on: 'settings',
  check: (settings) => {
    const ignored = settings.problems.filter(({ kind }) => kind === 'ignored-variable');
    const names = ignored.flatMap(({ variable }) => variable ?? []);
    const [at = fileStart(settings), ...others] = ignored.flatMap((one) => one.at ?? []);
    if (ignored.length === 0) return decideVerdict([]);
    const have = names.length === 1 ? 'has' : 'have';
    return decideVerdict([
      {
        subject: names.join(','),
        at,
        message: `The release reads no ${settings.nodeKind.flags.variablePrefix} variable: ${joinFirst(names, 6)} ${have} no effect.`,
        fix: advise('Write them as flags, or run a release that reads them.'),
        related: others.map((place) => ({ at: place, note: 'another such variable' })),
        evidence: { variables: names },
      },
    ]);
  },
};
