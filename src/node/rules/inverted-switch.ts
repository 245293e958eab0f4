/** A switch is set to false, and the program asks only whether it is given. */
import { bySeverityAndReach, reachOf } from '../facts/reach.js';
import { advise, removeFlag } from '../fix/proposal/fix.js';
import { decideVerdict, type Rule } from '../judge/rule/rule.js';
import { placeOfFlags, writtenName } from '../judge/settings/setting.js';

export const invertedSwitch: Rule = {
  id: 'inverted-switch',
  needs: ({ flags }) => flags.onceGiven !== undefined,
  severity: 'medium',
  title: 'A switch that is set to false turns its interface on.',
  why: `Some programs ask only whether a switch is given, not for its value: --ws=false on the command line, and ws: false in a file, open WebSockets as --ws does. Whoever writes it wants the interface closed.`,
  fix: 'Remove the switch: without it, the interface is closed.',
  ignore: 'If the interface is meant to be open: write the switch without a value then.',
  sources: ['https://github.com/erigontech/erigon/blob/main/node/cli/flags.go'],
  examples: {
    bad: { command: 'erigon --http.api eth --http.addr 127.0.0.1 --ws=false', also: ['wildcard-origins'] },
    good: { command: 'erigon --http.api eth --http.addr 127.0.0.1' },
  },
  on: 'settings',
  check: (settings) => {
    const { interfaces, flags } = settings.nodeKind;
    return decideVerdict(
      settings.listeners.flatMap((listener) => {
        const { enable } = interfaces.flags[listener.kind];
        const switched = enable === null ? undefined : settings.values[enable];
        const isFalse = switched?.value === false && switched.origin.kind !== 'default';
        if (enable === null || !isFalse || listener.state !== 'on' || flags.onceGiven?.has(enable) !== true)
          return [];
        const who = reachOf(listener);
        const { reach, because } = who;
        const name = writtenName(settings, enable);
        return [
          {
            subject: listener.kind,
            severity: bySeverityAndReach('medium', reach, who),
            at: placeOfFlags(settings, enable),
            message: `${name} is false and turns ${listener.kind} on: the program asks only whether it is given; ${because}.`,
            fix:
              switched.origin.kind === 'flag'
                ? removeFlag(settings, enable, switched.origin)
                : advise(`Remove ${name}, which closes ${listener.kind}.`),
            evidence: { interface: listener.kind, flag: enable, reach },
          },
        ];
      }),
    );
  },
};
