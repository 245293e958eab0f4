/** GET /api/group/members?id=<survey>: the members of a survey's group. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { field } from '../../util/json.js';
import { keepRecent } from '../../util/keep-recent.js';
import { readSurvey } from '../protocol/join-request.js';
import { Refused } from '../protocol/refused.js';
import { type GroupInfo, paths } from '../protocol/wire.js';
import type { Group } from '../store/group-store.js';
import type { Parts } from './parts.js';
import { acceptedEncoding, Rendering, varied } from './rendering.js';
import { addEndpoint, sendJson } from './route.js';
import { membersSchema } from './schemas.js';

/** Surveys in the cache; the least recently used is evicted. */
const maxCached = 256;

/** At most `limit` entries after the index `after`; null when the request asks for the whole list. */
function partOf(query: unknown, { members, groupId }: Group): GroupInfo | null {
  const [after, limit] = [count(query, 'after'), count(query, 'limit')];
  if (after === null && limit === null) return null;
  const from = after === null ? 0 : after + 1;
  return { members: members.slice(from, limit === null ? undefined : from + limit), groupId, from };
}

/** @throws {Refused} when the parameter is not a whole number */
function count(query: unknown, name: string): number | null {
  const text = field(query, name);
  if (text === undefined) return null;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw new Refused('INVALID_ARGUMENT', `invalid ${name}`, 'it is not a whole number', { argument: name });
}

/** A line of JSON for each member, in chunks that do not block the event loop. */
function* lines({ members }: Group, from: number, to: number): Generator<string> {
  for (let at = from; at < to; at += linesPerChunk) {
    const piece = members.slice(at, Math.min(at + linesPerChunk, to));
    yield piece.map((commitment, n) => `${JSON.stringify({ index: at + n, commitment })}\n`).join('');
  }
}
const linesPerChunk = 1000;

/** Whether an If-None-Match header names the tag, compared weakly (RFC 9110, 13.1.2). */
export function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined || header === etag) return header === etag;
  const tags: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return header.trim() === '*' || tags.includes(etag.replace(/^W\//, ''));
}

/** By checksummed address. */
export type Renderings = Map<string, Rendering>;

export function membersRoutes(app: FastifyInstance, { store, limits }: Parts, renderings: Renderings): void {
  addEndpoint(app, limits, {
    method: 'GET',
    path: paths.members,
    schema: membersSchema,
    async answer(request, reply) {
      const id = field(request.query, 'id');
      // The checksum of a cached survey is known, and not computed again.
      const survey = typeof id === 'string' && renderings.has(id) ? id : readSurvey(id);
      const group = await store.group(survey);
      const part = partOf(request.query, group);
      const rendering = renderings.get(survey) ?? new Rendering();
      keepRecent(renderings, survey, rendering, maxCached);
      const version = rendering.version(group);
      const isLines = /\bapplication\/x-ndjson\b/.test(request.headers.accept ?? '');
      // The lines of a list are another representation than its JSON.
      const etag = isLines ? version.etag.replace(/"$/, '-lines"') : version.etag;
      reply.header('cache-control', 'no-cache').header('etag', etag);
      // Answers also vary by origin.
      const vary = [reply.getHeader('vary') ?? [], varied].flat();
      reply.header('vary', vary.join(', '));
      if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (isLines) {
        const from = part?.from ?? 0;
        const to = from + (part ?? group).members.length;
        reply.header('content-type', 'application/x-ndjson');
        return reply.send(Readable.from(lines(group, from, to)));
      }
      if (part !== null) return sendJson(reply, JSON.stringify({ data: JSON.stringify(part) }));
      const encoding = acceptedEncoding(request.headers['accept-encoding']);
      const compressed = encoding === null ? null : await version.compressed(encoding);
      if (compressed !== null) return sendJson(reply.header('content-encoding', encoding), compressed);
      return sendJson(reply, version.body);
    },
  });
}
