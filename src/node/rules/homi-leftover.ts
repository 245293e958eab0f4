/** The lines that homi’s docker-compose template appends to a conf. */

import { joinWords } from '../../util/words.js';
import type { Settings } from '../facts/settings.js';
import type { Span } from '../facts/span.js';
import { advise, deleteLines } from '../fix/proposal/fix.js';
import { conf, decideVerdict, kaia, notApplicable, type Rule } from '../judge/rule/rule.js';

/**
 * The appended lines that open interfaces, literally (cmd/homi/docker/service/validator.go). The other lines select
 * network, key and folder: without them it would be another node.
 */
const openingLines = [
  /^RPC_ENABLE=1$/,
  /^RPC_API="db,eth,klay,net,governance,web3,miner,personal,txpool,debug,admin,istanbul(?:,mainbridge,subbridge(?:,auction)?)?"$/,
  /^ADDITIONAL="\$ADDITIONAL --(?:unlock "75a59b94889a05c03c66c3c84e9d2f8308ca4abd"|password "\/klaytn\/password.txt|debug --metrics --prometheus)"$/,
];

const openingNames: readonly string[] = ['RPC_ENABLE', 'RPC_API', 'ADDITIONAL'];

function opens({ source }: Settings, { line }: Span): boolean {
  return openingLines.some((one) => one.test(source.lines[line - 1] ?? ''));
}

/** The place of homi's marker, a comment of this one word; null without one. */
export function homiMarker(settings: Settings): Span | null {
  return (
    settings.source.comments.find(({ text }) => /^#?\s*docker-compose\s*(?:#|$)/i.test(text.trim()))?.at ??
    null
  );
}

export const homiLeftover: Rule = {
  id: 'homi-leftover',
  severity: 'medium',
  title: 'The conf contains the lines of a homi test network.',
  why: `homi’s docker-compose template appends lines to the packaged conf (cmd/homi/docker/service/validator.go). They switch http on, list every module including admin, debug and personal, put the node key on the command line and unlock the validator’s key with an empty password. The template is made for test networks, and its lines override those above the marker.`,
  fix: 'Delete the marker and everything below it, and put the settings that are needed in the lines above.',
  ignore: 'If the node belongs to a test network that no other machine reaches.',
  sources: [kaia('cmd/homi/docker/service/validator.go')],
  examples: {
    bad: {
      conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n# docker-compose\nRPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\n',
    },
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3"'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const at = homiMarker(settings);
    if (at === null) return notApplicable;
    const appended = shell.assignments.filter((one) => one.at.line > at.line);
    if (appended.length === 0) return notApplicable;
    const names = [...new Set(appended.map(({ variable }) => variable))];
    const hidden = shell.assignments.filter(
      (one) => one.at.line < at.line && !one.effective && names.includes(one.variable),
    );
    const opening = appended.filter(({ variable }) => openingNames.includes(variable));
    const replaced = hidden.filter(({ variable }) =>
      appended.some((one) => one.variable === variable && !opening.includes(one)),
    );
    return decideVerdict([
      {
        subject: 'docker-compose',
        // Without a line that opens something, the rest only selects another network.
        ...(opening.length === 0 ? { severity: 'low' as const } : {}),
        at,
        message: `Below this marker homi’s test-network template sets ${joinWords(names.slice(0, 5))}${hidden.length === 0 ? '.' : ' and overrides the lines above.'}`,
        fix: opening.every((one) => opens(settings, one.at))
          ? deleteLines(
              settings,
              [at, ...[...opening, ...replaced].map((one) => one.at)],
              'Delete the marker, the lines below it that open interfaces, and the earlier lines that the remaining ones override.',
              'unsafe',
            )
          : advise(
              'Delete the marker and everything below it, and put the settings that are needed in the lines above.',
            ),
        related: hidden.slice(0, 5).map((one) => ({ at: one.at, note: 'this value is not used' })),
      },
    ]);
  },
};
