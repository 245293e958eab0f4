/** /api/invite/*: the original app's invitations, which this server refuses. */
import { Refused } from '../protocol/refused.js';
import type { AddRoutes } from './parts.js';
import { addEndpoint } from './route.js';
import { inviteSchema } from './schemas.js';

/** Adds the routes; each answers with the reason. */
export const inviteRoutes: AddRoutes = (app, { limits }) => {
  for (const path of ['/api/invite/encode', '/api/invite/friends']) {
    addEndpoint(app, limits, {
      method: 'POST',
      path,
      schema: inviteSchema,
      answer: async () => {
        const reason =
          'an invitation would give the user’s id, signed and without expiry, to everyone who has the link';
        throw new Refused('UNSUPPORTED_OPERATION', 'this server makes no invitations', reason);
      },
    });
  }
};
