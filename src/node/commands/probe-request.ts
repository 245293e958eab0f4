/** Requests to /probe?target=NAME&policy=NAME: names of what is loaded already, and nothing else. */
import type { IncomingHttpHeaders } from 'node:http';
import { closest } from '../../util/closest.js';
import { visible } from '../../util/visible.js';
import type { Policy } from '../facts/policy.js';
import { reachOfHost } from '../facts/reach.js';
import type { InventoryNode } from './inventory.js';
import type { Reply } from './watch-listener.js';

/** What requests can name. */
export interface Named {
  readonly nodes: ReadonlyMap<string, InventoryNode>;
  readonly policies: ReadonlyMap<string, Policy>;
}

export interface Question {
  readonly node: InventoryNode;
  /** Undefined: that of the options, else that of the node's role. */
  readonly policy: Policy | undefined;
  /** Milliseconds until Prometheus gives up, with a margin. */
  readonly limitMs: number;
}

/** What a request asks for, or why it is refused. Names alone are accepted: no request makes kaiactl dial or read anything else. */
export function questionOf(
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  { nodes, policies }: Named,
): Question | Reply {
  const unknown = [...query.keys()].find((name) => name !== 'target' && name !== 'policy');
  if (unknown !== undefined)
    return refuse(400, `there is no parameter ${visible(unknown, 60)}: use target and policy`);
  const [name, ...more] = query.getAll('target');
  const [policyName, ...others] = query.getAll('policy');
  if (name === undefined || name === '')
    return refuse(400, 'the parameter target is missing: name a node of the inventory');
  if (more.length + others.length > 0) return refuse(400, 'target and policy can be given once');
  const node = nodes.get(name);
  if (node === undefined) return unknownTarget(name, nodes);
  const policy = policyName === undefined ? undefined : policies.get(policyName);
  if (policyName !== undefined && policy === undefined)
    return refuse(
      400,
      `there is no policy ${visible(policyName, 60)}: use the name of a built-in policy, or of the one that --policy loads`,
    );
  const limitMs = limitOf(headers['x-prometheus-scrape-timeout-seconds']);
  if (limitMs === null) return refuse(400, 'X-Prometheus-Scrape-Timeout-Seconds is not a number of seconds');
  return { node, policy, limitMs };
}

function unknownTarget(name: string, nodes: Named['nodes']): Reply {
  if (/[/\\]|:\d/.test(name))
    return refuse(400, 'target is an address or a path: only names of nodes in the inventory are audited');
  const near = closest(name, nodes.keys());
  const hint = near === null ? '' : `: did you mean ${visible(near, 60)}?`;
  return refuse(404, `the inventory has no node ${visible(name, 60)}${hint}`);
}

/** Milliseconds between the end of a probe and the moment at which Prometheus gives up, as in the blackbox exporter. */
const marginMs = 500;

/** Milliseconds for a probe; infinite without the header, null if it is not a number. */
function limitOf(seconds: string | string[] | undefined): number | null {
  if (seconds === undefined) return Number.POSITIVE_INFINITY;
  const ms = Number(seconds) * 1000;
  return ms > 0 && ms < Number.POSITIVE_INFINITY ? Math.max(ms - marginMs, ms / 2) : null;
}

/** True on loopback for a name that is not that of this machine: a browser sends it for a web page whose name leads here. */
export function isForeign(host: string | undefined, bind: string): boolean {
  if (host === undefined || reachOfHost(bind).reach !== 'loopback') return false;
  return (
    !URL.canParse(`http://${host}`) || reachOfHost(new URL(`http://${host}`).hostname).reach !== 'loopback'
  );
}

export function refuse(status: number, sentence: string): Reply {
  return { status, text: `${sentence}\n`, type: 'text/plain; charset=utf-8' };
}
