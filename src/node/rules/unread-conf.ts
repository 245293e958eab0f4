/** Lines are written to a conf that is not read, because the binary is started without its launcher. */
import { advise } from '../fix/proposal/fix.js';
import { badNode, goodNode, quietSettings } from '../judge/rule/examples.js';
import { decideVerdict, launchers, notApplicable, type Rule } from '../judge/rule/rule.js';
import { isScripted } from '../kinds/find.js';

const at = { file: 'start.sh', line: 2, column: 1, endLine: 2, endColumn: 40 };

export const unreadConf: Rule = {
  id: 'unread-conf',
  needs: isScripted,
  severity: 'medium',
  title: 'Lines are written to a conf that the node does not read.',
  why: `Only the launcher (kend start) sources the conf and turns its variables into flags. An entrypoint that starts the binary (ken) directly bypasses it: the settings in the conf, such as a shorter module list, have no effect.`,
  fix: 'Start the launcher, or pass the settings as flags on the command line.',
  ignore: 'If another program reads the conf.',
  sources: launchers,
  examples: {
    bad: badNode(
      'an entrypoint appends to kend.conf and then runs ken itself',
      {},
      { ...quietSettings, unread: [at] },
    ),
    good: goodNode('an entrypoint appends to kend.conf and then runs kend start', quietSettings),
  },
  on: 'settings',
  check: (settings) => {
    const { unread = [], launcher } = settings;
    const [first, ...more] = unread;
    if (first === undefined) return notApplicable;
    const binary = settings.nodeKind.programOf(launcher);
    return decideVerdict([
      {
        subject: `${launcher}.conf`,
        at: first,
        message: `${binary} is started without its launcher, so nothing reads the ${unread.length === 1 ? 'line' : `${unread.length} lines`} written to ${launcher}.conf.`,
        fix: advise(
          `Start ${launcher} instead of ${binary}, or pass the settings as flags on its command line.`,
        ),
        related: more.slice(0, 5).map((span) => ({ at: span, note: 'also not read' })),
      },
    ]);
  },
};
