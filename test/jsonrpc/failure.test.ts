/** Each way a question fails has a code of its own: branches ask it, never the message. */
import { expect, test } from 'vitest';
import { deadline } from '../../src/jsonrpc/deadline.js';
import { ChannelError, failure } from '../../src/jsonrpc/failure.js';

test.each([
  ['ECONNREFUSED', 'refused'],
  ['EACCES', 'not-permitted'],
  ['ENOENT', 'not-found'],
  ['ETIMEDOUT', 'timeout'],
  ['ENOTFOUND', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'untrusted'],
  ['HPE_INVALID_CONSTANT', 'unreadable'],
  ['Z_DATA_ERROR', 'unreadable'],
  ['EWHATEVER', 'unreachable'],
])('%s is %s, also as the first of several attempts', (code, expected) => {
  const error = Object.assign(new Error('request to http://x/ failed, reason: y'), { code });
  expect(failure(error).code).toBe(expected);
  expect(failure(error).message.includes('--insecure')).toBe(expected === 'untrusted');
  expect(failure(new AggregateError([error, new Error('later')])).code).toBe(expected);
});

test('what already has a code keeps it', () => {
  const error = new ChannelError('rpc-error', 'said no');
  expect(failure(error)).toBe(error);
});

test('an interrupt is not reported as a timeout', async () => {
  const parent = new AbortController();
  const interrupted = deadline(60_000, parent.signal);
  parent.abort();
  expect(interrupted.signal.reason).toMatchObject({ code: 'interrupted' });
  interrupted.clear();
  const late = deadline(1);
  await new Promise((resolve) => late.signal.addEventListener('abort', resolve));
  expect(late.signal.reason).toMatchObject({ code: 'timeout' });
});
