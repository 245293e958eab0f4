/** Who can open a local socket: by the mode that a flag gives it, or as it was seen. */
import { joinWords } from '../../../util/words.js';
import type { SocketAccess } from '../../facts/live.js';
import { type BlindSpot, indeterminate } from '../../facts/seen.js';
import { isLocal, type Listener, octalOf } from '../../facts/settings.js';
import { advise, setTo } from '../../fix/proposal/fix.js';
import type { NodeSettings } from '../../kinds/node.js';
import { factBlindSpots } from '../live/blind-spots.js';
import type { LiveEndpoint } from '../live/interfaces.js';
import type { Draft } from '../rule/rule.js';
import { placeOfFlags, writtenName } from '../settings/setting.js';

/** A socket whose mode was seen is as it was seen, whatever the settings say. */
export function shownClosed(one: LiveEndpoint): string[] {
  const { endpoint, fileMode } = one;
  return endpoint.kind === 'ipc' && fileMode.state === 'seen' && checkLiveSocket(one).length === 0
    ? [endpoint.path]
    : [];
}

/** From the settings alone: who may enter the folders above the socket is not known here. */
export function checkDeclaredSocket(settings: NodeSettings, { kind, state, mode, path }: Listener): Draft[] {
  if (state !== 'on' || mode == null || !isLocal(kind)) return [];
  const { interfaces } = settings.nodeKind;
  const flags = interfaces.flags[kind];
  const { everyone, some } = byMode(mode);
  if (flags.mode === null || (!everyone && some.length === 0)) return [];
  const octal = octalOf(mode);
  return [
    {
      subject: path ?? kind,
      severity: everyone ? 'high' : 'medium',
      at: placeOfFlags(settings, flags.mode),
      message: `${writtenName(settings, flags.mode)} gives ${path ?? `the socket of ${kind}`} mode ${octal}: ${whoOf(everyone, some)} can ${interfaces.serves[kind]?.does ?? 'call all modules'}.`,
      fix: setTo(settings, flags.mode, '600'),
      evidence: { interface: kind, mode: octal },
    },
  ];
}

export function declaredBlindSpots({ kind, state, reason, mode }: Listener): BlindSpot[] {
  if (state === 'on' && mode !== null) return [];
  return [indeterminate(kind, reason ?? 'the mode of its socket cannot be resolved offline')];
}

export function checkLiveSocket({ endpoint, name, fileMode, openTo }: LiveEndpoint): Draft[] {
  if (endpoint.kind !== 'ipc' || fileMode.state !== 'seen') return [];
  const { everyone, some } = openTo.state === 'seen' ? openTo.value : byMode(fileMode.value);
  if (!everyone && some.length === 0) return [];
  const mode = octalOf(fileMode.value);
  return [
    {
      subject: endpoint.path,
      severity: everyone ? 'high' : 'medium',
      at: { endpoint: name },
      message: `${endpoint.path} has mode ${mode}: ${whoOf(everyone, some)} can call all modules.`,
      fix: advise('Set the mode of the socket to 0600.'),
      evidence: { mode },
    },
  ];
}

function whoOf(everyone: boolean, some: readonly string[]): string {
  return everyone ? 'every user of the machine' : some.join(' and ');
}

/** Of facts without the folders: by the socket alone. */
function byMode(mode: number): Pick<SocketAccess, 'everyone' | 'some'> {
  return { everyone: (mode & 0o002) !== 0, some: (mode & 0o020) === 0 ? [] : ['every member of its group'] };
}

export function shownBlindSpots(one: LiveEndpoint): BlindSpot[] {
  return [...factBlindSpots(one, 'fileMode'), ...listBlindSpots(one)];
}

function listBlindSpots({ endpoint, name, openTo }: LiveEndpoint): BlindSpot[] {
  if (endpoint.kind !== 'ipc' || openTo.state !== 'seen') return [];
  const { everyone, lists } = openTo.value;
  if (everyone || lists.length === 0) return [];
  const why = `the access control list of ${joinWords(lists)} may let further users in: getfacl shows them`;
  return [indeterminate(name, why)];
}
