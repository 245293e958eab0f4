/** Other users of the machine can open the IPC socket. */

import { listed } from '../../util/words.js';
import type { SocketAccess } from '../facts/live.js';
import { type BlindSpot, indeterminate, isMoot, seen } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import { isOpen } from '../judge/live/answers.js';
import { factBlindSpots } from '../judge/live/blind-spots.js';
import type { LiveEndpoint } from '../judge/live/interfaces.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { badNode } from '../judge/rule/examples.js';
import { type Draft, foundInEach, kaia, linux, type Rule } from '../judge/rule/rule.js';

const endpoint = { kind: 'ipc', path: '/var/kend/data/klay.ipc' } as const;

export const openSocket: Rule = {
  id: 'open-socket',
  severity: 'high',
  title: 'Other users of the machine can open the IPC socket.',
  why: `IPC offers every module without a list, including personal, admin and debug: whoever can write to the socket controls the node. Most nodes create the socket with mode 0600, so another mode was set afterwards; others leave it to the umask or a flag. A mode counts as far as the folders on the way let others pass: 0666 in a folder with mode 0700 is closed.`,
  fix: 'Set mode 0600 again, and run tools as the node’s user.',
  ignore: 'If every user who can open the socket may control the node.',
  sources: [kaia('networks/rpc/ipc_unix.go'), linux('man7/unix.7')],
  examples: {
    bad: badNode('klay.ipc with mode 0666', { endpoint, fileMode: seen(0o666) }),
    good: badNode('klay.ipc with mode 0666 in a folder with mode 0700', {
      ...{ endpoint, fileMode: seen(0o666), openTo: seen({ everyone: false, some: [], lists: [] }) },
    }),
  },
  on: 'live',
  check: (live) =>
    foundInEach(
      relevantEndpoints(live, 'ipc').filter(
        (one) => one.fileMode.state === 'seen' || (isOpen(one) && !isMoot(one.fileMode)),
      ),
      { findings: draft, blindSpots: (one) => [...factBlindSpots(one, 'fileMode'), ...listBlindSpots(one)] },
    ),
};

function draft({ endpoint, name, fileMode, openTo }: LiveEndpoint): Draft[] {
  if (endpoint.kind !== 'ipc' || fileMode.state !== 'seen') return [];
  const { everyone, some } = openTo.state === 'seen' ? openTo.value : byMode(fileMode.value);
  if (!everyone && some.length === 0) return [];
  const mode = fileMode.value.toString(8).padStart(4, '0');
  return [
    {
      subject: endpoint.path,
      severity: everyone ? 'high' : 'medium',
      at: { endpoint: name },
      message: `${endpoint.path} has mode ${mode}: ${everyone ? 'every user of the machine' : some.join(' and ')} can call all modules.`,
      fix: advise('Set the mode of the socket to 0600.'),
      evidence: { mode },
    },
  ];
}

/** Of facts without the folders: by the socket alone. */
function byMode(mode: number): Pick<SocketAccess, 'everyone' | 'some'> {
  return { everyone: (mode & 0o002) !== 0, some: (mode & 0o020) === 0 ? [] : ['every member of its group'] };
}

function listBlindSpots({ endpoint, name, openTo }: LiveEndpoint): BlindSpot[] {
  if (endpoint.kind !== 'ipc' || openTo.state !== 'seen') return [];
  const { everyone, lists } = openTo.value;
  if (everyone || lists.length === 0) return [];
  const why = `the access control list of ${listed(lists)} may let further users in: getfacl shows them`;
  return [indeterminate(name, why)];
}
