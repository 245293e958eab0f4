/** /api/invite/*: the original app's invitations, which this server does not make. */
import { Refused } from '../protocol/refused.js';
import type { AddRoutes } from './parts.js';
import { addEndpoint } from './route.js';
import { inviteSchema } from './schemas.js';

/** Adds the routes; each says why. */
export const inviteRoutes: AddRoutes = (app, { limits }) => {
  for (const path of ['/api/invite/encode', '/api/invite/friends']) {
    addEndpoint(app, limits, {
      method: 'POST',
      path,
      schema: inviteSchema,
      answer: async () => {
        const reason = 'they would carry the user’s id, signed and for ever, to whoever gets the link';
        throw new Refused('UNSUPPORTED_OPERATION', 'this server makes no invitations', reason);
      },
    });
  }
};
