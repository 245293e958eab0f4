/** Others on the machine may open the ipc socket. */

import { isMoot } from '../facts/seen.js';
import { advise } from '../judge/fix/fix.js';
import { isOpen } from '../judge/live/answers.js';
import { blindTo } from '../judge/live/blind-spots.js';
import { asked, type LiveEndpoint } from '../judge/live/live.js';
import { badNode } from '../judge/rule/examples.js';
import { type Draft, foundInEach, type Rule } from '../judge/rule/rule.js';

const endpoint = { kind: 'ipc', path: '/var/kend/data/klay.ipc' } as const;

export const openSocket: Rule = {
  id: 'open-socket',
  severity: 'high',
  title: 'Other users of the machine may open the ipc socket.',
  why: `IPC offers every module without a list, personal, admin and the unsafe part of debug included: whoever may write to klay.ipc owns the node. The node makes the file 0600 (networks/rpc/ipc_unix.go); another mode was set afterwards.`,
  fix: 'Give the socket back to its owner; let tools run as that user.',
  examples: {
    bad: badNode('klay.ipc with mode 0666', { endpoint, fileMode: { state: 'seen', value: 0o666 } }),
    good: badNode('klay.ipc with mode 0600', { endpoint, fileMode: { state: 'seen', value: 0o600 } }),
  },
  on: 'live',
  check: (live) =>
    foundInEach(
      asked(live, 'ipc').filter(
        (one) => one.fileMode.state === 'seen' || (isOpen(one) && !isMoot(one.fileMode)),
      ),
      { findings: draft, blindSpots: (endpoint) => blindTo(endpoint, 'fileMode') },
    ),
};

function draft({ endpoint, name, fileMode }: LiveEndpoint): Draft[] {
  if (endpoint.kind !== 'ipc' || fileMode.state !== 'seen' || (fileMode.value & 0o022) === 0) return [];
  const everyone = (fileMode.value & 0o002) !== 0;
  const mode = fileMode.value.toString(8).padStart(4, '0');
  return [
    {
      subject: endpoint.path,
      severity: everyone ? 'high' : 'medium',
      at: { endpoint: name },
      message: `${endpoint.path} has mode ${mode}: ${everyone ? 'every user' : 'every member of its group'} may call all modules.`,
      fix: advise('Give the socket mode 0600 again.'),
      evidence: { mode },
    },
  ];
}
