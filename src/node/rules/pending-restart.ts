/** The running process was started with other settings than the file now contains. */
import { blindSpot, indeterminate, type NotSeen, notSeen } from '../facts/seen.js';
import { advise } from '../judge/fix/fix.js';
import { flagDifferences, hasEffect } from '../judge/live/command-line.js';
import { badNode, goodNode, processOfExample, quietSettings } from '../judge/rule/examples.js';
import { found, notApplicable, type Rule, type Verdict } from '../judge/rule/rule.js';
import { launchers } from '../judge/rule/sources.js';
import { fileStart } from '../judge/settings/setting.js';

const node = (api: string) => processOfExample({ argv: ['/usr/bin/ken', '--rpc', '--rpcapi', api] });

export const pendingRestart: Rule = {
  id: 'pending-restart',
  severity: 'medium',
  title: 'The running node was started with other settings than its file now contains.',
  why: `A launcher reads the settings once, when it starts the node, and an automatic restart may not read them again. Until the launcher is restarted, an interface that the file closes stays open, and the new settings are untested.`,
  fix: 'Restart the node through its launcher and audit again.',
  ignore: 'If a restart is planned; set until= to its date.',
  sources: launchers,
  examples: {
    bad: badNode('the process still has --rpcapi klay,eth,debug', {}, quietSettings, node('klay,eth,debug')),
    good: goodNode('the process has the flags of the conf', quietSettings, node('klay,eth,net,web3')),
  },
  on: 'both',
  check: (settings, live) => {
    const differences = flagDifferences(settings, live);
    if (live.process.state !== 'seen') return unseen(live.process);
    if (differences === null)
      return {
        findings: [],
        blindSpots: [
          indeterminate(null, 'the command line that follows from the settings cannot be resolved offline'),
        ],
      };
    if (differences.length === 0) return { findings: [], blindSpots: [] };
    const { pid } = live.process.value;
    const hasAnyEffect = differences.some((one) => hasEffect(settings, one));
    const shown = differences.slice(0, 5).map(({ flag, conf, process }) => {
      return `--${flag} ${process ?? 'not set'} (conf: ${conf ?? 'not set'})`;
    });
    const more = differences.length > shown.length ? ` and ${differences.length - shown.length} more` : '';
    return {
      findings: [
        {
          subject: 'process',
          severity: hasAnyEffect ? 'medium' : 'low',
          at: fileStart(settings),
          message: `Process ${pid} still runs with ${shown.join(', ')}${more}${hasAnyEffect ? '' : ', which has no effect on what the node does'}.`,
          fix: advise(`Restart the node with ${settings.launcher} restart.`),
          evidence: { pid, differences },
        },
      ],
      blindSpots: [],
    };
  },
};

/** No process was found for a conf on this machine: the node may run in a container or as another user. */
function unseen(why: NotSeen): Verdict {
  if (why.code === 'not-applicable' || why.code === 'not-asked') return notApplicable;
  const how = 'run kaiactl where the node runs, as its user or root, or name the process: pid:<n>';
  return found([], [blindSpot(null, notSeen(why.code, `${why.detail}; to see it, ${how}`))]);
}
