/** GraphQL answers on the port of http, whatever modules http lists. */
import { isWildcard } from '../facts/access.js';
import { reachOf } from '../facts/reach.js';
import { switchOff } from '../fix/proposal/fix.js';
import { exposureDraft } from '../judge/exposure/exposure.js';
import { decideVerdict, geth, type Rule } from '../judge/rule/rule.js';
import { listenersOn } from '../judge/settings/listeners.js';
import { placeOfFlags } from '../judge/settings/setting.js';
import { items } from '../kinds/listening.js';

export const graphqlBesideList: Rule = {
  id: 'graphql-beside-list',
  needs: ({ interfaces }) => interfaces.flags.graphql.enable !== null,
  severity: 'medium',
  title: 'GraphQL answers beside the module list of http.',
  why: `--graphql serves the chain’s data at /graphql and /graphql/ui on the port of http; geth v1.9.0 to v1.9.18 open a port for it, 8547 by default, without --http too. --http.api does not limit it: it answers blocks even if http lists net alone. It has lists of its own for host names and origins.`,
  fix: 'Switch GraphQL off unless clients use it, and name their hosts and origins.',
  ignore: 'If clients use GraphQL and everyone who reaches http may read the chain.',
  sources: [geth('graphql/service.go'), geth('cmd/utils/flags.go')],
  examples: {
    bad: { command: 'geth --http --http.api net --graphql --graphql.corsdomain *' },
    good: { command: 'geth --http --http.api net' },
  },
  on: 'settings',
  check: (settings) => {
    const { graphql, 'graphql.corsdomain': origins, 'graphql.vhosts': hosts } = settings.values;
    if (graphql?.value !== true) return decideVerdict([]);
    const open = [
      ...((items(origins) ?? []).some((one) => isWildcard('cors', one)) ? ['origin'] : []),
      ...((items(hosts) ?? []).some((one) => isWildcard('vhosts', one)) ? ['host name'] : []),
    ];
    const any = open.length === 0 ? '' : `, for any ${open.join(' and any ')}`;
    const own = listenersOn(settings, 'graphql');
    return decideVerdict(
      (own.length > 0 ? own : listenersOn(settings, 'http')).map((listener) => {
        const { kind, port } = listener;
        const where = kind === 'graphql' ? `port ${port ?? '?'}, its own` : 'the port of http';
        const who = reachOf(listener);
        // It reads what eth reads: to callers who reach that anyway it adds nothing.
        const adds = kind === 'graphql' || who.reach !== 'any' || listener.modules?.includes('eth') !== true;
        return exposureDraft('http', who, {
          about: 'graphql',
          severity: open.length > 0 && adds ? 'medium' : 'low',
          at: placeOfFlags(settings, 'graphql'),
          message: `GraphQL answers at /graphql on ${where}, whatever http lists${any}`,
          fix: switchOff(settings, 'graphql'),
          evidence: { port, wildcards: open },
        });
      }),
    );
  },
};
