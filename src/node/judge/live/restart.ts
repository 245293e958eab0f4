/** What a restart with the settings of the file changes. */
import { joinFirst, joinWords } from '../../../util/words.js';
import type { Finding } from '../../facts/report.js';
import { type BlindSpot, blindSpot, indeterminate, notSeen } from '../../facts/seen.js';
import { isLocal, type Listener, type Settings } from '../../facts/settings.js';
import type { NodeSettings } from '../../kinds/node.js';
import { wildcardsOf } from '../settings/listeners.js';
import { isPrivateOn } from '../settings/module-lists.js';
import type { FlagDifference } from './command-line.js';
import type { Live } from './live.js';

const maxFlags = 5;

/** Lists what the file sets: a finding with another change is another one, which a baseline does not cover and a watch prints. */
export function subjectOf(differences: readonly FlagDifference[]): string {
  const wanted = differences.map(({ flag, conf }) => (conf === null ? `no ${flag}` : `${flag}=${conf}`));
  return wanted.length === 0 ? 'process' : `${joinFirst(wanted, maxFlags)} for the process`;
}

/** The flags that differ, the interfaces that a restart changes, and what is critical then. */
export function restartMessage(
  settings: NodeSettings,
  live: Live,
  differences: readonly FlagDifference[],
  { critical, hasAnyEffect }: { readonly critical: readonly Finding[]; readonly hasAnyEffect: boolean },
): string {
  const changes = live.started === null ? [] : interfaceChanges(settings, live.started);
  const names = critical.map(({ rule, subject }) => `${rule} ${subject}`);
  return [
    running(live.process, differences, hasAnyEffect),
    ...(changes.length === 0 ? [] : [`After a restart, ${changes.join('; ')}.`]),
    ...(names.length === 0 ? [] : [`Critical after a restart: ${names.join(', ')}.`]),
  ].join(' ');
}

function running(
  node: Live['process'],
  differences: readonly FlagDifference[],
  hasAnyEffect: boolean,
): string {
  if (node.state !== 'seen' || differences.length === 0)
    return 'The running node does not have all settings of its file.';
  const shown = differences.map(
    ({ flag, conf, process }) => `--${flag} ${process ?? 'not set'} (conf: ${conf ?? 'not set'})`,
  );
  const effect = hasAnyEffect ? '' : ', which has no effect on what the node does';
  return `Process ${node.value.pid} still runs with ${joinFirst(shown, maxFlags)}${effect}.`;
}

/** Clauses such as `http would listen on 0.0.0.0:8551 and offer personal`. */
function interfaceChanges(settings: NodeSettings, started: Settings): string[] {
  return settings.listeners
    .filter(({ kind }) => !isLocal(kind))
    .flatMap((listener) => {
      const running = started.listeners.find(({ kind }) => kind === listener.kind);
      const would = listenerChanges(settings, listener, running);
      return would.length === 0 ? [] : [`${listener.kind} would ${joinWords(would)}`];
    });
}

function listenerChanges(
  settings: NodeSettings,
  listener: Listener,
  running: Listener | undefined,
): string[] {
  const { host, port } = listener;
  const isRunning = running?.state === 'on';
  if (listener.state !== 'on') return listener.state === 'off' && isRunning ? ['be closed'] : [];
  const before = isRunning ? running : null;
  const isMoved = before === null || before.host !== host || before.port !== port;
  const isPrivate = isPrivateOn(settings);
  const offered = (listener.modules ?? []).filter(
    (name) => isPrivate(name) && before?.modules?.includes(name) !== true,
  );
  const [now, then] = [wildcardsOf(listener), before === null ? null : wildcardsOf(before)];
  return [
    ...(isMoved ? [`listen on ${host ?? '?'}:${port ?? '?'}`] : []),
    ...(offered.length > 0 ? [`offer ${joinWords(offered)}`] : []),
    ...(now.anyOrigin === true && then?.anyOrigin !== true ? ['accept any origin'] : []),
    ...(now.anyHost === true && then?.anyHost !== true ? ['accept any Host'] : []),
  ];
}

/** Why the settings of the file cannot be compared with the running process; empty if there is none to search for. */
export function restartBlindSpots(
  node: Live['process'],
  differences: readonly FlagDifference[] | null,
): BlindSpot[] {
  if (node.state === 'seen') {
    const why = 'the command line that follows from the settings cannot be resolved offline';
    return differences === null ? [indeterminate(null, why)] : [];
  }
  if (node.code === 'not-applicable' || node.code === 'not-asked') return [];
  const how = 'run kaiactl where the node runs, as its user or root, or name the process: pid:<n>';
  return [blindSpot(null, notSeen(node.code, `${node.detail}; to see it, ${how}`))];
}
