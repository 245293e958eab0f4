import { describe, expect, test } from 'vitest';
import { complete } from '../../../src/node/judge/finding.js';
import { confOf, factsOf, span } from './facts.js';

describe('a finding', () => {
  const rule = { id: 'r', title: 't', severity: 'high' } as const;
  const secret = `--nodekeyhex ${'46'.repeat(32)}`;
  const facts = factsOf(confOf(['first', secret], {}));
  const at = span(2, 1, 3);
  const edit = (file: string, text: string) => ({ at: { ...at, file }, text });
  const found = (edits: ReturnType<typeof edit>[], place: typeof at | { endpoint: string } = at) =>
    complete(facts, rule, [
      { subject: 's', at: place, message: secret, fix: { say: secret, edits: () => edits, safety: 'safe' } },
    ])[0]!;

  test('never holds a secret, or an edit that would write a masked secret', () => {
    const { message, fix, source, edits, safety } = found([
      edit('kend.conf', 'x'),
      edit('kend.conf', secret),
    ]);
    for (const text of [message, fix, source]) expect(text).not.toContain('4646');
    expect([edits, safety]).toEqual([[], null]);
    expect(found([edit('kend.conf', 'x')])).toMatchObject({ edits: [{ text: 'x' }], safety: 'safe' });
  });

  test('has no edits for a process', () => {
    const conf = confOf(['first', secret], {});
    const source = { ...conf.settings.source, kind: 'process' as const, path: 'ken /srv/en/data' };
    const running = factsOf({ ...conf, settings: { ...conf.settings, source } });
    const edits = (file: string) =>
      complete(running, rule, [
        { subject: 's', at, message: '', fix: { say: '', edits: () => [edit(file, 'x')], safety: 'safe' } },
      ])[0]!.edits;
    expect([edits('ken /srv/en/data'), edits('kend.conf')]).toEqual([[], [expect.anything()]]);
  });

  test('shows its source line if it has a file', () => {
    expect(found([]).source).toContain('nodekeyhex');
    expect(found([], { ...at, line: 1, endLine: 1 }).source).toBe('first');
    expect(found([], { ...at, line: 9, endLine: 9 }).source).toBeNull();
    expect(found([], { ...at, file: 'other.conf' }).source).toBeNull();
    expect(found([], span(1, 1, 1)).source).toBeNull();
    expect(found([], { endpoint: 'http://127.0.0.1:8551' }).source).toBeNull();
  });
});
