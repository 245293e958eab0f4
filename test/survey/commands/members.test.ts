import { Writable } from 'node:stream';
import { Group } from '@semaphore-protocol/group';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { kaiactl } from '../command.js';
import {
  type Answer,
  type Asked,
  data,
  type FakeGroup,
  refuse,
  type Served,
  serve,
  serveChain,
  survey,
} from '../fake.js';

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function api(reply: (asked: Asked) => Answer): Promise<Served> {
  const server = await serve(reply);
  open.push(server);
  return server;
}
async function chain(group: FakeGroup): Promise<string[]> {
  const server = await serveChain(group);
  open.push(server);
  return ['--verify', '--rpc-url', server.url];
}

const members = ['123456789', '0', '31', '77'];
const rooted = (list: readonly string[]) => new Group([...list]).root;
const listed = (list: readonly string[] = members, groupId = '0') =>
  api(() => data({ members: list, groupId }));
const ask = (server: Served, ...words: string[]) =>
  kaiactl(['survey', 'members', survey, '--api-url', server.url, ...words]);

describe('formats', () => {
  test('text prints one commitment on each line, notes on stderr, and no removed member', async () => {
    const ran = await ask(await listed());
    expect(ran).toEqual({
      code: 0,
      stdout: '123456789\n31\n77\n',
      stderr: '3 members, group 0, 1 removed\n',
    });
  });

  test('members that a list repeats are counted, removed ones are not', async () => {
    const ran = await ask(await listed(['5', '0', '7', '0', '5', '5']));
    expect(ran.stderr).toContain('2 listed more than once: a contract allows no duplicates');
    expect((await ask(await listed())).stderr).not.toContain('more than once');
  });

  test('csv and ndjson have the leaf index', async () => {
    const server = await listed();
    expect((await ask(server, '--format', 'csv')).stdout).toBe('index,commitment\n0,123456789\n2,31\n3,77\n');
    expect((await ask(server, '--format', 'ndjson')).stdout.split('\n')[1]).toBe(
      '{"index":2,"commitment":"31"}',
    );
  });

  test('json is one document with the root and the places of removed members', async () => {
    const server = await listed();
    const ran = await ask(server, '--format', 'json', '--quiet');
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toEqual({
      survey,
      groupId: '0',
      count: 3,
      members,
      root: String(rooted(members)),
      verified: null,
    });
    expect(JSON.parse((await ask(server, '--format', 'json', '--no-root')).stdout).root).toBeNull();
  });

  test('an empty group is listed as empty', async () => {
    const ran = await ask(await listed([]), '--format', 'json');
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ count: 0, members: [], root: '0' });
    expect(ran.stderr).toContain('while its source of members is down');
  });

  test('the address is sent with its checksum, the base path is kept, options come from the environment', async () => {
    const server = await listed();
    const env = { KAIACTL_API_URL: `${server.url}/base/`, KAIACTL_COUNT: 'yes' };
    const ran = await kaiactl(['survey', 'members', survey.toLowerCase()], { env });
    expect(ran.stdout).toBe('3\n');
    expect(server.asked[0]?.path).toBe(`/base/api/group/members?id=${survey}`);
  });
});

describe('--contains', () => {
  test.each([
    ['31', 0, 'true\n', /member 3 of 4, 1 removed/],
    ['0x1f', 0, 'true\n', /member 3 of 4/],
    ['32', 1, 'false\n', /not among 3 members/],
  ])('%s exits %i', async (commitment, code, stdout, stderr) => {
    const ran = await ask(await listed(), '--contains', commitment);
    expect(ran).toMatchObject({ code, stdout, stderr: expect.stringMatching(stderr) });
  });

  test('prints JSON', async () => {
    const ran = await ask(await listed(), '--contains', '77', '--format', 'json');
    expect(JSON.parse(ran.stdout)).toEqual({
      survey,
      groupId: '0',
      commitment: '77',
      member: true,
      index: 3,
      verified: null,
    });
  });
});

describe('--verify', () => {
  test('accepts a list that equals the contract’s group', async () => {
    const words = await chain({ groupId: 7n, root: rooted(members), members });
    const ran = await ask(await listed(members, '7'), ...words);
    expect(ran).toMatchObject({
      code: 0,
      stderr: '3 members, group 7, 1 removed, root matches the contract\n',
    });
    const json = await ask(await listed(members, '7'), ...words, '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ verified: true, root: String(rooted(members)) });
  });

  test('a short list is not trusted: nothing on stdout, the wall at 100 is named', async () => {
    const all = Array.from({ length: 130 }, (_, n) => String(n + 1));
    const words = await chain({ groupId: 0n, root: rooted(all), members: all });
    const server = await listed(all.slice(0, 100));
    const ran = await ask(server, ...words);
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toMatch(/the list has 100 entries, the contract 130: .*only its first 100/);
    const json = await ask(server, ...words, '--format', 'json');
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({ verified: false, count: 100 });
    expect((await ask(server, ...words, '--contains', '5')).code).toBe(3);
  });

  test('rejects a list with another root or of another group', async () => {
    const words = await chain({ groupId: 0n, root: rooted(members), members });
    const swapped = await ask(await listed(members.toReversed()), ...words);
    expect(swapped).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('the list’s root is'),
    });
    const foreign = await ask(await listed(members, '1'), ...words);
    expect(foreign.stderr).toContain('the list is of group 1, the survey’s group is 0');
  });

  test('a member who joins between the two readings is not a disagreement', async () => {
    const group = { groupId: 0n, root: rooted(members), members };
    let looks = 0;
    const server = await api(() =>
      data({ members: looks++ === 0 ? members.slice(0, 3) : members, groupId: '0' }),
    );
    expect((await ask(server, ...(await chain(group)))).code).toBe(0);
    expect(looks).toBe(2);
  });

  test('exactly 100 members without --verify are pointed out', async () => {
    const all = Array.from({ length: 100 }, (_, n) => String(n + 1));
    expect((await ask(await listed(all), '--count')).stderr).toMatch(/exactly 100/);
    expect((await ask(await listed(all.slice(1)), '--count')).stderr).not.toMatch(/exactly/);
  });

  test('--contains asks the contract too', async () => {
    const group = { groupId: 0n, root: rooted(members), members, lies: ['31'] };
    const words = await chain(group);
    const server = await listed();
    expect((await ask(server, ...words, '--contains', '77')).code).toBe(0);
    expect((await ask(server, ...words, '--contains', '78')).code).toBe(1);
    const ran = await ask(server, ...words, '--contains', '31');
    expect(ran).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('does not have the member'),
    });
  });

  test('exits with its own code without a node, with a dead node and with another program', async () => {
    const server = await listed();
    expect(await ask(server, '--verify')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--rpc-url'),
    });
    const dead = await ask(server, '--verify', '--rpc-url', 'http://127.0.0.1:1');
    expect(dead).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('connection refused'),
    });
    const none = await ask(server, '--verify', '--rpc-url', server.url);
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('not a JSON-RPC response') });
  });

  test('rejects an address without a contract', async () => {
    const node = await api(({ body }) => {
      const { id, method } = JSON.parse(body);
      return { body: JSON.stringify({ jsonrpc: '2.0', id, result: method === 'eth_call' ? '0x' : '0x3e9' }) };
    });
    const ran = await ask(await listed(), '--verify', '--rpc-url', node.url);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`no survey contract at ${survey}`),
    });
  });
});

test('requests go to the proxy of the environment, which resolves the names', async () => {
  const proxy = await listed();
  vi.stubEnv('HTTP_PROXY', proxy.url);
  vi.stubEnv('NO_PROXY', '');
  const words = ['survey', 'members', survey, '--api-url', 'http://survey.invalid', '--count'];
  expect(await kaiactl(words, { env: { HTTP_PROXY: proxy.url } })).toMatchObject({ code: 0, stdout: '3\n' });
  expect(proxy.asked[0]?.path).toBe(`http://survey.invalid/api/group/members?id=${survey}`);
  vi.unstubAllEnvs();
});

describe('--follow', () => {
  /** Looks at the lists one after the other, then is interrupted. */
  const followed = async (lists: readonly (readonly string[] | Answer)[], words: string[] = []) => {
    const abort = new AbortController();
    let look = 0;
    const server = await api(() => {
      const now = lists[look++];
      if (look > lists.length) abort.abort();
      if (now === undefined) return { status: 503 };
      return Array.isArray(now) ? data({ members: now, groupId: '0' }) : (now as Answer);
    });
    const argv = ['survey', 'members', survey, '--api-url', server.url, '--follow', '--poll-interval', '3ms'];
    return { ...(await kaiactl([...argv, ...words], { abort })), server };
  };

  test('shows members that joined while the list was cut, and reports missing ones', async () => {
    const ran = await followed([['1', '2', '3'], ['1'], ['1', '2', '4', '5'], []]);
    expect(ran.code).toBe(130);
    expect(ran.stdout).toBe('1\n2\n3\n4\n5\n');
    expect(ran.stderr).toMatch(/\n2 of the printed members are not listed any more; the list has 1\n/);
    expect(ran.stderr).toContain('the list has 0 (the original API also sends an empty list');
  });

  test('prints the count once, and once that it waits for an outage to end', async () => {
    const ran = await followed([
      ['1'],
      { status: 500 },
      { status: 500 },
      ['1', '2'],
      { status: 500 },
      ['1', '2'],
    ]);
    expect(ran.stdout).toBe('1\n2\n');
    expect(ran.stderr.match(/waiting for more/g)).toHaveLength(1);
    expect(ran.stderr.match(/; trying again/g)).toHaveLength(2);
  });

  test('ends with the failure of the first look', async () => {
    const ran = await followed([{ status: 500 }, ['1']]);
    expect([ran.code, ran.stdout]).toEqual([3, '']);
    expect(ran.stderr).not.toContain('trying again');
  });

  test('a replaced member is reported, a removal is not', async () => {
    const ran = await followed(
      [
        ['1', '2'],
        ['1', '3'],
        ['0', '3'],
      ],
      ['--format', 'csv'],
    );
    expect(ran.stdout).toBe('index,commitment\n0,1\n1,2\n1,3\n');
  });

  test('asks by etag, and takes 304 for an answer', async () => {
    const tagged = (members: string[]) => ({
      ...data({ members, groupId: '0' }),
      headers: { etag: `"${members}"` },
    });
    const same = { status: 304, headers: { etag: '"1"' } };
    const { stdout, stderr, server } = await followed([tagged(['1']), same, same, tagged(['1', '2'])]);
    expect(stdout).toBe('1\n2\n');
    expect(stderr).not.toContain('trying again');
    const tags = server.asked.map(({ headers }) => headers['if-none-match']);
    expect(tags).toEqual([undefined, '"1"', '"1"', '"1"', '"1,2"']);
  });

  test('asks a server with partial lists for new members, and for all when they do not match', async () => {
    const lists = [
      ['1', '2'],
      ['1', '2', '3'],
      ['1', '4', '5', '6'],
      ['1', '4', '5', '6', '7'],
    ];
    const abort = new AbortController();
    let look = -1;
    const server = await api(({ path }) => {
      const after = new URL(path, 'http://x').searchParams.get('after');
      // The whole list is asked for again within one look.
      if (after !== null || look < 0) look++;
      if (look === lists.length) abort.abort();
      const members = lists[look] ?? [];
      const from = Number(after) + 1;
      const part = after === null ? { members } : { members: members.slice(from), from };
      return { ...data({ ...part, groupId: '0' }), headers: { etag: `"${look}"` } };
    });
    const argv = ['survey', 'members', survey, '--api-url', server.url, '--follow', '--poll-interval', '3ms'];
    const ran = await kaiactl(argv, { abort });
    expect(ran.stdout).toBe('1\n2\n3\n4\n5\n6\n7\n');
    expect(ran.stderr).toContain('2 of the printed members are not listed any more; the list has 4');
    const asked = server.asked.map(({ path }) => new URL(path, 'http://x').searchParams.get('after'));
    expect(asked.slice(0, 5)).toEqual([null, '0', '1', null, '2']);
  });

  test('a list that is compared with the contract is read completely', async () => {
    const abort = new AbortController();
    const server: Served = await api(() => {
      if (server.asked.length === 4) abort.abort();
      return { ...data({ members, groupId: '0' }), headers: { etag: `"${server.asked.length}"` } };
    });
    const words = await chain({ groupId: 0n, root: rooted(members), members });
    const argv = ['survey', 'members', survey, '--api-url', server.url, '--follow', '--poll-interval', '3ms'];
    expect((await kaiactl([...argv, ...words], { abort })).code).toBe(130);
    expect(server.asked.filter(({ path }) => path.includes('after'))).toEqual([]);
  });

  test('ends when stdout is closed', async () => {
    const server = await api(() => data({ members: ['1'], groupId: '0' }));
    // As stdout is when its reader has gone: in error, and not destroyed.
    const closed = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
      autoDestroy: false,
    });
    closed.on('error', () => undefined);
    const argv = ['survey', 'members', survey, '--api-url', server.url, '--follow', '--poll-interval', '3ms'];
    expect((await kaiactl(argv, { stdout: closed })).code).toBe(0);
  });

  test('prints the members, then new ones, across an outage, until interrupted', async () => {
    const abort = new AbortController();
    const looks = [
      data({ members: ['1', '2'], groupId: '0' }),
      { status: 502, type: 'text/html', body: '<html>' },
      data({ members: ['1', '2', '3'], groupId: '0' }),
      data({ members: ['1', '2', '3', '4'], groupId: '0' }),
    ];
    const server = await api(() => looks.shift() ?? data({ members: ['1', '2', '3', '4'], groupId: '0' }));
    const ran = await kaiactl(
      ['survey', 'members', survey, '--api-url', server.url, '--follow', '--poll-interval', '5ms'],
      { abort, heard: (stream, text) => stream === 'stdout' && text.includes('4') && abort.abort() },
    );
    expect(ran.code).toBe(130);
    expect(ran.stdout).toBe('1\n2\n3\n4\n');
    expect(ran.stderr).toMatch(/2 members, group 0; waiting for more\n.*502, a web page\); trying again\n/);
  });
});

describe('wrong invocations end with 2 and send nothing', () => {
  test.each([
    ['a wrong checksum', [survey.replace('bf5A', 'bf5a'), '--count'], /wrong checksum/],
    ['no address', ['0x1234', '--count'], /not an address/],
    ['a field-size commitment', [survey, '--contains', `${1n << 255n}`], /not below/],
    ['zero', [survey, '--contains', '0'], /it is 0/],
    ['--follow as json', [survey, '--follow', '--format', 'json'], /ndjson/],
    ['--follow --count', [survey, '--follow', '--count'], /does not work with --count/],
    ['an unknown format', [survey, '--format', 'xml'], /Allowed choices/],
    ['not a span', [survey, '--request-timeout', 'soon'], /--request-timeout soon is not a time/],
  ])('%s', async (_name, words, why) => {
    const server = await listed();
    const ran = await kaiactl(['survey', 'members', ...words, '--api-url', server.url]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(why) });
    expect(server.asked).toEqual([]);
  });

  test.each([
    ['none', [], /no api URL given/i],
    ['no URL', ['--api-url', 'survey.example'], /not an http/],
    ['another scheme', ['--api-url', 'file:///etc/passwd'], /not an http/],
    ['a password in it', ['--api-url', 'http://me:hunter2@127.0.0.1'], /user name or password/],
  ])('an API URL: %s', async (_name, words, why) => {
    const ran = await kaiactl(['survey', 'members', survey, ...words]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
    expect(ran.stderr).not.toContain('hunter2');
  });
});

test('a refusal ends with 1, as that of a join, and its text reaches no terminal as it is', async () => {
  const unknown = await api(() => refuse({ code: 'UNKNOWN_SURVEY', shortMessage: 'no such survey' }));
  expect(await ask(unknown)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('the survey API refused: no such survey'),
  });
  // Exit 1 would say that the list has no such member.
  expect(await ask(unknown, '--contains', '5')).toMatchObject({ code: 3, stdout: '' });
  const hostile = '\u001b]0;owned\u0007\u202e';
  const ran = await ask(await api(() => refuse({ shortMessage: hostile, reason: hostile })));
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/\\u\{1b\}/) });
  expect(ran.stderr).not.toMatch(/[\u0007\u001b\u202e]/);
});

describe('unusable answers end with 3', () => {
  const deep = '['.repeat(50_000);
  test.each<[string, Answer, RegExp]>([
    ['html', { type: 'text/html', body: '<!doctype html>' }, /answered 200 with a web page/],
    ['404', { status: 404, type: 'text/html', body: '<html>' }, /no survey API at this address/],
    ['empty 500', { status: 500, type: null }, /failed inside \(500, an empty body\)/],
    ['data that is not JSON', { body: '{"data":"{"}' }, /no data/],
    ['a bare list', { body: '["1"]' }, /JSON/],
    ['nesting without end', { body: `{"data":${JSON.stringify(deep)}}` }, /no data/],
    ['no groupId', data({ members: [] }), /members or groupId/],
    ['a member that is a number', data({ members: [1], groupId: '0' }), /member 1 of its list/],
    ['a member beyond the field', data({ members: ['1', '9'.repeat(77)], groupId: '0' }), /member 2/],
    [
      'a redirect elsewhere',
      { status: 302, headers: { location: 'http://evil.example/x' } },
      /evil\.example.*not followed/,
    ],
    ['too many requests', { status: 429, headers: { 'retry-after': '7' }, body: '{}' }, /after 7 s/],
  ])('%s', async (_name, answer, why) => {
    const ran = await ask(await api(() => answer));
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(why) });
    expect(ran.stderr).not.toContain('defect');
  });

  test('a redirect on the same host is followed, a circle a limited number of times', async () => {
    const slash = await api(({ path }) =>
      path.startsWith('/api/group/members/')
        ? data({ members: ['5'], groupId: '0' })
        : { status: 308, headers: { location: path.replace('members?', 'members/?') } },
    );
    expect((await ask(slash)).stdout).toBe('5\n');
    const circle = await api(({ path }) => ({ status: 307, headers: { location: path } }));
    expect((await ask(circle)).code).toBe(3);
    expect(circle.asked).toHaveLength(4);
  });

  test('an endless body and a body that never arrives are rejected', async () => {
    const endless = await serve(() => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(1 << 20, ' ');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    open.push(endless);
    expect(await ask(endless)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('larger than 64 MiB'),
    });
    const silent = await serve(() => (response) => void response.writeHead(200).write('{'));
    open.push(silent);
    const ran = await ask(silent, '--request-timeout', '50ms');
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('no answer within 0.05 s') });
  });
});
