/** The running process was started with other settings than the conf now has. */
import { blindSpot, indeterminate, type NotSeen, notSeen } from '../facts/seen.js';
import { advise } from '../judge/fix/fix.js';
import { flagDifferences, hasEffect } from '../judge/live/command-line.js';
import { badNode, goodNode, quietSettings } from '../judge/rule/examples.js';
import { found, notApplicable, type Rule, type Verdict } from '../judge/rule/rule.js';
import { fileStart } from '../judge/settings/setting.js';

const unasked = notSeen('not-asked', 'not asked');
const node = (api: string) => ({
  process: {
    state: 'seen',
    value: {
      pid: 812,
      argv: ['/usr/bin/ken', '--rpc', '--rpcapi', api],
      startedAt: null,
      environment: unasked,
      folder: unasked,
      settings: null,
      sockets: unasked,
      network: 'same',
      root: '',
      container: null,
    },
  } as const,
});

export const pendingRestart: Rule = {
  id: 'pending-restart',
  severity: 'medium',
  title: 'The running node was started with other settings than its conf has.',
  why: `The launcher reads the conf once, when it starts the node; AUTO_RESTART_NODE=1 starts the node again without reading it. Until the launcher itself is restarted a closed interface stays open, and what the conf says was never tried.`,
  fix: 'Restart through the launcher (kend restart) and audit again.',
  examples: {
    bad: badNode('the process still has --rpcapi klay,eth,debug', {}, quietSettings, node('klay,eth,debug')),
    good: goodNode('the process has what the conf says', quietSettings, node('klay,eth,net,web3')),
  },
  on: 'both',
  check: (settings, live) => {
    const differences = flagDifferences(settings, live);
    if (live.process.state !== 'seen') return unseen(live.process);
    if (differences === null)
      return {
        findings: [],
        blindSpots: [indeterminate(null, 'the conf’s command line cannot be known offline')],
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
          message: `Process ${pid} still runs with ${shown.join(', ')}${more}${hasAnyEffect ? '' : ', which makes no difference to what it does'}.`,
          fix: advise(`Restart the node with ${settings.launcher} restart.`),
          evidence: { pid, differences },
        },
      ],
      blindSpots: [],
    };
  },
};

/** A conf on this machine whose process does not show: it may run in a container, or under another user. */
function unseen(why: NotSeen): Verdict {
  if (why.code === 'not-applicable' || why.code === 'not-asked') return notApplicable;
  const how = 'run kaiactl where the node runs, as its user or root, or name the process: pid:<n>';
  return found([], [blindSpot(null, notSeen(why.code, `${why.detail}; to see it, ${how}`))]);
}
