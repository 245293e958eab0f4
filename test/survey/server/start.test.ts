/** A server whose store fails while it starts: it ends with the reason, and stops listening. */
import { expect, test } from 'vitest';
import { Refused } from '../../../src/survey/protocol/refused.js';
import { serve } from '../../../src/survey/server/serve.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { freePort } from '../../peers/free-port.js';
import { request, settings } from './support.js';

test('a store that fails after its tables were read ends the start', async () => {
  const secret = Buffer.alloc(32, 7);
  const storage = await openStorage(':memory:', secret);
  const away = async () => {
    throw new Refused('UNAVAILABLE', 'the store could not be reached', 'its database does not answer');
  };
  const leaving = new Proxy(storage, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name === 'all') return away;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const port = await freePort();
  const serving = serve({ ...(await settings()), secret, port, openStorage: async () => leaving });
  await expect(serving).rejects.toMatchObject({
    name: 'KaiactlError',
    exitCode: 3,
    message: 'the store could not be reached while the server started',
  });
  await expect(request(`http://127.0.0.1:${port}/healthz`, 'GET')).rejects.toThrow();
});
