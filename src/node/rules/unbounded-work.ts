/** A limit on the work of requests is off, or far above the node's own. */
import { joinWords } from '../../util/words.js';
import { reachOf } from '../facts/reach.js';
import { reaches } from '../facts/severity.js';
import { combineFixes, setTo } from '../fix/proposal/fix.js';
import { exposureDraft } from '../judge/exposure/exposure.js';
import { type Draft, decideVerdict, geth, kaia, type Rule } from '../judge/rule/rule.js';
import { capBlindSpots, farAbove, looseCaps } from '../judge/settings/caps.js';
import { listenerBlindSpots, listenersOn, type RpcListener } from '../judge/settings/listeners.js';
import { placeOfFlags, settingName } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const unboundedWork: Rule = {
  id: 'unbounded-work',
  severity: 'medium',
  title: 'A limit on the work of requests is off or far above the default.',
  why: `One request can be a batch of thousands, a call that computes for minutes, or a search through every log. The node limits the gas and the time of a call, the size of a batch and of its answer, and the searches. Where a limit is off, or more than ${farAbove} times the default of the release, few requests from whoever reaches the interface are enough to keep the node from its work.`,
  fix: 'Leave the limits at the defaults of the release, and let a proxy limit the rate of requests.',
  ignore: 'If a proxy limits the requests before they reach the node, or only your own programs reach it.',
  sources: [geth('cmd/utils/flags.go'), geth('rpc/handler.go'), kaia('cmd/utils/flags.go')],
  examples: {
    bad: {
      command: 'geth --http --http.addr 192.0.2.1 --http.api eth --rpc.gascap 0',
      also: ['public-bind'],
    },
    good: { command: 'geth --http --http.api eth --rpc.gascap 0' },
  },
  on: 'settings',
  check: (settings) => {
    const reached = listenersOn(settings, 'http', 'ws').filter(isReached);
    return decideVerdict(
      reached.flatMap((listener) => unbounded(settings, listener)),
      [
        ...listenerBlindSpots(settings, 'http', 'ws'),
        ...reached.flatMap((one) => capBlindSpots(settings, one)),
      ],
    );
  },
};

function isReached(listener: RpcListener): boolean {
  return reaches.indexOf(reachOf(listener).reach) > reaches.indexOf('loopback');
}

function unbounded(settings: NodeSettings, listener: RpcListener): Draft[] {
  const loose = looseCaps(settings, listener);
  const [first, ...others] = loose;
  if (first === undefined) return [];
  const { kind } = listener;
  const named = loose.map(({ flag, value, is }) => `${settingName(settings, flag)} ${value} (${is})`);
  const values = loose.map(({ flag, back }) => `${settingName(settings, flag)} to ${back}`);
  return [
    exposureDraft(kind, reachOf(listener), {
      about: 'work',
      severity: 'medium',
      at: placeOfFlags(settings, first.flag),
      message: `few requests over ${kind} can keep the node from its work: ${joinWords(named)}`,
      fix: combineFixes(
        `Set ${joinWords(values)}.`,
        loose.map(({ flag, back }) => setTo(settings, flag, back)),
      ),
      related: others.map(({ flag }) => ({
        at: placeOfFlags(settings, flag),
        note: `${settingName(settings, flag)} too`,
      })),
      evidence: { caps: loose.map(({ flag, value }) => ({ flag, value })) },
    }),
  ];
}
