import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileLock } from '../../../src/util/file-lock.js';
import { type BatchFiles, batchFiles, type CountingApi, countingApi } from '../batch-api.js';
import { kaiactl, type Setting } from '../command.js';
import { type Answer, type Reply, receipt, refuse, survey } from '../fake.js';

let api: CountingApi;
beforeEach(async () => {
  api = await countingApi();
});
afterEach(() => api.close());

const run = ({ words }: Pick<BatchFiles, 'words'>, more: string[] = [], setting: Setting = {}) =>
  kaiactl(['survey', 'join', survey, '--api-url', api.url, ...words, ...more], setting);
/** Ends a batch soon after the API has stopped to accept joins. */
const soon = ['--max-outage', '200ms'];
const lost: Reply = (response) => void response.destroy();
const entries = (files: BatchFiles) =>
  readFileSync(files.journal, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { commitment: string; state: string });

describe('a batch', () => {
  test('submits each join once, the journal first, and does nothing when run again', async () => {
    const files = batchFiles(3);
    const order: string[] = [];
    api.decide = ({ commitment }) => {
      order.push(entries(files).findLast((entry) => entry.commitment === commitment)?.state ?? 'nothing');
      return null;
    };
    // The first poll lists all of them: the run ends without a pause.
    const ran = await run(files, ['--poll-interval', '60m', '--timeout', '120m']);
    expect(ran).toMatchObject({ code: 0, stderr: '3 joins: 3 listed\n' });
    // The joins are sent side by side, and the lines keep the order of the file.
    const line = (commitment: string) =>
      `listed   ${commitment}  member ${api.members.indexOf(commitment) + 1}\n`;
    expect(ran.stdout).toBe(files.commitments.map(line).join(''));
    expect(api.members.toSorted()).toEqual(['1', ...files.commitments]);
    expect(order).toEqual(['submitting', 'submitting', 'submitting']);
    expect(await run(files)).toMatchObject({ code: 0, stdout: ran.stdout });
    expect([...api.submitted.values()]).toEqual([1, 1, 1]);
  });

  test('is reported as JSON in the order of the file, and listed members are not submitted', async () => {
    api.members.push('1001');
    const ran = await run(batchFiles(2), ['--format', 'json']);
    const { joins } = JSON.parse(ran.stdout) as { joins: object[] };
    expect(joins).toMatchObject([
      { commitment: '1000', status: 'listed', index: 2, transaction: expect.stringMatching(/^0x/) },
      { commitment: '1001', status: 'listed', index: 1, transaction: null },
    ]);
    expect(api.submitted.has('1001')).toBe(false);
  });

  test('a refused join stays refused until --retry-refused', async () => {
    const files = batchFiles(2);
    api.decide = ({ commitment }) => (commitment === '1000' ? refuse({ shortMessage: 'no' }) : null);
    const ran = await run(files);
    expect(ran).toMatchObject({ code: 1, stderr: '2 joins: 1 listed, 1 refused\n' });
    expect(ran.stdout).toMatch(/^refused {2}1000 {2}the survey API refused: no\n/);
    expect((await run(files)).code).toBe(1);
    expect(api.submitted.get('1000')).toBe(1);
    api.decide = () => null;
    expect((await run(files, ['--retry-refused'])).code).toBe(0);
    expect(api.submitted.get('1000')).toBe(2);
  });

  test('a join turned away for the moment is tried again, and again by the next run', async () => {
    const files = batchFiles(1);
    api.decide = (_request, nth) => (nth < 3 ? refuse({ code: 'NONCE_EXPIRED' }) : null);
    expect((await run(files)).code).toBe(0);
    const busy = batchFiles(2, [{ commitment: '50' }, { commitment: '51' }]);
    api.decide = () => ({ status: 429, body: '{}' });
    const ran = await run(busy, ['--concurrency', '1', ...soon]);
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /2 not submitted; \d+ faults?\nstopped: no join was accepted for 0.2 s: .*too many requests/,
      ),
    });
    api.decide = () => null;
    expect((await run(busy)).code).toBe(0);
  });

  test('the pause that a server requests is kept unless it exceeds the timeout', async () => {
    const limited = { status: 429, body: '{}', headers: { 'retry-after': '1' } };
    api.decide = (_request, nth) => (nth === 1 ? limited : null);
    expect(await run(batchFiles(1))).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('the API asks for a pause of 1 s'),
    });
    api.decide = (_request, nth) => (nth === 1 ? { ...limited, headers: { 'retry-after': '0' } } : null);
    const { code, stderr } = await run(batchFiles(0, [{ commitment: '60' }]));
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('pause')]);
    api.decide = () => ({ ...limited, headers: { 'retry-after': '3600' } });
    const ran = await run(batchFiles(0, [{ commitment: '70' }]), soon);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('stopped') });
    expect(api.submitted.get('70')).toBe(1);
  });

  test.each([429, 503])('%d with Retry-After counts as a fault', async (status) => {
    api.decide = () => ({ status, body: '{}', headers: { 'retry-after': '1' } });
    const one = ['--concurrency', '1'];
    const first = await run(batchFiles(2), [...one, '--no-keep-going']);
    expect(first).toMatchObject({ code: 3, stderr: expect.stringMatching(/; 1 fault\nstopped: /) });
    const third = await run(batchFiles(0, [{ commitment: '80' }]), [...one, '--max-faults', '1']);
    expect(third).toMatchObject({ code: 3, stderr: expect.stringMatching(/; 2 faults\nstopped: /) });
  });

  test('accepted but never listed: exit 4, and never submitted again', async () => {
    const files = batchFiles(1);
    api.decide = ({ commitment }) => receipt(0n, 1n, BigInt(commitment));
    expect(await run(files)).toMatchObject({ code: 4, stdout: 'accepted 1000\n' });
    expect((await run(files)).code).toBe(4);
    api.members.push('1000');
    expect((await run(files)).code).toBe(0);
    expect(api.submitted.get('1000')).toBe(1);
  });

  test('--no-keep-going: an unknown outcome is found in the list, or left alone until --retry-unknown', async () => {
    const files = batchFiles(3);
    api.decide = ({ commitment }, nth) => {
      if (nth === 1) api.members.push(commitment);
      return nth === 3 ? null : lost;
    };
    const one = ['--concurrency', '1', '--no-keep-going'];
    const first = await run(files, one);
    expect(first).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/1 listed, 2 not submitted; 1 fault\nstopped/),
    });
    const second = await run(files, one);
    expect(second).toMatchObject({ code: 3, stderr: expect.stringContaining('1 with an unknown outcome') });
    expect((await run(files, one)).code).toBe(3);
    expect([...api.submitted]).toEqual([
      ['1000', 1],
      ['1001', 1],
      ['1002', 1],
    ]);
    api.decide = () => null;
    expect((await run(files, [...one, '--retry-unknown'])).code).toBe(0);
    expect(api.submitted.get('1001')).toBe(2);
  });

  test('an unreachable API stops it, and no join is lost', async () => {
    const files = batchFiles(2);
    const ran = await kaiactl(['survey', 'join', survey, '--api-url', 'http://127.0.0.1:1', ...files.words]);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('Nothing was sent') });
    expect((await run(files)).code).toBe(0);
  });

  test.each<[string, Answer]>([
    ['an unreachable platform', refuse({ code: 'UNAVAILABLE', shortMessage: 'no', reason: 'no keys' })],
    ['an empty wallet', refuse({ code: 'INSUFFICIENT_FUNDS', transaction: '0x02f8' })],
    ['a spent budget', refuse({ code: 'BUDGET_SPENT', shortMessage: 'the operator pays for no more joins' })],
    [
      'a node on another chain',
      refuse({ code: 'WRONG_CHAIN', shortMessage: 'no', reason: 'it is on chain 1' }),
    ],
    ['a dead node', refuse({ code: 'ECONNREFUSED', address: '127.0.0.1' })],
    ['a server that fails', { ...refuse({ code: 'INTERNAL', shortMessage: 'oops' }), status: 500 }],
    ['a gateway', { status: 502, type: 'text/html', body: '<html>' }],
    ['a server that is overloaded', { status: 503 }],
    ['another service at its address', { status: 403, type: 'text/html', body: '<html>' }],
  ])('%s is never a refusal: it stops, and the same command finishes later', async (_name, answer) => {
    const files = batchFiles(20);
    let minutes = 0;
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000 * minutes);
    onTestFinished(() => clock.mockRestore());
    api.decide = ({ commitment }) => {
      if (Number(commitment) < 1005) return null;
      // The outage begins once the others are accepted, however long that takes.
      if (entries(files).filter(({ state }) => state === 'accepted').length === 5) minutes += 1;
      return answer;
    };
    const ran = await run(files, ['--format', 'json', '--max-outage', '30s']);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('the same command continues') });
    const { joins } = JSON.parse(ran.stdout) as { joins: { status: string }[] };
    const statuses = joins.map(({ status }) => status);
    expect(statuses).toEqual([...Array(5).fill('listed'), ...Array(15).fill('open')]);
    api.decide = () => null;
    expect(await run(files)).toMatchObject({ code: 0, stderr: '20 joins: 20 listed\n' });
    expect(api.members.toSorted()).toEqual(['1', ...files.commitments].toSorted());
  });

  test('a join that failed with 500 but was made is found, not submitted again', async () => {
    const files = batchFiles(1);
    api.decide = () => ({ status: 500 });
    expect((await run(files, ['--no-keep-going'])).code).toBe(3);
    api.members.push('1000');
    expect((await run(files)).code).toBe(0);
    expect(api.submitted.get('1000')).toBe(1);
  });

  test('sent, but not seen in a block: the hash is kept, exit 4, and it is not submitted again', async () => {
    const files = batchFiles(1);
    const transactionHash = `0x${'ab'.repeat(32)}`;
    api.decide = () => refuse({ code: 'TIMEOUT', transactionHash });
    const ran = await run(files, ['--format', 'json']);
    expect(ran).toMatchObject({ code: 4, stderr: '1 join: 1 sent, but not in a block yet\n' });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      joins: [{ status: 'sent', transaction: transactionHash }],
    });
    expect((await run(files)).code).toBe(4);
    api.members.push('1000');
    expect((await run(files)).code).toBe(0);
    expect(api.submitted.get('1000')).toBe(1);
  });

  test('joins are sent concurrently', async () => {
    const files = batchFiles(24);
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const held: (() => void)[] = [];
    api.decide = async () => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
        // None is answered before twelve have arrived: one at a time would never end.
        if (held.length === 12) for (const release of held.splice(0)) release();
      });
      return null;
    };
    expect((await run(files, ['--concurrency', '12'])).code).toBe(0);
    expect(warnings).toEqual([]);
    const sent = entries(files).filter(({ state }) => state === 'submitting');
    expect(sent.map(({ commitment }) => commitment).toSorted()).toEqual(files.commitments);
  });

  test('an API that accepts one join at a time gets one at a time', async () => {
    const files = batchFiles(24);
    let busy = false;
    api.decide = async () => {
      if (busy) return refuse({ code: 'NONCE_EXPIRED' });
      busy = true;
      await new Promise(setImmediate);
      busy = false;
      return null;
    };
    expect(await run(files, ['--concurrency', '8'])).toMatchObject({ code: 0 });
  });

  test('twelve thousand joins that are listed already are not submitted', async () => {
    const files = batchFiles(12_000);
    api.members.push(...files.commitments.slice(0, 6_000));
    for (const commitment of files.commitments.slice(6_000)) api.members.push(commitment);
    const ran = await run(files);
    expect(ran).toMatchObject({ code: 0, stderr: '12,000 joins: 12,000 listed\n' });
    expect((await run(files)).stdout).toBe(ran.stdout);
    expect(api.submitted.size).toBe(0);
  });

  test('Ctrl-C ends it after the join at hand; the next run goes on', async () => {
    const files = batchFiles(4);
    const abort = new AbortController();
    api.decide = (_request, nth) => {
      if (nth === 2) abort.abort();
      return null;
    };
    const ran = await run(files, [], { abort });
    expect(ran.code).toBe(130);
    expect((await run(files)).code).toBe(0);
    expect([...api.submitted.values()]).toEqual([1, 1, 1, 1]);
  });

  test('--dry-run counts, and writes nothing', async () => {
    const files = batchFiles(4);
    expect(await run(files, ['--dry-run'])).toMatchObject({ code: 0, stdout: 'would submit 4 of 4 joins\n' });
    expect(api.submitted.size).toBe(0);
    expect(() => entries(files)).not.toThrow();
    expect(entries(files)).toEqual([]);
  });

  test.each([
    ['other joins are submitted', [], 'listed'],
    ['--no-keep-going ends the batch', ['--no-keep-going'], 'open'],
  ])('a line that cannot be signed: %s, and the exit code is 2', async (_, words, last) => {
    const files = batchFiles(0, [
      { commitment: '7' },
      { commitment: '8', keyFile: 'none' },
      { commitment: '9' },
    ]);
    const ran = await run(files, ['--format', 'json', '--concurrency', '1', ...words]);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the join of 8: cannot read the key'),
    });
    const { joins } = JSON.parse(ran.stdout) as { joins: object[] };
    const problem = expect.stringContaining('cannot read the key');
    expect(joins).toMatchObject([{ status: 'listed' }, { status: 'open', problem }, { status: last }]);
  });

  test('commitments derived from the wallets of the lines', async () => {
    const files = batchFiles(0, [{ keyFile: 'key' }, { keyFile: 'other' }]);
    writeFileSync(join(files.folder, 'other'), '22'.repeat(32), { mode: 0o600 });
    expect((await run(files, ['--derive-commitment'])).code).toBe(0);
    expect(api.submitted.size).toBe(2);
    expect((await run(files)).stderr).toContain(':1: no commitment given');
  });

  test('lines bring their own signer and token', async () => {
    const files = batchFiles(0, [
      { commitment: '7', keyFile: 'other', idToken: 'mine' },
      { commitment: '8', account: `0x${'ab'.repeat(20)}`, signature: `0x${'5a'.repeat(65)}` },
    ]);
    writeFileSync(join(files.folder, 'other'), '22'.repeat(32), { mode: 0o600 });
    const seen: unknown[] = [];
    api.decide = ({ idToken, account }) => {
      seen.push({ idToken, account });
      return null;
    };
    expect((await run(files)).code).toBe(0);
    // In any order: to open the other key takes longer.
    expect(new Set(seen)).toEqual(
      new Set([
        { idToken: 'mine', account: '0x1563915e194D8CfBA1943570603F7606A3115508' },
        { idToken: 'indeterminate', account: `0x${'ab'.repeat(20)}` },
      ]),
    );
  });
});

test.each<[string, object]>([
  ['a key', { keyFile: 'other' }],
  ['signatures from a file', { signatureFile: 'signature', account: `0x${'ab'.repeat(20)}` }],
  ['a signature', { signature: `0x${'5a'.repeat(65)}`, account: `0x${'ab'.repeat(20)}` }],
])('a line with %s has no use for the signer of the command line', async (_, own) => {
  const files = batchFiles(0, [{ commitment: '7', ...own }, { commitment: '8' }]);
  writeFileSync(join(files.folder, 'other'), '22'.repeat(32), { mode: 0o600 });
  writeFileSync(join(files.folder, 'signature'), `0x${'5a'.repeat(65)}`, { mode: 0o600 });
  const accounts = new Map<string, string>();
  api.decide = ({ commitment, account }) => {
    accounts.set(commitment, account);
    return null;
  };
  expect((await run(files)).code).toBe(0);
  expect(accounts.get('7')).not.toBe(accounts.get('8'));
  expect(accounts.get('8')).toBe('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
});

test('a line’s own keystore, too, takes the place of the command line’s key', async () => {
  const files = batchFiles(0, [{ commitment: '7', keystore: 'none' }]);
  const { code, stderr } = await run(files);
  // Not “both a key file and a keystore are given”.
  expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot read the keystore|the join of 7/)]);
  expect(stderr).not.toContain('both');
});

describe('a batch as a spreadsheet writes it', () => {
  const table = (text: string): BatchFiles => {
    const files = batchFiles(0);
    writeFileSync(join(files.folder, 'batch.ndjson'), text, { mode: 0o600 });
    return files;
  };

  test('a table, with a byte order mark, quotes and Windows line ends', async () => {
    const files = table('\ufeff"commitment",idToken,keyFile\r\n7,"a,""b",other\r\n\r\n"8",,\r\n');
    writeFileSync(join(files.folder, 'other'), '22'.repeat(32), { mode: 0o600 });
    const seen: unknown[] = [];
    api.decide = ({ commitment, idToken, account }) => {
      seen.push([commitment, idToken, account.slice(0, 6)]);
      return null;
    };
    expect((await run(files)).code).toBe(0);
    expect(seen.toSorted()).toEqual([
      ['7', 'a,"b', '0x1563'],
      ['8', 'indeterminate', '0x19E7'],
    ]);
  });

  test.each([
    ['columns', 'name,commitment,mail\nA,7,a@b\nB,8,\n'],
    ['fields', '{"commitment":"7","name":"A"}\n{"commitment":"8","age":3}\n'],
  ])('--ignore-columns joins with the known %s', async (_name, text) => {
    expect((await run(table(text), ['--ignore-columns'])).code).toBe(0);
    expect([...api.submitted.keys()].toSorted()).toEqual(['7', '8']);
  });

  test.each([';', '\t'])('columns that are separated by %j', async (mark) => {
    const rows = [
      ['User ID', '"Commitment"'],
      ['', '"7"'],
      ['"U,1"', '8'],
    ];
    expect((await run(table(rows.map((row) => row.join(mark)).join('\n')))).code).toBe(0);
    expect([...api.submitted.keys()].toSorted()).toEqual(['7', '8']);
  });

  test('objects after a byte order mark', async () => {
    expect((await run(table('\ufeff{"commitment":"7"}\n'))).code).toBe(0);
  });

  test.each([
    ['utf8', ''],
    ['utf16le', '\ufeff'],
  ] as const)('headers in any case and quoted line breaks in %s', async (encoding, mark) => {
    const files = table('');
    const text = `Account,ID Token,COMMITMENT,signature_file,note\r\n,"a,""b",7,,"x\r\ny ""z"""\r\n,c,8,,\r\n`;
    writeFileSync(join(files.folder, 'batch.ndjson'), Buffer.from(mark + text, encoding));
    const seen: unknown[] = [];
    api.decide = ({ commitment, idToken }) => {
      seen.push([commitment, idToken]);
      return null;
    };
    expect(await run(files, ['--ignore-columns'])).toMatchObject({ code: 0 });
    expect(seen.toSorted()).toEqual([
      ['7', 'a,"b'],
      ['8', 'c'],
    ]);
  });

  test.each([
    ['a row that is too short', 'commitment,userId\n7\n', /:2 does not have as many cells/],
    ['a quote that does not close', 'commitment\n"7\n', /:2 has a quote that is not closed/],
    [
      'unknown columns',
      'commitment,name,,mail\n7,x,y,z\n',
      /:1 has unknown fields: name, \(no name\), mail\n/,
    ],
    ['a field in two columns', 'commitment,userId,User ID\n7,x,y\n', /:1 has two columns userId\n/],
    ['a row after one of two lines', 'commitment,userId\n7,"x\ny"\n8\n', /:4 does not have as many cells/],
    ['a row that is too long', 'commitment,userId\n7,x,y\n', /as the header row: 3 instead of 2/],
    ['a number the spreadsheet has shortened', 'commitment\n1.18E+76\n', /:2: .*not a decimal/],
    ['another table', 'name,mail\na,b\n', /:1 is not a JSON object/],
  ])('%s: exit 2', async (_name, text, why) => {
    expect(await run(table(text))).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
    expect(api.asked).toHaveLength(0);
  });
});

test.skipIf(process.platform === 'win32')('an endless batch is rejected', async () => {
  const ran = await run({ words: ['--journal', batchFiles(1).journal, '--batch', '/dev/zero'] });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain('cannot read the batch /dev/zero: a line is longer than 64 KiB');
});

describe('a batch on stdin', () => {
  const fromStdin = (count: number, ...more: string[]) => {
    const { words, folder } = batchFiles(count);
    const stdin = readFileSync(join(folder, 'batch.ndjson'), 'utf8');
    return ['survey', 'join', survey, '--api-url', api.url, ...words.with(1, '-'), ...more].concat(stdin);
  };
  const runStdin = (words: readonly string[]) =>
    kaiactl(words.slice(0, -1), { stdin: Readable.from(words.at(-1)?.match(/[\s\S]{1,7}/g) ?? []) });

  test('joins every line, however the stream is cut', async () => {
    expect(await runStdin(fromStdin(3))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^(listed.*\n){3}$/),
    });
    expect(api.submitted.size).toBe(3);
  });

  test('names stdin in errors, and cannot also be a secret', async () => {
    expect(await runStdin(fromStdin(1).toSpliced(-1, 1, '{"commitment":"0"}\n'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stdin:1: '),
    });
    expect(
      await runStdin(fromStdin(1, '--id-token-file', '-').toSpliced(-1, 1, '{"commitment":"7"}\n')),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stdin cannot be both the batch and the id token'),
    });
    expect(api.submitted.size).toBe(0);
  });
});

describe('the journal', () => {
  test('that version 1 wrote is continued: what has an outcome is not sent, and lines keep their form', async () => {
    const golden = readFileSync(new URL('version-1/joins.journal', import.meta.url), 'utf8');
    const files = batchFiles(9);
    writeFileSync(files.journal, golden);
    api.members.push('1002', '1003', '1004');
    const ran = await run(files, ['--retry-unknown']);
    expect(ran.stderr).toContain('9 joins: 8 listed, 1 refused');
    // Accepted and listed ones, and those that the list holds now, are settled.
    expect([...api.submitted.keys()].toSorted()).toEqual(['1000', '1005', '1006', '1007', '1008']);
    const [head, ...lines] = readFileSync(files.journal, 'utf8').trim().split('\n');
    expect(head).toBe(golden.split('\n')[0]);
    const forms = (of: readonly string[]) =>
      new Set(of.map((line) => `${JSON.parse(line).state}: ${Object.keys(JSON.parse(line)).toSorted()}`));
    const known = forms(golden.trim().split('\n').slice(1));
    for (const form of forms(lines)) expect(known).toContain(form);
  });

  test('with a truncated last line is continued', async () => {
    const files = batchFiles(2);
    const head = `${JSON.stringify({ journal: 'kaiactl/join-1', survey })}\n`;
    const sent = `${JSON.stringify({ commitment: '1000', state: 'submitting', at: 1 })}\n`;
    writeFileSync(files.journal, `${head}${sent}{"commitment":"10`);
    api.members.push('1000');
    expect((await run(files)).code).toBe(0);
    expect([...api.submitted]).toEqual([['1001', 1]]);
    expect(entries(files).map(({ commitment }) => commitment)).toEqual([
      '1000',
      '1000',
      '1001',
      '1001',
      '1001',
    ]);
  });

  test.each([
    [
      'of another survey',
      JSON.stringify({ journal: 'kaiactl/join-1', survey: `0x${'ab'.repeat(20)}` }),
      /another survey/,
    ],
    ['that is another file', 'dear diary', /not a journal/],
    [
      'with an unknown line',
      `${JSON.stringify({ journal: 'kaiactl/join-1', survey })}\n{}`,
      /:2 is not a journal entry/,
    ],
  ])('%s is refused', async (_name, text, why) => {
    const files = batchFiles(1);
    writeFileSync(files.journal, `${text}\n`);
    expect(await run(files)).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
    expect(api.asked).toHaveLength(0);
  });

  test('is locked by one run at a time', async () => {
    const files = batchFiles(1);
    const release = await fileLock(files.journal, process.platform);
    expect(await run(files)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another run is using'),
    });
    release?.();
    expect((await run(files)).code).toBe(0);
  });
});

describe('a wrong batch ends with 2 and sends nothing', () => {
  test.each<[string, object[], RegExp]>([
    ['zero', [{ commitment: '5' }, { commitment: '0' }], /batch\.ndjson:2: .*it is 0/],
    [
      'the same commitment twice',
      [{ commitment: '5' }, { commitment: '0x5' }],
      /:2 repeats the commitment of line 1/,
    ],
    ['an unknown field', [{ commitment: '5', privateKey: 'x' }], /:1 has an unknown field: privateKey\n/],
    ['a number', [{ commitment: 5 }], /commitment is not a string/],
    ['a list', [[]], /not a JSON object/],
    ['nothing', [], /holds no joins/],
  ])('%s', async (_name, lines, why) => {
    expect(await run(batchFiles(0, lines))).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
    expect(api.asked).toHaveLength(0);
  });

  test('tokens in a file others can read, options for one join, no journal', async () => {
    const files = batchFiles(0, [{ commitment: '5', idToken: 'mine' }]);
    chmodSync(join(files.folder, 'batch.ndjson'), 0o644);
    expect(await run(files)).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod 600') });
    const one = await run(batchFiles(1), ['--commitment', '5']);
    expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining('--commitment is for one join') });
    const { words } = batchFiles(1);
    const bare = await run({ words: words.filter((_, at) => at !== 2 && at !== 3) });
    expect(bare).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a journal') });
  });
});
