/** What the headers of a hop do to the node's own checks of pages, Host names and origins. */
import type { AccessChanges } from '../facts/hops.js';

/** A header and its value as written; the value is empty where the header is removed. */
export type Header = readonly [name: string, value: string];

export interface Headers {
  /** Those of answers to calls. */
  readonly answers: readonly Header[];
  /** Those of answers to preflights, which those of all answers are too. */
  readonly preflights: readonly Header[];
  /** Those that are sent to the node. */
  readonly requests: readonly Header[];
  /** The Host that it sends by itself; absent for that of the client. */
  readonly host?: string;
}

/** A page sends its own origin, and asks for the headers that it needs: who repeats them allows every page. */
const anyOrigin =
  /^(?:\*|null|\$http_origin|.*(?:hdr\(origin\)|http\.request\.header\.origin|%\[(?:capture\.req\.|var\()).*)$/i;
const allowsType = /^\*$|\bcontent-type\b|access.control.request.headers/i;
/** The Host of the client. */
const clientHost =
  /^(?:\$(?:host|http_host)(?::\$\w+)?|\{(?:http\.request\.)?(?:host|hostport)\}|%\[(?:req\.)?hdr\(host\).*\])$/i;

/** A lone header lets no page in: a call has a content type that needs a preflight. */
export function changesOf({ answers, preflights, requests, host }: Headers): {
  readonly changes?: AccessChanges;
} {
  const lastOf = (all: readonly Header[], name: string) =>
    all.findLast(([one]) => one.toLowerCase() === name)?.[1];
  const lets = anyOrigin.test(lastOf(answers, 'access-control-allow-origin') ?? '');
  const type = lastOf([...answers, ...preflights], 'access-control-allow-headers') ?? '';
  const sendsType = /json/i.test(lastOf(requests, 'content-type') ?? '');
  const set = lastOf(requests, 'host') ?? host;
  const sent = set === undefined || clientHost.test(set) || /[${%]/.test(set) ? undefined : set;
  const origin = lastOf(requests, 'origin');
  const found = {
    ...(lets && (allowsType.test(type) || sendsType) ? { cors: 'any' as const } : {}),
    ...(sent === undefined ? {} : { host: sent }),
    ...(origin === undefined || /[${%]/.test(origin) ? {} : { origin }),
  };
  return Object.keys(found).length === 0 ? {} : { changes: found };
}
