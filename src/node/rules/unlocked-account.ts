/** An account stays unlocked while an interface offers methods that sign with it. */
import { joinWords } from '../../util/words.js';
import { type Assumed, bySeverityAndReach, reachOf, reachOfHost, widest } from '../facts/reach.js';
import { indeterminate } from '../facts/seen.js';
import { isWritten, type Listener, type ListenerKind, type Settings } from '../facts/settings.js';
import { advise } from '../fix/proposal/fix.js';
import { unlockedWhileRunning } from '../judge/access/unlocked-account.js';
import { conf, type Draft, decideVerdict, kaia, notApplicable, type Rule } from '../judge/rule/rule.js';
import { callableOn, listenerBlindSpots } from '../judge/settings/listeners.js';
import { placeOfFlags, writtenName } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

const kinds = ['http', 'ws', 'grpc', 'mainbridge'] as const;

export const unlockedAccount: Rule = {
  id: 'unlocked-account',
  severity: 'critical',
  title: 'An account is unlocked while an interface offers to sign with it.',
  why: `--unlock keeps the key usable for the life of the process; personal.unlockAccount does so at run time, which no file shows. Every interface that offers eth or an equivalent module then answers sendTransaction and sign for whoever calls. gRPC and bridges serve those modules regardless of the lists. A running node tells over IPC which accounts are unlocked. A node that lists no account has none to unlock at that moment.`,
  fix: 'Do not unlock accounts on a node that others reach: sign elsewhere, or bind the interfaces to loopback.',
  ignore: 'If the node must sign, and a firewall lets only the signing application reach the interface.',
  sources: [kaia('cmd/utils/nodecmd/defaultcmd.go'), kaia('api/api_personal.go')],
  examples: {
    bad: conf(
      'RPC_ENABLE=1',
      'RPC_API="klay,net"',
      'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7 --password /etc/kend/pw"',
    ),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,net"'),
  },
  on: 'exposure',
  ofSettings: (settings) => {
    const unlock = settings.values[settings.nodeKind.flags.unlock ?? ''];
    const unknown = unlock?.indeterminate ?? null;
    if (unknown === null && (unlock?.value ?? '') === '') return notApplicable;
    const signing = signingListeners(settings);
    const unseen = listenerBlindSpots(settings, ...kinds);
    if (unknown !== null && !isWritten(unlock?.origin))
      return decideVerdict(
        [],
        signing.length + unseen.length === 0 ? [] : [indeterminate('unlock', unknown)],
      );
    return decideVerdict(signing.length === 0 ? [] : [draft(settings, signing, unknown)], unseen);
  },
  ofLive: unlockedWhileRunning,
};

interface Signing extends Assumed {
  readonly kind: ListenerKind;
}

function draft(settings: Settings, signing: readonly Signing[], unknown: string | null): Draft {
  const who = widest(signing);
  const { reach, because } = who;
  const names = signing.map(({ kind }) => kind);
  const name = writtenName(settings, 'unlock');
  return {
    subject: '--unlock',
    severity: bySeverityAndReach('critical', reach, who),
    at: placeOfFlags(settings, 'unlock'),
    message: `${name} keeps an account unlocked${unknown === null ? '' : ` (${unknown})`}, and ${joinWords(names)} can sign with it: whoever calls can spend its funds; ${because}.`,
    fix: advise(
      settings.values.mine?.value === true
        ? `Bind every interface to loopback, or remove ${name}: with Clique the node then seals no blocks.`
        : `Remove ${name} and sign elsewhere, or bind every interface to loopback.`,
    ),
    evidence: { interfaces: names, reach },
  };
}

/** The interfaces whose modules sign, with who reaches them. */
function signingListeners(settings: NodeSettings): Signing[] {
  const signs = ({ kind, modules }: Listener): boolean =>
    kind === 'mainbridge' ||
    kind === 'grpc' ||
    modules === null ||
    modules.some((name) => settings.nodeKind.modules.signing.includes(name));
  return callableOn(settings, ...kinds)
    .filter(signs)
    .map((listener) => ({
      kind: listener.kind,
      ...(listener.kind === 'mainbridge' ? reachOfHost(listener.host) : reachOf(listener)),
    }));
}
