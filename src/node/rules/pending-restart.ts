/** The running process was started with other settings than the file now contains. */
import { advise } from '../fix/proposal/fix.js';
import { flagDifferences } from '../judge/live/command-line.js';
import { restartBlindSpots, restartMessage, subjectOf } from '../judge/live/restart.js';
import { badNode, goodNode, processOfExample, quietSettings } from '../judge/rule/examples.js';
import { decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import { fileStart } from '../judge/settings/setting.js';

const node = (api: string) => processOfExample({ argv: ['/usr/bin/ken', '--rpc', '--rpcapi', api] });

export const pendingRestart: Rule = {
  id: 'pending-restart',
  severity: 'high',
  title: 'The running node was started with other settings than its file now contains.',
  why: `A launcher reads the settings once, when it starts the node. Until it is restarted, an interface that the file closes stays open, and the new settings are untested. A crash or a reboot is enough to open what the file says: what would be critical then is high now.`,
  fix: 'Restart the node through its launcher and audit again.',
  ignore: 'If a restart is planned; set until= to its date.',
  sources: launchers,
  examples: {
    bad: badNode('the process still has --rpcapi klay,eth,debug', {}, quietSettings, node('klay,eth,debug')),
    good: goodNode('the process has the flags of the conf', quietSettings, node('klay,eth,net,web3')),
  },
  on: 'restart',
  check: (settings, live, afterRestart) => {
    const critical = afterRestart.filter(({ severity }) => severity === 'critical');
    const differences = flagDifferences(settings, live);
    const verdict = decideVerdict([], restartBlindSpots(live.process, differences));
    if (critical.length === 0 && !differences?.length)
      return { ...verdict, applicable: live.process.state === 'seen' || verdict.blindSpots.length > 0 };
    const opened = afterRestart.map(({ rule, subject, severity }) => ({ rule, subject, severity }));
    // A unit or a container starts the program without a launcher.
    const restart = settings.packageBy === 'launch' ? '' : ` with ${settings.launcher} restart`;
    const hasAnyEffect = live.isRestartPending || critical.length > 0;
    return {
      ...verdict,
      findings: [
        {
          subject: subjectOf(differences ?? []),
          severity: critical.length > 0 ? 'high' : hasAnyEffect ? 'medium' : 'low',
          at: critical[0]?.at ?? fileStart(settings),
          message: restartMessage(settings, live, differences ?? [], { critical, hasAnyEffect }),
          fix: advise(
            critical.length > 0
              ? `Remove from the file what is critical, then restart the node${restart}.`
              : `Restart the node${restart}.`,
          ),
          evidence: {
            pid: live.process.state === 'seen' ? live.process.value.pid : null,
            differences: differences ?? [],
            ...(opened.length === 0 ? {} : { afterRestart: opened }),
          },
        },
      ],
    };
  },
};
