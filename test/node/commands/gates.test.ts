import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
    [[], ['critical privileged-module', 'low public-bind', 'low unread-setting'], 1],
    [['--min-severity', 'medium'], ['critical privileged-module'], 1],
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
    ['[nodes]\n', 'unknown section or key nodes'],
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
      err: 'kaiactl: wrote 3 findings to accepted.json\n',
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
