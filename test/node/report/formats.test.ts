/** One report in every format, against the schema or the parser of each; hostile texts are escaped. */
import { readFileSync } from 'node:fs';
import { text as collected } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import draft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { readReport, wholeReport } from '../../../src/node/commands/saved-report.js';
import type { Finding, Report } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { formats } from '../../../src/node/report/index.js';
import { fullReport, hostileReport, payloads, reportOf, targetOf } from './reports.js';
import { sampleReport } from './sample.js';
import { installed, invalidXml, readByPython } from './tools.js';

const options = { columns: 80, verbose: true, kinds };
const full = fullReport();
const hostile = hostileReport();
const empty = reportOf([]);
const reports: [string, Report][] = [
  ['full', full],
  ['hostile', hostile],
  ['empty', empty],
  ['judged', sampleReport()],
];

async function render(format: string, report: Report): Promise<string> {
  return await collected((await formats[format]!(false))(report, options));
}

test('every format of the contract exists and is pure', async () => {
  const names = [
    'text',
    'concise',
    'json',
    'ndjson',
    'sarif',
    'junit',
    'github',
    'gitlab',
    'rdjson',
    'checkstyle',
    'markdown',
    'html',
    'csv',
  ];
  expect(Object.keys(formats)).toEqual(names);
  for (const name of names) {
    const frozen = structuredClone(full);
    expect(await render(name, frozen)).toBe(await render(name, full));
    expect(frozen).toEqual(full);
  }
});

test.each(Object.keys(formats))(
  '%s: hostile text leaves no control, bidi mark or half character',
  async (name) => {
    const text = await render(name, hostile);
    const inside = name === 'csv' ? text.replaceAll('\r\n', '\n') : text;
    const acted = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    expect(acted.exec(inside)).toBeNull();
    expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
  },
);

test.each(Object.keys(formats))(
  '%s is valid, also for a report with hostile text in every free field',
  async (name) => {
    const free = new Set<string>();
    const foul = (value: unknown, key = ''): unknown => {
      if (typeof value === 'string') {
        if (
          /^(schema|severity|failOn|verdict|transport|source|state|reach|reachBy|unsafeDebug|safety)$/.test(
            key,
          )
        )
          return value;
        free.add(key);
        return key === 'rule' && value in rules ? value : payloads.join('');
      }
      if (Array.isArray(value)) return value.map((one) => foul(one, key));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([own, one]) => [own, foul(one, own)]));
    };
    const rules = Object.fromEntries(
      full.targets.flatMap(({ findings }) => findings.map(({ rule }) => [rule, 1])),
    );
    const open = full.targets.map((target) => ({
      ...target,
      undetermined: target.undetermined.map((one) => ({ ...one, rule: 'anything' })),
      interfaces: target.interfaces.map((one) => ({ ...one, chain: '8217', requests: 3 })),
    }));
    const saved = await wholeReport(
      await readReport([JSON.stringify(foul({ ...full, targets: open }))], 'saved'),
    );
    expect(free).toContain('launcher');
    for (const report of [saved, { ...saved, targets: Array(7).fill(saved.targets[0]) }]) {
      const text = await render(name, report);
      const inside = name === 'csv' ? text.replaceAll('\r\n', '\n') : text;
      expect(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(inside)).toBeNull();
      if (name === 'html') expect(text).not.toMatch(/<(?:img|svg|a href="j)/);
    }
  },
);

describe('sarif', () => {
  const schemaFile = new URL(import.meta.resolve('@microsoft/jest-sarif')).pathname.replace(
    /index\.js$/,
    'schemas/sarif-2.1.0-rtm.5.json',
  );
  const ajv = new draft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv as never);
  const valid = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')));

  test.each(reports)('a %s report matches the schema of SARIF 2.1.0', async (_name, report) => {
    valid(JSON.parse(await render('sarif', report)));
    expect(valid.errors).toBeNull();
  });

  test('the schema notices what is wrong', async () => {
    const log = JSON.parse(await render('sarif', full));
    log.runs[0].results[0].level = 'loud';
    expect(valid(log)).toBe(false);
  });

  test('holds scores, fingerprints, suppressions, fixes and places of both kinds', async () => {
    const [run] = JSON.parse(await render('sarif', full)).runs;
    const [debug, bind, quiet] = run.results;
    expect(run.tool.driver.rules[debug.ruleIndex]).toMatchObject({
      id: 'unsafe-debug',
      properties: { 'security-severity': '8.0' },
    });
    expect(debug).toMatchObject({
      level: 'error',
      partialFingerprints: {
        'kaiactl/v1': 'unsafe-debug-0123456789abcdef',
        primaryLocationLineHash: 'unsafe-debug-0123456789abcdef:1',
      },
      properties: { 'security-severity': '9.5', target: 'en-1' },
      suppressions: [],
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'confs/kend.conf', uriBaseId: '%SRCROOT%' },
            region: { startLine: 8, startColumn: 28, endLine: 8, endColumn: 33 },
          },
        },
      ],
      fixes: [{ artifactChanges: [{ replacements: [{ insertedContent: { text: '' } }] }] }],
    });
    expect(bind.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'confs/kend.conf', uriBaseId: '%SRCROOT%' },
          region: { startLine: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: 'http://127.0.0.1:8551', kind: 'resource' }],
      },
    ]);
    expect(quiet.suppressions).toMatchObject([{ justification: 'behind a proxy' }]);
    expect(run.invocations[0].toolExecutionNotifications).toHaveLength(1);
  });

  /** The limits and requirements of GitHub's page “SARIF support for code scanning”. */
  test.each(reports)('GitHub takes a %s report', async (_name, report) => {
    const text = await render('sarif', report);
    const { runs } = JSON.parse(text);
    expect(runs).toHaveLength(1);
    const [{ results, tool, automationDetails }] = runs;
    expect(automationDetails).toBeUndefined();
    expect(results.length).toBeLessThanOrEqual(25_000);
    for (const rule of tool.driver.rules) {
      expect(rule.properties.tags.length).toBeLessThanOrEqual(10);
      expect(rule.fullDescription.text.length).toBeLessThanOrEqual(1024);
      expect(rule.help).toMatchObject({ text: expect.any(String), markdown: expect.any(String) });
      expect(Number(rule.properties['security-severity'])).toBeLessThanOrEqual(10);
    }
    for (const one of results) {
      expect(one.locations).toHaveLength(1);
      expect(['error', 'warning', 'note']).toContain(one.level);
      expect(one.partialFingerprints.primaryLocationLineHash).toMatch(/^\S+:1$/);
      const { artifactLocation, region } = one.locations[0].physicalLocation;
      expect(region.startLine).toBeGreaterThan(0);
      expect(new URL(artifactLocation.uri, 'file:///srv/').protocol).toBe('file:');
    }
    expect(text).not.toMatch(/"uri": ?"(?!file:)[a-z]+:/);
  });

  test('an endpoint without a conf is a logical location; a simulated one is named by its interface', async () => {
    const target = targetOf((what) => what);
    const simulated = target.interfaces.map((one) => ({ ...one, simulated: true as const }));
    const at = async (more: object) => {
      const [run] = JSON.parse(await render('sarif', reportOf([{ ...target, conf: null, ...more }]))).runs;
      return run.results[1].locations[0];
    };
    expect(await at({ name: 'http://127.0.0.1:8551' })).toEqual({
      physicalLocation: {
        artifactLocation: { uri: 'nodes/http-127.0.0.1-8551', uriBaseId: '%SRCROOT%' },
        region: { startLine: 1 },
      },
      logicalLocations: [{ fullyQualifiedName: 'http://127.0.0.1:8551', kind: 'resource' }],
    });
    const { logicalLocations } = await at({ interfaces: simulated });
    expect(logicalLocations[0].fullyQualifiedName).toBe('en-1 http (simulated)');
  });

  test('rules link to their pages as soon as the project has an address', async () => {
    const rules = full.rules.map((rule) => ({
      ...rule,
      page: `https://example.org/docs/rules/${rule.id}.md`,
    }));
    const tool = { ...full.tool, homepage: 'https://example.org' };
    const log = JSON.parse(await render('sarif', { ...full, tool, rules }));
    valid(log);
    expect(valid.errors).toBeNull();
    const { driver } = log.runs[0].tool;
    expect(driver.informationUri).toBe('https://example.org');
    expect(driver.rules[0].helpUri).toMatch(/^https:\/\/example\.org\/docs\/rules\/[a-z-]+\.md$/);
  });

  test.each([
    ['a comment', {}, 'inSource'],
    ['a baseline', { baseline: true }, 'external'],
  ] as const)('says that a finding is suppressed by %s', async (_by, more, kind) => {
    const finding = {
      ...full.targets[0]!.findings[0]!,
      suppressed: { reason: 'known', until: null, ...more },
    };
    const report = reportOf([targetOf((what) => what, 'en-1', { findings: [finding] })]);
    const [run] = JSON.parse(await render('sarif', report)).runs;
    expect(run.results[0].suppressions).toEqual([{ kind, status: 'accepted', justification: 'known' }]);
  });

  test.each([
    ['/etc/kend/conf/kend.conf', { uri: 'file:///etc/kend/conf/kend.conf' }],
    ['./a b/k#nd.conf', { uri: 'a%20b/k%23nd.conf', uriBaseId: '%SRCROOT%' }],
    ['javascript:x', { uri: 'javascript%3Ax', uriBaseId: '%SRCROOT%' }],
  ])('the file %s is a URI', async (file, uri) => {
    const target = targetOf((what) => (what === 'confs/kend.conf' ? file : what));
    const [run] = JSON.parse(await render('sarif', reportOf([target]))).runs;
    expect(run.results[0].locations[0].physicalLocation.artifactLocation).toEqual(uri);
  });
});

describe.skipIf(!installed('xmllint', 'JUnit and Checkstyle against their schemas'))('xml', () => {
  test.each(reports)('junit: a %s report matches the schema', async (_name, report) => {
    expect(invalidXml(await render('junit', report), 'junit.xsd')).toBeNull();
  });

  test.each(reports)('checkstyle: a %s report matches the schema', async (_name, report) => {
    expect(invalidXml(await render('checkstyle', report), 'checkstyle.xsd')).toBeNull();
  });

  test('hostile text adds no entity, section or element', async () => {
    const both = (await render('junit', hostile)) + (await render('checkstyle', hostile));
    expect(both).not.toMatch(/<!ENTITY|<!\[CDATA|<script/);
  });

  test('the schemas notice what is wrong', async () => {
    const wrong = (await render('junit', full)).replaceAll('testcase', 'case');
    expect(invalidXml(wrong, 'junit.xsd')).toContain('case');
    const loud = (await render('checkstyle', full)).replaceAll('severity="error"', 'severity="loud"');
    expect(invalidXml(loud, 'checkstyle.xsd')).toContain('loud');
  });
});

describe('gitlab', () => {
  /** As https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format says. */
  const valid = new Ajv({ allErrors: true }).compile({
    type: 'array',
    uniqueItems: true,
    items: {
      type: 'object',
      required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
      properties: {
        description: { type: 'string', minLength: 1 },
        check_name: { type: 'string', minLength: 1 },
        fingerprint: { type: 'string', pattern: '^[0-9a-f]+$' },
        severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
        location: {
          type: 'object',
          required: ['path', 'lines'],
          properties: {
            path: { type: 'string', minLength: 1, not: { pattern: '^[.]/' } },
            lines: {
              type: 'object',
              required: ['begin'],
              properties: { begin: { type: 'integer', minimum: 1 } },
            },
          },
        },
      },
    },
  });

  test.each(reports)(
    'a %s report is as GitLab documents it, each fingerprint once',
    async (_name, report) => {
      const issues = JSON.parse(await render('gitlab', report)) as { fingerprint: string }[];
      valid(issues);
      expect(valid.errors).toBeNull();
      expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    },
  );

  test('the schema notices what is wrong', async () => {
    const issues = JSON.parse(await render('gitlab', full));
    issues[0].severity = 'loud';
    expect(valid(issues)).toBe(false);
  });

  test('a finding without a line is placed at its target, and an unseen fact is an issue', async () => {
    const issues = JSON.parse(await render('gitlab', full));
    expect(issues).toMatchObject([
      {
        check_name: 'unsafe-debug',
        severity: 'blocker',
        location: { path: 'confs/kend.conf', lines: { begin: 8 } },
      },
      {
        check_name: 'public-bind',
        severity: 'major',
        location: { path: 'confs/kend.conf', lines: { begin: 1 } },
      },
      { severity: 'major', description: 'undetermined: metrics: no answer in 5 s' },
    ]);
    expect(JSON.stringify(issues)).not.toContain('plaintext-endpoint');
  });
});

describe('rdjson', () => {
  /** The published schema, which here allows no field that it does not name. */
  const published = JSON.parse(
    readFileSync(new URL('./schemas/reviewdog/DiagnosticResult.json', import.meta.url), 'utf8'),
    (_, one) => {
      if (one?.additionalProperties !== true) return one;
      return '$ref' in one ? { $ref: one.$ref } : { ...one, additionalProperties: false };
    },
  );
  const ajv = new draft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
  const valid = ajv.compile(published);

  test.each(reports)('a %s report matches the schema of reviewdog', async (_name, report) => {
    valid(JSON.parse(await render('rdjson', report)));
    expect(valid.errors).toBeNull();
  });

  test('the schema notices what is wrong', async () => {
    const report = JSON.parse(await render('rdjson', full));
    for (const wrong of [{ severity: 'LOUD' }, { location: { path: 1 } }, { codes: [] }])
      expect(valid({ ...report, diagnostics: [{ ...report.diagnostics[0], ...wrong }] })).toBe(false);
  });

  test('columns count bytes, and only a safe fix of one known edit is a suggestion', async () => {
    const finding = full.targets[0]!.findings[0]!;
    const source = 'X="é😀" RPC_API="klay,eth"';
    const at = { file: './a.conf', line: 3, column: 9, endLine: 3, endColumn: 16 };
    const edit = { ...at, text: 'Y', source };
    const shown = async (over: Partial<Finding>) => {
      const findings = [{ ...finding, at, source, edits: [edit], safety: 'safe' as const, ...over }];
      const report = reportOf([targetOf((what) => what, 'en-1', { findings, undetermined: [] })]);
      return JSON.parse(await render('rdjson', report)).diagnostics[0];
    };
    const range = { start: { line: 3, column: 12 }, end: { line: 3, column: 19 } };
    expect(await shown({})).toMatchObject({
      location: { path: 'a.conf', range },
      severity: 'ERROR',
      code: { value: 'unsafe-debug' },
      suggestions: [{ range, text: 'Y' }],
    });
    const line = { ...edit, column: 1, endLine: 4, endColumn: 1, text: '' };
    expect((await shown({ edits: [line] })).suggestions).toEqual([
      { range: { start: { line: 3, column: 1 }, end: { line: 4, column: 1 } }, text: '' },
    ]);
    for (const over of [
      { safety: 'unsafe' as const },
      { edits: [edit, { ...edit, line: 4, endLine: 4 }] },
      { edits: [{ ...edit, file: '.env' }] },
      { edits: [{ ...edit, source: 'PASSWORD=******** X' }] },
    ])
      expect((await shown(over)).suggestions).toBeUndefined();
  });
});

test('junit lists passes, fails where --fail-on does, skips what was not seen', async () => {
  const text = await render('junit', full);
  expect(text).toContain('<testsuite name="en-1" tests="5" failures="1" errors="0" skipped="2"');
  expect(text).toContain('<testcase classname="en-1" name="wildcard-cors"/>');
  expect(text).toContain('<skipped message="undetermined: metrics: no answer in 5 s"/>');
  expect(text).toContain('<skipped message="suppressed low: behind a proxy"/>');
  expect(text).toContain('<system-out>medium, below --fail-on high');
  expect(text).toContain(' name="unsafe-debug: http debug" file="confs/kend.conf" line="8">');
  expect(text.match(/<failure /g)).toHaveLength(1);
});

test('checkstyle leaves suppressed findings out and what was not seen in', async () => {
  const text = await render('checkstyle', full);
  expect(text).not.toContain('plaintext-endpoint');
  expect(text).toContain('severity="warning" message="undetermined: metrics');
});

describe('github', () => {
  test('escapes as the runner decodes', async () => {
    const target = targetOf((what) => (what === 'confs/kend.conf' ? 'a,b:c%d.conf' : `${what} 100%`));
    const [first] = (await render('github', reportOf([target]))).split('\n');
    expect(first).toBe(
      '::error file=a%2Cb%3Ac%25d.conf,line=8,endLine=8,col=28,endColumn=33,title=critical%3A unsafe-debug::' +
        'Anyone who reaches http can rewind the chain. 100%25 Fix: RPC_API="klay,eth,net,web3" 100%25',
    );
  });

  test('annotates ten of each type at most, the most severe first, and reports how many it left out', async () => {
    const many = reportOf(Array.from({ length: 12 }, (_, at) => targetOf((what) => what, `en-${at}`)));
    const lines = (await render('github', many)).trimEnd().split('\n');
    expect(lines.map((line) => /^::(\w+)/.exec(line)?.[1])).toEqual([
      ...Array(10).fill('error'),
      ...Array(10).fill('warning'),
      undefined,
    ]);
    expect(lines.at(-1)).toBe(
      'kaiactl: 24 findings, 12 checks not seen in 12 targets; the 19 most severe of their types are annotated',
    );
  });

  test.each(['github', 'text', 'markdown'])(
    'no hostile text becomes a command of its own in %s',
    async (format) => {
      const lines = (await render(format, hostile)).split('\n');
      const commands = lines.filter(
        (line) => /^\s*::[\w-]+.*::/.test(line) && !/^::(error|warning|notice) (file=|title=)/.test(line),
      );
      expect(commands).toEqual([]);
      expect(lines.filter((line) => !line.startsWith('::') && line.includes('##['))).toEqual([]);
    },
  );
});

test('every way to correct a finding is shown, with what to paste', async () => {
  const [target] = full.targets;
  const [first] = target?.findings ?? [];
  if (target === undefined || first === undefined) throw new Error('the report has no finding');
  const edit = {
    file: 'kend.conf',
    line: 8,
    column: 9,
    endLine: 8,
    endColumn: 12,
    source: 'RPC_API=eth # all',
  };
  const finding = {
    ...first,
    fix: 'Name one.',
    edits: [{ ...edit, text: 'net' }],
    safety: 'unsafe' as const,
    alternatives: [
      { fix: 'Name both.', edits: [{ ...edit, text: 'eth,net' }], safety: 'unsafe' as const },
      { fix: 'Ask somebody.', edits: [], safety: null },
    ],
  };
  const report = { ...full, targets: [{ ...target, findings: [finding] }] };
  const [run] = JSON.parse(await render('sarif', report)).runs;
  expect(run.results[0].fixes).toMatchObject([
    {
      description: { text: 'Name one.' },
      artifactChanges: [{ replacements: [{ insertedContent: { text: 'net' } }] }],
    },
    {
      description: { text: 'Name both.' },
      artifactChanges: [{ replacements: [{ insertedContent: { text: 'eth,net' } }] }],
    },
  ]);
  expect(await render('markdown', report)).toContain(
    'Name one.<br>`RPC_API=net`<br>or: Name both.<br>`RPC_API=eth,net`<br>or: Ask somebody. |',
  );
  const html = await render('html', report);
  expect(html.match(/class="edit"/g)).toHaveLength(2);
  for (const shown of ['Name one.', 'Name both.', 'Ask somebody.']) expect(html).toContain(shown);
  const text = await render('text', report);
  expect(text).toMatch(
    /fix +Name one\.\n +RPC_API=net\n +or +Name both\.\n +RPC_API=eth,net\n +or +Ask somebody\./,
  );
});

test.each(['text', 'markdown'])('%s names what is safe where another way is not', async (format) => {
  const [target] = full.targets;
  const [first] = target?.findings ?? [];
  if (target === undefined || first === undefined) throw new Error('the report has no finding');
  const unsafe = { fix: 'Take it out.', edits: [], safety: 'unsafe' as const };
  const shown = async (safety: 'safe' | 'unsafe') => {
    const finding = { ...first, fix: 'Move it.', edits: [], safety, alternatives: [unsafe] };
    return await render(format, { ...full, targets: [{ ...target, findings: [finding] }] });
  };
  expect(await shown('safe')).toMatch(/ safe\\?: Move it\..*unsafe\\?: Take it out\./s);
  expect(await shown('unsafe')).not.toMatch(/safe\\?: /);
});

describe('markdown', () => {
  test('shows severity, place, what and fix, drift and what was not seen', async () => {
    const text = await render('markdown', full);
    expect(text).toContain('# kaiactl: 1 of 1 target fail');
    expect(text).toContain('| critical | `unsafe-debug` | `confs/kend.conf:8:28` |');
    expect(text).toContain('| ~~low~~ |');
    expect(text).toContain('| `RPC_API` | `eth` | `eth,debug` | – | restart pending |');
    expect(text).toContain('- `open-profiler` metrics: no answer');
  });

  test.each(payloads.map((payload) => [payload]))('%j stays text', async (payload) => {
    const html = await marked.parse(await render('markdown', reportOf([targetOf(() => payload)])), {
      gfm: true,
    });
    const tags = new Set([...html.matchAll(/<([a-z][\w-]*)/gi)].map(([, name]) => name));
    const ours = [
      'h1',
      'h2',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'p',
      'ul',
      'li',
      'code',
      'del',
      'br',
    ];
    expect([...tags].filter((tag) => !ours.includes(tag ?? ''))).toEqual([]);
    expect(html.match(/<td>/g)).toHaveLength(7 + 3 * 5 + 5);
    expect(html.match(/<h[12]/g)).toHaveLength(2);
    expect(html).not.toMatch(/[@#]\w/.test(payload) ? /(?<!<code>[^<]*)[@#](?:someone|1)/ : /<script/);
  });

  test('is truncated below GitHub’s limit, with the number of omitted targets', async () => {
    const long = reportOf(Array.from({ length: 500 }, (_, at) => targetOf((what) => what, `en-${at}`)));
    const text = await render('markdown', long);
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/… and \d+ targets more, left out/);
  });
});

test('markdown: a target alone that is too long shows as many findings as fit', async () => {
  const [finding] = full.targets[0]!.findings;
  const findings = Array.from({ length: 2_000 }, () => finding!);
  const text = await render('markdown', reportOf([{ ...full.targets[0]!, findings }]));
  expect(text.length).toBeLessThan(65_536);
  expect(text.split(finding!.message).length).toBeGreaterThan(100);
  expect(text).toMatch(/… and \d+ findings more, left out/);
});

describe('csv', () => {
  test.each(reports)('a %s report is RFC 4180, no cell a formula', async (_name, report) => {
    const rows = readCsv(await render('csv', report));
    const [head = []] = rows;
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(rows.flat().filter((cell) => /^\s*[=+\-@|%]/.test(cell))).toEqual([]);
    const { findings, undetermined } = counted(report);
    expect(rows).toHaveLength(1 + findings + undetermined);
  });
});

test('junitparser and pandas read every case and every row', async () => {
  const { findings, undetermined } = counted(hostile);
  const passes = hostile.targets.length;
  const read = readByPython<{
    junit: { totals: number[]; cases: string[][] };
    csv: Readonly<Record<string, string>>[];
  }>({
    junit: await render('junit', hostile),
    csv: `\ufeff${await render('csv', hostile)}`,
  });
  if (read.junit !== null) {
    const { totals, cases } = read.junit;
    const results = (type: string) => cases.filter(([, , result]) => result === type).length;
    expect(cases).toHaveLength(passes + findings + undetermined);
    expect(totals).toEqual([cases.length, results('Failure'), results('Error'), results('Skipped')]);
    expect(new Set(cases.map(([suite, name]) => JSON.stringify([suite, name]))).size).toBe(cases.length);
  }
  if (read.csv !== null) {
    const own = readCsv(await render('csv', hostile));
    expect(read.csv).toHaveLength(findings + undetermined);
    expect([Object.keys(read.csv[0]!), ...read.csv.map((row) => Object.values(row))]).toEqual(own);
  }
});

function counted({ targets }: Report): { findings: number; undetermined: number } {
  return {
    findings: targets.flatMap(({ findings }) => findings).length,
    undetermined: targets.flatMap(({ undetermined }) => undetermined).length,
  };
}

/** A strict reader: quotes doubled, rows ended by CRLF, nothing after a closing quote but a comma or the end. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const token = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const [whole, quoted, bare] = token.exec(text)!;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    at += whole.length;
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      at += 2;
      if (at < text.length) rows.push([]);
    } else throw new Error(`not RFC 4180 at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  }
  return rows;
}
