/** The kind of the client that answers, where the answers or its own process show it. */

import { oncePer } from '../../../util/once-per.js';
import type { EndpointFacts } from '../../facts/live.js';
import type { Kind } from '../../kinds/kind.js';
import { kindAnswering, kindKnown } from '../../kinds/node.js';
import { otherAnswering } from '../../kinds/others.js';

/** The kind of the client at an endpoint, by the facts seen so far; null if none of the kinds is recognised. */
export type Recognise = (facts: EndpointFacts) => Kind | null;

type Modules = EndpointFacts['modules'];
type Client = EndpointFacts['client'];
type Chain = EndpointFacts['chain'];

/** Answers count before the process, whose kind is `running`; absent if the endpoint is not known to be its own. */
export function recognising(kinds: readonly Kind[], running?: string): Recognise {
  const kindOf = oncePer((modules: Modules) =>
    oncePer((client: Client) =>
      oncePer((chain: Chain) =>
        kindKnown(kinds, { kind: kindAnswering(kinds, { modules, client, chain }) ?? running ?? null }),
      ),
    ),
  );
  return ({ modules, client, chain }) => kindOf(modules)(client)(chain);
}

/** The client at an endpoint that is not recognised, for people: `nethermind`, or what is known instead. */
export function nameUnrecognised(kinds: readonly Kind[], facts: EndpointFacts): string {
  const name = otherAnswering(facts)?.name ?? kindAnswering(kinds, facts);
  return name ?? 'a client that does not name itself';
}
