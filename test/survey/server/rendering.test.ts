/** Large lists as bytes: appended instead of rendered again; compressed; in parts and in lines. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptedEncoding, Rendering, type Version } from '../../../src/survey/server/rendering.js';
import { joinBody, request, started, survey } from './support.js';

const plain = (groupId: string, members: readonly string[]) =>
  JSON.stringify({ data: JSON.stringify({ members, groupId }) });

test('after any change the bytes match the list, and equal lists have equal etags', () => {
  const lists = fc.array(fc.array(fc.constantFrom('0', '1', '22', '333'), { maxLength: 6 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(lists, (all) => {
      const rendering = new Rendering();
      for (const members of all) {
        const { body, etag } = rendering.version({ groupId: '7', members });
        expect(String(body)).toBe(plain('7', members));
        expect(etag).toBe(new Rendering().version({ groupId: '7', members }).etag);
      }
    }),
  );
});

const bytes = ({ body }: Version) => (Buffer.isBuffer(body) ? body : Buffer.concat(body));

test('a large version keeps its bytes while later versions are rendered', () => {
  const members = Array.from({ length: 50_000 }, (_, n) => String(BigInt(n + 1) ** 15n));
  const lists = [
    members,
    [...members, '7'],
    members.slice(0, 49_000),
    [...members.slice(0, 48_999), '0', '9'],
  ];
  const rendering = new Rendering();
  const versions = lists.map((list) => rendering.version({ groupId: '0', members: list }));
  for (const [at, list] of lists.entries())
    expect(bytes(versions[at]!).toString() === plain('0', list), `${at}`).toBe(true);
});

test('a group that only grew is appended to', () => {
  const rendering = new Rendering();
  const [first, second] = [
    ['1', '2'],
    ['1', '2', '3'],
  ];
  expect(String(rendering.version({ groupId: '7', members: first }).body)).toBe(plain('7', first));
  const grown = { groupId: '7', members: second, grownFrom: first };
  expect(String(rendering.version(grown).body)).toBe(plain('7', second));
  const skipped = { groupId: '7', members: ['4'], grownFrom: [] };
  expect(String(rendering.version(skipped).body)).toBe(plain('7', ['4']));
});

test('an encoding is one that is asked for and not refused', () => {
  expect(acceptedEncoding(undefined)).toBeNull();
  expect(acceptedEncoding('identity')).toBeNull();
  expect(acceptedEncoding('gzip, deflate')).toBe('gzip');
  expect(acceptedEncoding('gzip, BR;q=0.5')).toBe('br');
  expect(acceptedEncoding('gzip;q=0, br; q=0.0')).toBeNull();
});

test('small lists are compressed when asked for; large ones once they are', async () => {
  const members = Array.from({ length: 20_000 }, (_, n) => String(BigInt(n + 1) ** 12n));
  const small = new Rendering().version({ groupId: '0', members: members.slice(0, 500) });
  expect(gunzipSync((await small.compressed('gzip')) ?? '').equals(bytes(small))).toBe(true);
  const large = new Rendering().version({ groupId: '0', members });
  expect(await large.compressed('br')).toBeNull();
  await expect.poll(async () => (await large.compressed('br')) !== null).toBe(true);
  expect(brotliDecompressSync((await large.compressed('br')) ?? '').equals(bytes(large))).toBe(true);
  const list = new Rendering();
  const first = list.version({ groupId: '0', members });
  expect(await first.compressed('gzip')).toBeNull();
  const second = list.version({ groupId: '0', members: [...members, '7'] });
  expect(await second.compressed('gzip')).toBeNull();
  await expect.poll(async () => (await first.compressed('gzip')) !== null).toBe(true);
  await expect.poll(async () => (await second.compressed('gzip')) !== null).toBe(true);
  expect(gunzipSync((await second.compressed('gzip')) ?? '').equals(bytes(second))).toBe(true);
  expect(await new Rendering().version({ groupId: '0', members: ['1'] }).compressed('gzip')).toBeNull();
});

test('a list in parts, in lines, and compressed is the same list', async () => {
  const { url } = await started();
  const numbers = Array.from({ length: 40 }, (_, n) => String(10n ** 60n + BigInt(n)));
  for (const one of numbers) {
    expect((await request(`${url}/api/group/join`, 'POST', joinBody(one))).status).toBe(200);
  }
  const address = `${url}/api/group/members?id=${survey}`;
  const get = (query: string, headers: Record<string, string>) => fetch(address + query, { headers });
  const whole = await (await get('', { 'accept-encoding': 'identity' })).text();
  expect(JSON.parse(JSON.parse(whole).data).members).toEqual(numbers);
  const zipped = await get('', { 'accept-encoding': 'gzip' });
  expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['gzip', whole]);
  const part = JSON.parse(
    (JSON.parse(await (await get('&after=9&limit=5', {})).text()) as { data: string }).data,
  );
  expect(part.members).toEqual(numbers.slice(10, 15));
  const lines = await get('&after=37', { accept: 'application/x-ndjson' });
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
  expect(
    (await lines.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { index: 38, commitment: numbers[38] },
    { index: 39, commitment: numbers[39] },
  ]);
});
