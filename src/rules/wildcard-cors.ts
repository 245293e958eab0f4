/** http answers every web page’s origin. */
import { isAnyOrigin } from '../model/reach.js';
import { forConf } from './conf.js';
import { forEither } from './live.js';
import { openDoor } from './open-door.js';
import type { Rule } from './rule.js';
import { wildcard } from './wildcard.js';

export const wildcardCors: Rule = {
  id: 'wildcard-cors',
  severity: 'high',
  title: 'Any web page may call the node from its visitor’s browser.',
  why: `The node accepts only JSON content types, which a foreign page may send only after a preflight; CORS * answers that preflight with yes. So any page that someone inside the network opens can call every module http offers, through firewalls and on loopback alike (networks/rpc/http.go).`,
  fix: 'Name the origins of the applications that need it, or leave the list empty: no browser access.',
  needs: ['conf', 'live'],
  needsAny: true,
  examples: {
    bad: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth"\nRPC_CORSDOMAIN="*"\nDATA_DIR=/var/kend/data\n' },
    good: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,eth"\nRPC_CORSDOMAIN="https://app.example"\nDATA_DIR=/var/kend/data\n',
    },
  },
  check: forEither(
    forConf((conf) =>
      wildcard(conf, {
        kind: 'http',
        setting: 'origins',
        open: (surface) => surface.origins?.find(isAnyOrigin),
        message: 'any web page can call this node through the browser of someone who can reach it',
        fix: 'https://app.example',
      }),
    ),
    (live, facts) =>
      openDoor(live, facts, {
        kind: 'http',
        fact: 'foreignOrigin',
        subject: 'RPC_CORSDOMAIN',
        message:
          'a preflight from https://kaiactl.invalid was granted: any web page can call this node through the browser of someone who can reach it',
        fix: 'RPC_CORSDOMAIN="https://app.example", then restart',
      }),
  ),
};
