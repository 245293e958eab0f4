import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadBaseline, saveBaseline } from '../../../src/node/commands/baselines.js';
import { type GateOptions, gatesOf } from '../../../src/node/commands/gates.js';
import { expectValid } from '../../peers/report.js';
import { run } from '../offline.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-gates-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const base = 'RPC_ENABLE=1\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n';

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function lint(...words: string[]) {
  const ran = await run(['node', 'lint', '--format', 'json', ...words], { cwd: folder });
  if (ran.out === '') return { ...ran, report: null, open: [] };
  const report = expectValid(ran.out);
  const open = report.targets.flatMap(({ findings }) => findings).filter((one) => one.suppressed === null);
  return { ...ran, report, open: open.map(({ rule, severity }) => `${severity} ${rule}`) };
}

const open = `${base}RPC_ADDR=0.0.0.0\nRPC_API="eth,personal"\nLOG_MAXBACKUPS=10\n`;

describe('options', () => {
  test.each([
    [[], ['critical privileged-module', 'medium public-bind', 'low unread-setting'], 1],
    [['--min-severity', 'medium'], ['critical privileged-module', 'medium public-bind'], 1],
    [['--only', 'public-bind,unread-setting'], ['medium public-bind', 'low unread-setting'], 0],
    [['--ignore', 'privileged-module'], ['medium public-bind', 'low unread-setting'], 0],
    [['--only', 'public-bind', '--severity', 'public-bind=high'], ['high public-bind'], 1],
    [['--only', 'public-bind', '--fail-on', 'medium'], ['medium public-bind'], 1],
    [['--only', 'public-bind', '--ignore', 'public-bind'], [], 0],
  ])('the options %j end with their exit code', async (words, found, code) => {
    write('kend.conf', open);
    const ran = await lint('kend.conf', ...words);
    expect(ran.open.filter((one) => / (privileged-module|public-bind|unread-setting)$/.test(one))).toEqual(
      found,
    );
    if (words.some((word) => word === '--only')) expect(ran.open).toEqual(found);
    expect(ran.code).toBe(code);
  });

  test.each([
    [['--only', 'public-bnd'], 'kaiactl: --only: there is no rule public-bnd\n  Did you mean public-bind?\n'],
    [['--severity', 'public-bind=lo'], 'kaiactl: --severity public-bind: “lo” is not one of'],
    [['--only-new'], 'kaiactl: --only-new needs a baseline\n'],
    [
      ['--baseline', 'none.json'],
      'cannot read the baseline none.json: there is no such file\n  Write one with kaiactl node lint',
    ],
    [['--baseline', 'kend.conf'], 'kaiactl: cannot read the baseline kend.conf: '],
  ])('%j is refused', async (words, said) => {
    write('kend.conf', open);
    const { code, out, err } = await lint('kend.conf', ...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(said);
  });
});

describe('kaiactl.ini', () => {
  test('applies to the files below it, and only the nearest file above counts', async () => {
    write('kaiactl.ini', '[node]\nignore = public-bind\nseverity = privileged-module=low\n');
    write('a/kend.conf', open);
    write('b/kend.conf', open);
    write('b/kaiactl.ini', '[node]\nonly = public-bind\nfail-on = medium\n');
    const { report, code } = await lint('a/kend.conf', 'b/kend.conf');
    const found = report?.targets.map(({ findings }) =>
      findings.map(({ rule, severity }) => `${severity} ${rule}`),
    );
    expect(found?.[0]).toContain('low privileged-module');
    expect(found?.[0]).not.toContain('medium public-bind');
    expect(found?.[1]).toEqual(['medium public-bind']);
    expect(report?.targets.map(({ verdict, failOn }) => [verdict, failOn])).toEqual([
      ['pass', undefined],
      ['fail', 'medium'],
    ]);
    expect(code).toBe(1);
  });

  test('is overridden by the command line', async () => {
    write('kaiactl.ini', '[node]\nonly = public-bind\nfail-on = medium\n');
    write('kend.conf', open);
    expect(await lint('kend.conf', '--fail-on', 'high')).toMatchObject({
      code: 0,
      open: ['medium public-bind'],
    });
  });

  test('is not searched above the root of a git repository', async () => {
    write('kaiactl.ini', '[node]\nonly = public-bind\n');
    write('repository/.git/HEAD', '');
    write('repository/confs/kend.conf', open);
    expect((await lint('repository/confs/kend.conf')).open).toContain('critical privileged-module');
  });

  test.each([
    ['[node]\nonly = public-bnd\n', 'only: there is no rule public-bnd\n  Did you mean public-bind?'],
    ['[node]\nonyl = public-bind\n', 'there is no key onyl\n  Did you mean only?'],
    ['[node]\npolcy = en.ini\n', 'there is no key polcy\n  Did you mean policy?'],
    ['[node]\npolicy = validatr\n', 'cannot read the policy validatr'],
    ['[node]\nbaseline = none.json\n', 'cannot read the baseline none.json'],
    ['[node]\nfail-on = hihg\n', 'fail-on: “hihg” is not one of'],
    ['[nodes]\n', 'unknown section nodes'],
  ])('%j is refused', async (text, said) => {
    write('kaiactl.ini', text);
    write('kend.conf', open);
    const { code, err } = await lint('kend.conf');
    expect(code).toBe(2);
    expect(err).toContain(said);
  });
});

describe('a policy and a baseline in kaiactl.ini', () => {
  test('are named from its folder, wherever kaiactl is run, and each file has its own', async () => {
    write('en.ini', '[policy]\nname = ours\nversion = 1\n[http]\nopen = no\n');
    write('kaiactl.ini', '[node]\npolicy = en.ini\n');
    write('deploy/en/kend.conf', open);
    write('cn/kaiactl.ini', '[node]\npolicy = public-en\n');
    write('cn/kend.conf', open);
    const { report } = await lint('deploy/en/kend.conf', 'cn/kend.conf');
    expect(report?.targets.map(({ policy }) => policy?.name)).toEqual(['ours', 'public-en']);
    const below = await run(['node', 'lint', 'kend.conf', '--format', 'json'], {
      cwd: join(folder, 'deploy/en'),
    });
    expect(expectValid(below.out).targets[0]?.policy?.name).toBe('ours');
    expect((await lint('cn/kend.conf', '--policy', 'validator')).report?.targets[0]?.policy?.name).toBe(
      'validator',
    );
  });

  test('the baseline is written for the first time, and then covers the file from any folder', async () => {
    write('kaiactl.ini', '[node]\nbaseline = accepted.json\n');
    write('deploy/kend.conf', open);
    expect(await lint('deploy/kend.conf', '--write-baseline', 'accepted.json')).toMatchObject({
      code: 0,
      open: [],
      err: 'kaiactl: wrote 3 entries to accepted.json\n',
    });
    expect(await lint('deploy/kend.conf')).toMatchObject({ code: 0, open: [], err: '' });
    for (const [cwd, path] of [
      ['deploy', 'kend.conf'],
      ['.', join(folder, 'deploy/kend.conf')],
    ] as const) {
      const ran = await run(['node', 'lint', path, '--only-new'], { cwd: join(folder, cwd) });
      expect([ran.code, ran.err]).toEqual([0, '']);
    }
    write('deploy/kend.conf', open.replace('eth,personal', 'eth,personal,admin'));
    expect((await lint('deploy/kend.conf')).open).toEqual(['critical privileged-module']);
  });

  test('--only-new is rejected without a baseline', async () => {
    write('kend.conf', open);
    expect((await lint('kend.conf', '--only-new')).err).toContain('baseline = FILE in kaiactl.ini');
  });
});

describe('a baseline', () => {
  const file = ['--baseline', 'baseline.json'];
  const accept = () => lint('kend.conf', '--write-baseline', 'baseline.json');

  test('covers its findings after their lines move, and no finding that is added', async () => {
    write('kend.conf', open);
    expect(await accept()).toMatchObject({ code: 0, open: [] });
    write('kend.conf', `# moved\n\n${open}`);
    expect(await lint('kend.conf', ...file)).toMatchObject({ code: 0, open: [], err: '' });
    write('kend.conf', open.replace('eth,personal', 'eth,personal,admin'));
    expect((await lint('kend.conf', ...file)).open).toEqual(['critical privileged-module']);
  });

  test('covers no finding that has become worse, and as many of a kind as there were', async () => {
    write('kend.conf', open.replace('0.0.0.0', '10.0.0.5'));
    await accept();
    write('kend.conf', open);
    const { code, open: found } = await lint('kend.conf', ...file);
    expect(code).toBe(1);
    expect(found).toContain('critical privileged-module');
  });

  test('covers a setting that no known release reads, and the check stays undetermined', async () => {
    write('kend.conf', `${base}RPC_ADDR=0.0.0.0\nRPC_SWITCH=1\n`);
    expect(await accept()).toMatchObject({ code: 3, open: [] });
    expect((await lint('kend.conf', ...file, '--allow-blind')).code).toBe(0);
  });

  test('with --only-new hides what it covers except critical findings', async () => {
    write('kend.conf', open);
    await accept();
    const { report, err } = await lint('kend.conf', ...file, '--only-new');
    const kept = report?.targets[0]?.findings ?? [];
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter(({ severity, suppressed }) => severity !== 'critical' || suppressed === null)).toEqual(
      [],
    );
    expect(err).toBe('');
  });

  test('reports its entries that no longer match a finding in the files that were read', async () => {
    write('kend.conf', open);
    write('b/kend.conf', open);
    await lint('kend.conf', 'b/kend.conf', '--write-baseline', 'baseline.json');
    write('kend.conf', open.replace(',personal', ''));
    const { err } = await lint('kend.conf', ...file);
    expect(err).toBe(
      'kaiactl: 1 entry matches no finding in baseline.json; update it with --write-baseline\n  privileged-module http personal (kend.conf)\n',
    );
  });

  test('has the same text for the same findings', async () => {
    write('kend.conf', open);
    await accept();
    const before = readFileSync(join(folder, 'baseline.json'), 'utf8');
    await lint('kend.conf', ...file, '--write-baseline', 'baseline.json');
    expect(readFileSync(join(folder, 'baseline.json'), 'utf8')).toBe(before);
  });
});

describe('what counts', () => {
  const none = { minSeverity: 'info', only: null, ignore: new Set(), severity: new Map(), acknowledged: [] };
  const counting = (options: GateOptions, path: string | null = null) =>
    gatesOf(options, { cwd: folder } as never)(path);

  test.each<[GateOptions, object]>([
    [{}, { failOn: 'high', gates: none }],
    [
      { failOn: 'none', minSeverity: 'low' },
      { failOn: 'none', gates: { ...none, minSeverity: 'low' } },
    ],
    [{ only: [] }, { failOn: 'high', gates: { ...none, only: new Set() } }],
    [
      { only: ['public-bind, unread-setting', 'wildcard-cors'], ignore: [' unsafe-debug,\n'] },
      {
        failOn: 'high',
        gates: {
          ...none,
          only: new Set(['public-bind', 'unread-setting', 'wildcard-cors']),
          ignore: new Set(['unsafe-debug']),
        },
      },
    ],
    [
      { severity: ['public-bind=low,wildcard-cors=info', 'public-bind=high'] },
      {
        failOn: 'high',
        gates: {
          ...none,
          severity: new Map([
            ['public-bind', 'high'],
            ['wildcard-cors', 'info'],
          ]),
        },
      },
    ],
    [
      {
        acknowledge: [
          'unjudged-node(lighthouse, reth@any) relayed-interface(nginx:80)',
          'unfollowed-start(a.py)',
        ],
      },
      {
        failOn: 'high',
        gates: {
          ...none,
          acknowledged: [
            { rule: 'unjudged-node', subjects: ['lighthouse', 'reth@any'] },
            { rule: 'relayed-interface', subjects: ['nginx:80'] },
            { rule: 'unfollowed-start', subjects: ['a.py'] },
          ],
        },
      },
    ],
    [
      { policy: 'validator', baseline: 'b.json' },
      { failOn: 'high', gates: none, policy: 'validator', baseline: 'b.json' },
    ],
  ])('the options %j', async (options, expected) => {
    expect(await counting(options)).toEqual({ policy: undefined, baseline: undefined, ...expected });
  });

  test.each<[GateOptions, string, string]>([
    [
      { acknowledge: ['unjudged-node'] },
      '--acknowledge: “unjudged-node” is no acknowledgement',
      'Example: acknowledge = unjudged-node(lighthouse). Rules: ',
    ],
    [
      { acknowledge: ['public-bind(http)'] },
      '--acknowledge: “public-bind(http)” is no acknowledgement',
      'Rules: ',
    ],
    [
      { severity: ['public-bind'] },
      '--severity public-bind: “” is not one of critical, high,',
      'Example: severity public-bind=low',
    ],
    [{ ignore: ['xyzzy'] }, '--ignore: there is no rule xyzzy', 'kaiactl node explain lists them.'],
  ])('the options %j are refused', (options, message, hint) => {
    expect(() => gatesOf(options, { cwd: folder } as never)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  test.each<[string, string, string]>([
    [
      'fail-on = hihg',
      'fail-on: “hihg” is not one of critical, high, medium, low, info, none',
      'Example: fail-on = medium',
    ],
    [
      'min-severity = none',
      'min-severity: “none” is not one of critical, high, medium, low, info',
      'Example: ',
    ],
    ['xyzzy = 1', 'there is no key xyzzy', 'Keys: fail-on, min-severity, only,'],
    ['toString = 1', 'there is no key toString', 'Keys: '],
    [
      'severity = public-bind=x',
      'severity public-bind: “x” is not one of',
      'Example: severity public-bind=low',
    ],
    ['acknowledge = x(y)', 'acknowledge: “x(y)” is no acknowledgement', 'Rules: '],
  ])('a kaiactl.ini with %s is refused', async (line, message, hint) => {
    write('kaiactl.ini', `[node]\n${line}\n`);
    await expect(counting({})).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(`kaiactl\\.ini:\\d+ \\[node\\]: ${message.replace(/[()[\]{}.?*+]/g, '\\$&')}`),
      ),
      hint: expect.stringContaining(hint),
    });
  });

  test('a kaiactl.ini sets what no option sets, by the last value of a key', async () => {
    const lines = [
      'fail-on[] = low',
      'fail-on[] = medium',
      'min-severity = low',
      'only = public-bind',
      'ignore = wildcard-cors',
      'severity = public-bind=high',
      'acknowledge = unjudged-node(reth)',
      'policy = validator',
      'baseline = sub/b.json',
      'exclude = x',
      'node-version = v1.9.0',
    ];
    write('a/kaiactl.ini', `[node]\n${lines.join('\n')}\n`);
    const own = {
      failOn: 'medium',
      policy: 'validator',
      baseline: 'a/sub/b.json',
      gates: {
        minSeverity: 'low',
        only: new Set(['public-bind']),
        ignore: new Set(['wildcard-cors']),
        severity: new Map([['public-bind', 'high']]),
        acknowledged: [{ rule: 'unjudged-node', subjects: ['reth'] }],
      },
    };
    expect(await counting({}, 'a/kend.conf')).toEqual(own);
    expect(await counting({ failOn: undefined }, 'a/kend.conf')).toEqual(own);
    expect(await counting({ failOn: 'none', ignore: [] }, 'a/kend.conf')).toEqual({
      ...own,
      failOn: 'none',
      gates: { ...own.gates, ignore: new Set() },
    });
    expect(
      await counting(
        { failOn: 'none', baseline: 'c.json', overridable: new Set(['failOn', 'policy']) },
        'a/kend.conf',
      ),
    ).toEqual({
      ...own,
      baseline: 'c.json',
    });
    expect(await counting({}, 'kend.conf')).toMatchObject({ failOn: 'high', policy: undefined });
    write('b/kaiactl.ini', '[node]\npolicy = own.ini\n');
    expect(await counting({}, 'b/kend.conf')).toEqual({
      failOn: 'high',
      policy: 'b/own.ini',
      baseline: undefined,
      gates: none,
    });
    expect(await counting({ policy: 'x', overridable: new Set(['policy']) }, 'b/kend.conf')).toMatchObject({
      policy: 'b/own.ini',
    });
  });
});

describe('baseline files', () => {
  const entry = {
    fingerprint: 'f',
    rule: 'r',
    target: 't',
    subject: 's',
    at: 'a',
    severity: 'low',
    count: 1,
  };
  const load = (text: string) => {
    write('b.json', text);
    return loadBaseline('b.json', { cwd: folder } as never);
  };
  const document = (...findings: unknown[]) => JSON.stringify({ schema: 'kaiactl/baseline-1', findings });

  test('hold valid entries', async () => {
    expect(await load(document())).toEqual([]);
    expect(await load(document(entry, { ...entry, more: 1 }))).toEqual([entry, { ...entry, more: 1 }]);
  });

  test.each([
    ['null'],
    ['{}'],
    [JSON.stringify({ schema: 'kaiactl/baseline-2', findings: [] })],
    [JSON.stringify({ schema: 'kaiactl/baseline-1', findings: {} })],
    [document(null)],
    [document(entry, { ...entry, at: 1 })],
    ...['fingerprint', 'rule', 'target', 'subject', 'at'].map((key) => [document({ ...entry, [key]: null })]),
    [document({ ...entry, severity: 'none' })],
    ...[0, 1.5, '1', null].map((count) => [document({ ...entry, count })]),
  ])('%s is not a baseline', async (text) => {
    await expect(load(text)).rejects.toMatchObject({
      message: 'b.json is not a baseline',
      hint: 'Write one with kaiactl node lint … --write-baseline FILE.',
    });
  });

  test('are sorted by target, rule, subject and fingerprint, each finding once', async () => {
    const keys = ['target', 'rule', 'subject', 'fingerprint'] as const;
    const entries = keys.flatMap((key) =>
      ['y', 'b'].map((value) => ({
        ...entry,
        target: 'b',
        rule: 'b',
        subject: 'b',
        fingerprint: 'b',
        [key]: value,
      })),
    );
    await saveBaseline('b.json', [...entries, ...entries] as never, { cwd: folder } as never);
    const found = JSON.parse(readFileSync(join(folder, 'b.json'), 'utf8')).findings as (typeof entry)[];
    expect(found.map((one) => keys.map((key) => one[key]).join(''))).toEqual([
      'bbbb',
      'bbby',
      'bbyb',
      'bybb',
      'ybbb',
    ]);
    expect(readFileSync(join(folder, 'b.json'), 'utf8').split('\n')).toHaveLength(8);
  });

  test('that cannot be written are an error', async () => {
    write('kend.conf', open);
    const { code, err } = await lint('kend.conf', '--write-baseline', 'no/such/b.json');
    expect([code, err]).toEqual([2, expect.stringContaining('cannot write the baseline to no/such/b.json')]);
  });
});

describe('entries of a baseline', () => {
  const unread = (count: number) =>
    base + Array.from({ length: count }, (_, at) => `LOG_MAXBACKUP${at}X=1\n`).join('');
  const accept = (...words: string[]) => lint('kend.conf', '--write-baseline', 'b.json', ...words);

  test.each([
    [1, '1 entry matches no finding in b.json', 1, ''],
    [10, '10 entries match no finding in b.json', 10, ''],
    [12, '12 entries match no finding in b.json', 10, '  and 2 more\n'],
  ])('%d that match no finding are listed up to ten', async (count, head, listed, more) => {
    write('kend.conf', unread(count));
    await accept();
    write('kend.conf', base);
    const { err } = await lint('kend.conf', '--baseline', 'b.json');
    const lines = err.split('\n').filter((line) => line.startsWith('  unknown-setting '));
    expect([err.startsWith(`kaiactl: ${head}; update it with --write-baseline\n`), lines.length]).toEqual([
      true,
      listed,
    ]);
    expect(err.endsWith(`(kend.conf)\n${more}`)).toBe(true);
    expect((await lint('kend.conf', '--baseline', 'b.json', '--quiet')).err).toBe('');
  });

  test('of a target that was not read, or of a rule that is undetermined, are not stale', async () => {
    write('kend.conf', open);
    write('b/kend.conf', open);
    await lint('kend.conf', 'b/kend.conf', '--write-baseline', 'b.json');
    write('kend.conf', `${base}RPC_ADDR=0.0.0.0\nRPC_API=$(cat list)\n`);
    expect((await lint('kend.conf', '--baseline', 'b.json')).err).not.toContain('privileged-module');
    write('kend.conf', base);
    expect((await lint('kend.conf', '--baseline', 'b.json')).err).toContain(
      'privileged-module http personal (kend.conf)',
    );
  });

  test('are written and counted, and said unless --quiet is given', async () => {
    write('kend.conf', open);
    expect((await accept()).err).toMatch(/^kaiactl: wrote 3 entries to b\.json\n$/);
    expect((await accept('--quiet')).err).toBe('');
    expect(
      (await lint('--command-line', 'ken --datadir /d --mainnet', '--write-baseline', 'c.json')).err,
    ).toBe('kaiactl: wrote 0 entries to c.json\n');
  });

  test('name files below the folder of the baseline from there, and others as they are', async () => {
    write('in/deep/kend.conf', open);
    write('out/kend.conf', open);
    const targetsIn = (name: string) =>
      (JSON.parse(readFileSync(join(folder, name), 'utf8')).findings as { target: string }[]).map(
        ({ target }) => target,
      );
    await lint('in/deep/kend.conf', 'out/kend.conf', '--write-baseline', 'in/b.json');
    expect([...new Set(targetsIn('in/b.json'))].sort()).toEqual(['deep/kend.conf', 'out/kend.conf']);
    expect((await lint('in/deep/kend.conf', 'out/kend.conf', '--baseline', 'in/b.json')).open).toEqual([]);
  });
});
