/** GET /api/group/members?id=<survey>: who is in a survey's group. */
import { createHash } from 'node:crypto';
import { readSurvey } from '../protocol/join-request.js';
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

function answerOf(group: Group): Answer {
  const known = answers.get(group);
  if (known !== undefined) return known;
  const info: GroupInfo = { members: group.members, groupId: group.groupId };
  const body = Buffer.from(JSON.stringify({ data: JSON.stringify(info) }));
  const answer = { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
  answers.set(group, answer);
  return answer;
}

/** Adds the route. */
export const membersRoutes: AddRoutes = (app, { store, limits }) => {
  addEndpoint(app, limits, {
    method: 'GET',
    path: paths.members,
    async answer(request, reply) {
      const group = await store.group(readSurvey(field(request.query, 'id')));
      const { body, etag } = answerOf(group);
      reply.header('cache-control', 'no-cache').header('etag', etag);
      return request.headers['if-none-match'] === etag ? reply.code(304).send() : sendJson(reply, body);
    },
  });
};
