import { expect, test } from 'vitest';
import { JsonFrames } from '../../src/jsonrpc/ipc.js';

const messages = [
  '{"result":"a{b"}',
  '{"id":1,"result":{"x":["]","\\"}","\\\\"]}}',
  '[1,[2,{"a":"[["}]]',
  '{"클":"🚀{"}',
  '{}',
  '[]',
];

test.each(messages)('%s, split at every byte', (message) => {
  const bytes = Buffer.from(message);
  for (let at = 0; at <= bytes.length; at += 1) {
    const frames = new JsonFrames();
    expect([...frames.push(bytes.subarray(0, at)), ...frames.push(bytes.subarray(at))]).toEqual([message]);
  }
});

test('frames are split byte by byte, in one chunk, and with blanks between them', () => {
  const frames = new JsonFrames();
  const got = [...Buffer.from(messages.join(' \r\n\t'))].flatMap((byte) => frames.push(Buffer.from([byte])));
  expect(got).toEqual(messages);
});

test('complete frames of a chunk are returned before an unfinished frame', () => {
  const frames = new JsonFrames();
  expect(frames.push(Buffer.from('{"a":1}[2]{"b":'))).toEqual(['{"a":1}', '[2]']);
  expect(frames.push(Buffer.from('"}"}'))).toEqual(['{"b":"}"}']);
});

test.each(['hello', '1', '"x"', '{}x'])('%s is not a frame', (text) => {
  expect(() => new JsonFrames().push(Buffer.from(text))).toThrow(/not JSON/);
});

test('a frame that never ends is rejected at the size limit', () => {
  const frames = new JsonFrames();
  const chunk = Buffer.alloc(64 << 10, 'x');
  frames.push(Buffer.from('{"a":"'));
  expect(() => {
    for (let n = 0; n < 100; n += 1) frames.push(chunk);
  }).toThrow(/larger than 1 MiB/);
});

test('deep nesting is rejected before the frame ends', () => {
  expect(() => new JsonFrames().push(Buffer.from('['.repeat(1000)))).toThrow(/levels deep/);
});
