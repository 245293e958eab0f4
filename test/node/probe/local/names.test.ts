/** Which hosts of URLs are names, and what they stand for. */
import { expect, test } from 'vitest';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import { bindOf, isElsewhere, localPort } from '../../../../src/node/probe/local/bind.js';
import { namesOf, resolveName } from '../../../../src/node/probe/local/machine.js';

const resolve = async (host: string) =>
  host === 'en' ? seen(['127.0.0.1']) : notSeen('unreachable', 'the host name is unknown');

test('names are resolved once, and addresses and localhost are not', async () => {
  const urls = [
    'http://en:8551',
    'ws://en:8552',
    'http://constructor:1',
    'http://[::1]:1',
    'http://10.0.0.1:1',
  ];
  expect(await namesOf([...urls, 'http://localhost:1'], resolve)).toEqual({
    en: seen(['127.0.0.1']),
    constructor: notSeen('unreachable', 'the host name is unknown'),
  });
});

test('a name of this machine is bound here, and one that does not resolve is elsewhere', async () => {
  const names = await namesOf(['http://en:8551', 'http://gone:8551'], resolve);
  const at = (url: string) => ({ kind: 'http', url }) as const;
  const named = (url: string) => ({ address: { endpoint: at(url) }, source: 'argument' }) as const;
  expect(localPort(at('http://en:8551'), names)).toBe(8551);
  expect(isElsewhere(named('http://en:8551'), names)).toBe(false);
  expect(isElsewhere(named('http://gone:8551'), names)).toBe(true);
  expect(isElsewhere(named('http://constructor:8551'), names)).toBe(true);
  const machine = seen([{ address: '127.0.0.1', port: 8551 }]);
  expect(bindOf('http://en:8551', { machine, node: [] }, names)).toEqual(seen(['127.0.0.1']));
});

test('a name that does not resolve is unseen', async () => {
  expect((await resolveName('kaiactl.invalid')).state).toBe('not-seen');
});
