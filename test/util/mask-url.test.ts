import { expect, test } from 'vitest';
import { maskPath, maskUrls, secretsIn, secretsOf, withoutKeys } from '../../src/util/mask-url.js';

const uuid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

test.each([
  ['/', '/'],
  ['/rpc/ws/', '/rpc/ws/'],
  ['/kaia/en-01', '/kaia/en-01'],
  ['/ext/bc/C/rpc', '/ext/bc/…/rpc'],
  ['/v1/rpc', '/v1/rpc'],
  ['/v2/KEY', '/v2/…'],
  ['/v2/demo', '/v2/…'],
  ['/v3/0a1b2c/rpc', '/v3/…/rpc'],
  [`/${uuid}`, '/…'],
  [`/node/${uuid}/kaia`, '/node/…/kaia'],
  ['/rpc;token=abc', '/…'],
  ['/token/abc', '/token/…'],
  ['/%6Bey', '/…'],
  ['/abcdefghijklmnop', '/…'],
  ['/a1b2', '/…'],
])('the path %s is shown as %s', (path, shown) => {
  expect(maskPath(path)).toBe(shown);
  expect(maskPath(shown)).toBe(shown);
});

test.each([
  ['no URL', 'no URL'],
  ['see http://h/v2/KEY.', 'see http://h/v2/….'],
  ['(ws://me:pw@h:1/x?k=1#y)', '(ws://…@h:1/x?…#…'],
  ['http://me:p@w@h', 'http://…@h'],
  ['http://ops:S3cretPassw0rd#@h:1/ is', 'http://…@h:1/ is'],
  ['http://ops:Passw0rd/x?y@h', 'http://…@h'],
  ['http://ops:1234#5@h', 'http://…@h'],
  ['http//ops:s3cr3tPass@127.0.0.1:19203/', 'http//…@127.0.0.1:19203/'],
  ['http://h:1/@x and http://h?a=b@c', 'http://h:1/… and http://h?…'],
  ['"http://h/v2/KEY" and https://up.example?key=1 there', '"http://h/v2/…" and https://up.example?… there'],
  ['kni://key@10.0.0.1:32323 file:///v2/KEY', 'kni://key@10.0.0.1:32323 file:///v2/KEY'],
  ['https://docs.kaia.io/nodes/endpoint', 'https://docs.kaia.io/nodes/endpoint'],
])('in %j', (text, shown) => {
  expect(maskUrls(text)).toBe(shown);
  expect(maskUrls(shown)).toBe(shown);
});

test('an answer that repeats a key is masked; short words stay', () => {
  const secrets = secretsOf(new URL('http://me:a-password@h/v2/0123456789?k=abc&token=abcdefgh'));
  expect(secrets).toEqual(expect.arrayContaining(['0123456789', 'abcdefgh', 'a-password']));
  expect(secrets).not.toContain('abc');
  expect(withoutKeys('no 0123456789 for me, a-password', secrets)).toBe('no … for me, …');
});

test('a secret is masked raw, decoded and in base64', () => {
  const basic = Buffer.from('ops:pa$$word').toString('base64');
  const secrets = [
    ...secretsOf(new URL('http://ops:pa%24%24word@h/v2/KEY%2F1234567')),
    ...secretsIn({
      authorization: 'Bearer tok-12345678',
      'x-key': 'b3BlbnNlc2FtZQ==',
      accept: 'application/json',
    }),
  ];
  for (const said of [basic, 'pa$$word', 'pa%24%24word', 'KEY/1234567', 'tok-12345678', 'opensesame'])
    expect(withoutKeys(`${said} is wrong`, secrets), said).not.toContain(said);
  expect(withoutKeys('application/json', secrets)).toBe('application/json');
});
