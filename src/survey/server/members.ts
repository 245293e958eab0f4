/** GET /api/group/members?id=<survey>: who is in a survey's group. */
import { createHash } from 'node:crypto';
import { readSurvey } from '../protocol/join-request.js';
import { Refused } from '../protocol/refused.js';
import { field } from '../protocol/upstream.js';
import { type GroupInfo, paths } from '../protocol/wire.js';
import type { Group } from '../store/group-store.js';
import type { AddRoutes } from './parts.js';
import { addEndpoint, sendJson } from './route.js';

interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

/** An answer is serialised once for each version of its group. */
const answers = new WeakMap<Group, Answer>();

function bodyOf(info: GroupInfo): Buffer {
  return Buffer.from(JSON.stringify({ data: JSON.stringify(info) }));
}

function answerOf(group: Group): Answer {
  const known = answers.get(group);
  if (known !== undefined) return known;
  const info: GroupInfo = { members: group.members, groupId: group.groupId };
  const body = bodyOf(info);
  const answer = { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
  answers.set(group, answer);
  return answer;
}

/** What stands behind the index `after`, at most `limit` entries; null when all of them are asked for. */
function partOf(query: unknown, { members, groupId }: Group): GroupInfo | null {
  const [after, limit] = [count(query, 'after'), count(query, 'limit')];
  if (after === null && limit === null) return null;
  const from = after === null ? 0 : after + 1;
  return { members: members.slice(from, limit === null ? undefined : from + limit), groupId, from };
}

/** @throws {Refused} when the parameter is there and no whole number */
function count(query: unknown, name: string): number | null {
  const text = field(query, name);
  if (text === undefined) return null;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw new Refused('INVALID_ARGUMENT', `invalid ${name}`, 'it is no whole number', { argument: name });
}

/** Adds the route. */
export const membersRoutes: AddRoutes = (app, { store, limits }) => {
  addEndpoint(app, limits, {
    method: 'GET',
    path: paths.members,
    async answer(request, reply) {
      const group = await store.group(readSurvey(field(request.query, 'id')));
      const part = partOf(request.query, group);
      const { body, etag } = answerOf(group);
      reply.header('cache-control', 'no-cache').header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return sendJson(reply, part === null ? body : bodyOf(part));
    },
  });
};
