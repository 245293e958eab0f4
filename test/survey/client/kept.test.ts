/** What the survey's client keeps: a list put together from parts that fit, and a journal of whole entries. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/http/send.js';
import { memberLists } from '../../../src/survey/client/client.js';
import { openJournal } from '../../../src/survey/client/journal.js';

describe('a list of members', () => {
  interface Query {
    readonly after: string | null;
    readonly etag: string | null | undefined;
  }
  type Said = { members: string[]; from?: number; groupId?: string; etag?: string | null } | 304;
  /** Asks once for each answer, and then as often as the answers make it; what was asked. */
  async function asked(...answers: Said[]) {
    const queries: Query[] = [];
    const waiting = [...answers];
    const members = memberLists(async (query, known): Promise<Reply> => {
      queries.push({ after: query.after ?? null, etag: known });
      const said = waiting.shift() ?? { members: [] };
      const rest = {
        kind: 'answer',
        contentType: '',
        location: null,
        retryAfterMs: null,
        clockMs: null,
      } as const;
      if (said === 304) return { ...rest, status: 304, etag: known, text: '' };
      const { etag = `e${queries.length}`, ...info } = said;
      return {
        ...rest,
        status: 200,
        etag,
        text: JSON.stringify({ data: JSON.stringify({ groupId: '7', ...info }) }),
      };
    });
    const lists: unknown[] = [];
    while (waiting.length > 0) {
      const result = await members('s');
      lists.push(result.ok ? result.value.members.join(',') : result.clientError.kind);
    }
    return { queries, lists, members };
  }
  const first = { members: ['1', '2', '3'] };

  test.each<[string, Said[], Query[], string[]]>([
    [
      'grows by parts',
      [first, { members: ['3', '4'], from: 2 }, { members: ['4'], from: 3 }],
      [
        { after: null, etag: null },
        { after: '1', etag: 'e1' },
        { after: '2', etag: 'e2' },
      ],
      ['1,2,3', '1,2,3,4', '1,2,3,4'],
    ],
    [
      'stays while nothing changes',
      [first, 304, 304],
      [
        { after: null, etag: null },
        { after: '1', etag: 'e1' },
        { after: '1', etag: 'e1' },
      ],
      ['1,2,3', '1,2,3', '1,2,3'],
    ],
    [
      'is complete if a server knows no parts',
      [first, { members: ['1', '2', '3', '4'] }],
      [
        { after: null, etag: null },
        { after: '1', etag: 'e1' },
      ],
      ['1,2,3', '1,2,3,4'],
    ],
    [
      'is complete without an etag',
      [{ ...first, etag: null }, first],
      [
        { after: null, etag: null },
        { after: null, etag: null },
      ],
      ['1,2,3', '1,2,3'],
    ],
    [
      'of one member is complete',
      [{ members: ['1'] }, first],
      [
        { after: null, etag: null },
        { after: null, etag: 'e1' },
      ],
      ['1', '1,2,3'],
    ],
    [
      'is read again if a part begins elsewhere',
      [first, { members: ['2', '4'], from: 1 }, { members: ['9'] }],
      [
        { after: null, etag: null },
        { after: '1', etag: 'e1' },
        { after: null, etag: null },
      ],
      ['1,2,3', '9'],
    ],
    [
      'is read again if a part holds another member',
      [first, { members: ['9', '4'], from: 2 }, { members: ['9'] }],
      [
        { after: null, etag: null },
        { after: '1', etag: 'e1' },
        { after: null, etag: null },
      ],
      ['1,2,3', '9'],
    ],
    [
      'is read again if the group is another',
      [first, { members: ['3', '4'], from: 2, groupId: '8' }, { members: ['9'] }],
      [
        { after: null, etag: null },
        { after: '1', etag: 'e1' },
        { after: null, etag: null },
      ],
      ['1,2,3', '9'],
    ],
    [
      'is read again after an unrequested part',
      [{ members: ['1'], from: 5 }, { members: ['9'] }],
      [
        { after: null, etag: null },
        { after: null, etag: null },
      ],
      ['9'],
    ],
  ])('%s', async (_, answers, queries, lists) => {
    expect(await asked(...answers)).toMatchObject({ queries, lists });
  });

  test('is complete after twenty parts, and on request', async () => {
    const part = { members: ['3'], from: 2 };
    const { queries, members } = await asked(first, ...Array(20).fill(part), first, part);
    expect(queries.map(({ after }) => after)).toEqual([null, ...Array(20).fill('1'), null, '1']);
    await members('s', true);
    await members('other');
    expect(queries.slice(-2).map(({ after }) => after)).toEqual([null, null]);
    expect(queries.at(-1)).toEqual({ after: null, etag: null });
  });
});

/** Whether a descriptor of this process leads to the file. */
function isOpen(path: string): boolean {
  return readdirSync('/proc/self/fd').some((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === path;
    } catch {
      return false;
    }
  });
}

describe('a journal', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kaiactl-journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const head = '{"journal":"kaiactl/join-1","survey":"s"}\n';
  const entry = (over: object) => `${JSON.stringify({ commitment: '7', state: 'sent', at: 1, ...over })}\n`;
  const open = (text: string) => {
    const path = join(folder, 'journal');
    writeFileSync(path, text);
    return openJournal(path, 's');
  };

  test('holds the latest entry of each commitment, also those recorded since', async () => {
    const journal = await open(
      head + entry({}) + entry({ commitment: '8' }) + entry({ state: 'listed', index: 3 }),
    );
    expect([...journal.latest.values()].map(({ commitment, state }) => ({ commitment, state }))).toEqual([
      { commitment: '7', state: 'listed' },
      { commitment: '8', state: 'sent' },
    ]);
    await journal.record([{ commitment: '8', state: 'refused', at: 2 }]);
    expect(journal.latest.get('8')?.state).toBe('refused');
    await journal.close();
    await expect(journal.record([])).rejects.toThrow('cannot be written');
    expect(readFileSync(join(folder, 'journal'), 'utf8')).toMatch(/"state":"refused","at":2\}\n$/);
  });

  test('loses a last line that was cut off, and begins with its head', async () => {
    await (await open(`${head}${entry({})}{"comm`)).close();
    expect(readFileSync(join(folder, 'journal'), 'utf8')).toBe(head + entry({}));
    await (await open('')).close();
    expect(readFileSync(join(folder, 'journal'), 'utf8')).toBe(head);
  });

  test.each([
    ['an unknown state', head + entry({ state: 'gone' }), /:2 is not/],
    ['no state', head + entry({ state: undefined }), /:2 is not/],
    ['a commitment that is a number', head + entry({}) + entry({ commitment: 7 }), /:3 is not/],
    ['a line that is no object', `${head}5\n`, /:2 is not/],
    ['a line that is no JSON', `${head}x\n`, /:2 is not/],
    ['no head', entry({}), /not a journal/],
    ['the head of another survey', head.replace('"s"', '"t"'), /another survey/],
  ])('with %s is rejected', async (_, text, why) => {
    await expect(open(text)).rejects.toThrow(
      expect.objectContaining({ message: expect.stringMatching(why), hint: expect.any(String) }),
    );
    expect(isOpen(join(folder, 'journal'))).toBe(false);
  });

  test('is open until it is closed', async () => {
    const journal = await open(head);
    expect(isOpen(join(folder, 'journal'))).toBe(true);
    await journal.close();
    expect(isOpen(join(folder, 'journal'))).toBe(false);
  });

  test('that cannot be opened is an error', async () => {
    await expect(openJournal(join(folder, 'no', 'journal'), 's')).rejects.toThrow(
      /cannot write the journal .*: its folder does not exist$/,
    );
  });
});
