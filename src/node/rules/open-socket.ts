/** Other users of the machine can open the IPC socket. */

import { isMoot, seen } from '../facts/seen.js';
import {
  checkDeclaredSocket,
  checkLiveSocket,
  declaredBlindSpots,
  shownBlindSpots,
  shownClosed,
} from '../judge/exposure/sockets.js';
import { isOpen } from '../judge/live/answers.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { badNode } from '../judge/rule/examples.js';
import { foundInEach, kaia, linux, type Rule } from '../judge/rule/rule.js';

const endpoint = { kind: 'ipc', path: '/var/kend/data/klay.ipc' } as const;

export const openSocket: Rule = {
  id: 'open-socket',
  severity: 'high',
  title: 'Other users of the machine can open the IPC socket.',
  why: `Most kinds of node offer every module over IPC without a list, private ones too, and some serve the engine API over a socket without a token: whoever can write to the socket controls the node. Most nodes create the socket with mode 0600, so another mode was set afterwards; others leave it to the umask or a flag, such as --ipc.permissions of reth. A mode counts as far as the folders on the way let others pass: 0666 in a folder with mode 0700 is closed.`,
  fix: 'Set mode 0600 again, and run tools as the node’s user.',
  ignore: 'If every user who can open the socket may control the node.',
  sources: [kaia('networks/rpc/ipc_unix.go'), linux('man7/unix.7')],
  examples: {
    bad: badNode('klay.ipc with mode 0666', { endpoint, fileMode: seen(0o666) }),
    good: badNode('klay.ipc with mode 0666 in a folder with mode 0700', {
      endpoint,
      fileMode: seen(0o666),
      openTo: seen({ everyone: false, some: [], lists: [] }),
    }),
  },
  on: 'exposure',
  ofSettings: (settings) =>
    foundInEach(
      settings.listeners.filter(({ state, mode }) => state !== 'off' && mode !== undefined),
      { findings: (one) => checkDeclaredSocket(settings, one), blindSpots: declaredBlindSpots },
    ),
  ofLive: (live) =>
    foundInEach(
      relevantEndpoints(live, 'ipc').filter(
        (one) => one.fileMode.state === 'seen' || (isOpen(one) && !isMoot(one.fileMode)),
      ),
      {
        findings: checkLiveSocket,
        refuted: shownClosed,
        blindSpots: shownBlindSpots,
      },
    ),
};
