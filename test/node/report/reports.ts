/** Reports for the formats' tests: everything a live audit can hold, hostile text in every place, many targets. */
import type { Finding, InterfaceReport, Report, TargetReport } from '../../../src/node/facts/report.js';
import type { Severity } from '../../../src/node/facts/severity.js';

/** What formats are attacked with: each would do something if it were taken as markup, a formula or a command. */
export const payloads: readonly string[] = [
  '<script>window.ran=1</script><img src=x onerror="window.ran=1">',
  '"><svg onload=window.ran=1><a href="javascript:window.ran=1">x</a>',
  "' onmouseover='window.ran=1",
  ']]></failure><!ENTITY x SYSTEM "file:///etc/passwd">&x;<![CDATA[',
  '::error file=x::owned%0A::stop-commands::t',
  'a\n::add-mask::b\r\n##[error]c',
  '=HYPERLINK("http://x.invalid","y")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '+1\t-2',
  '\u001b[31mred\u001b]0;title\u0007\u009b1m',
  'nul\u0000 lone\ud800 other\udc00 \ufffe\uffff',
  'rtl\u202etxt.fnoc\u2066 \u200b\ufeff\u2028',
  '| a | `b` | [x](http://x.invalid) ![y](http://x.invalid/z.png) <http://x.invalid> http://x.invalid www.x.invalid @someone #1 **b**',
  '``` \n# heading\n- item\n<details open ontoggle=window.ran=1>',
];

/** One target with all that a report can say, every free text taken from `say`. */
export function targetOf(
  say: (what: string) => string,
  name = 'en-1',
  over: Partial<TargetReport> = {},
): TargetReport {
  return {
    name: say(name),
    role: say('public-en'),
    conf: { path: say('confs/kend.conf'), launcher: 'kend', package: 'tar' },
    interfaces: [
      opened(
        'http',
        say('http://127.0.0.1:8551'),
        { debug: '1.0', eth: '1.0', [say('personal')]: '1.0', rpc: '1.0' },
        {
          reach: 'any',
          reachBy: 'socket',
          bind: [say('0.0.0.0:8551')],
          unsafeDebug: 'off',
          client: say('Klaytn/v2.2.1'),
          access: { foreignHost: true, foreignOrigin: true, fileMode: null, profiler: null },
        },
      ),
      opened(
        'ws',
        say('ws://127.0.0.1:8552'),
        { eth: '1.0', txpool: '1.0' },
        { reach: 'private', reachBy: 'settings' },
      ),
      opened(
        'ipc',
        say('ipc:/var/kend/data/klay.ipc'),
        { admin: '1.0', debug: '1.0', eth: '1.0' },
        {
          reach: 'ipc',
          access: { foreignHost: null, foreignOrigin: null, fileMode: say('0600'), profiler: null },
        },
      ),
      { ...opened('grpc', say('127.0.0.1:8553'), null), state: 'closed', reason: say('connection refused') },
    ],
    checks: [
      { rule: 'wildcard-cors', verdict: 'pass' },
      { rule: 'unsafe-debug', verdict: 'fail' },
      { rule: 'open-profiler', verdict: 'undetermined' },
      { rule: 'refused-start', verdict: 'not-applicable' },
    ],
    findings: [
      findingOf(say, 'unsafe-debug', 'critical', {
        at: span(say('confs/kend.conf'), 8, 28),
        edits: [{ ...span(say('confs/kend.conf'), 8, 27), endColumn: 33, text: say('') }],
        safety: 'unsafe',
      }),
      findingOf(say, 'public-bind', 'medium', {
        at: { endpoint: say('http://127.0.0.1:8551') },
        source: null,
      }),
      findingOf(say, 'plaintext-endpoint', 'low', {
        suppressed: { reason: say('behind a proxy'), until: '2027-01-01' },
      }),
    ],
    undetermined: [
      {
        rule: 'open-profiler',
        code: 'timeout',
        about: say('metrics'),
        reason: say('metrics: no answer in 5 s'),
      },
    ],
    verdict: 'fail',
    drift: [
      {
        setting: say('RPC_API'),
        conf: say('eth'),
        process: say('eth,debug'),
        node: null,
        note: say('restart pending'),
      },
    ],
    ...over,
  };
}

function span(file: string, line: number, column: number) {
  return { file, line, column, endLine: line, endColumn: column + 5 };
}

function opened(
  transport: InterfaceReport['transport'],
  endpoint: string,
  modules: InterfaceReport['modules'],
  over: Partial<InterfaceReport> = {},
): InterfaceReport {
  return {
    transport,
    endpoint,
    source: 'conf',
    state: 'open',
    reason: null,
    modules,
    client: null,
    browsers: null,
    latencyMs: 1.5,
    ...over,
  };
}

function findingOf(
  say: (what: string) => string,
  rule: string,
  severity: Severity,
  over: Partial<Finding>,
): Finding {
  const file = say('confs/kend.conf');
  return {
    rule,
    severity,
    title: say('A title.'),
    message: say('Anyone who reaches http can rewind the chain.'),
    fix: say('RPC_API="klay,eth,net,web3"'),
    subject: say('http debug'),
    at: span(file, 3, 5),
    source: say('RPC_API="klay,eth,net,web3,debug"'),
    related: [{ at: span(file, 2, 3), note: say('this value is not used'), source: say('X=1') }],
    evidence: { said: say('4 of 4') },
    fingerprint: `${rule}-0123456789abcdef`,
    suppressed: null,
    ...over,
  };
}

/** A report around these targets, counted as summarise counts. */
export function reportOf(
  targets: readonly TargetReport[],
  say: (what: string) => string = (what) => what,
): Report {
  const all = targets.flatMap(({ findings }) => findings);
  const open = all.filter(({ suppressed }) => suppressed === null);
  const of = (severity: Severity): number => open.filter((one) => one.severity === severity).length;
  const ids = [...new Set(all.map(({ rule }) => rule))].sort();
  return {
    schema: 'kaiactl/report-1',
    tool: { name: 'kaiactl', version: '0.0.0' },
    startedAt: '2026-02-11T00:00:00.000Z',
    finishedAt: '2026-02-11T00:00:01.500Z',
    targets,
    rules: ids.map((id) => ({
      id,
      severity: 'high',
      title: say('A title.'),
      why: say('Because.'),
      fix: say('Do it.'),
    })),
    failOn: 'high',
    summary: {
      targets: targets.length,
      critical: of('critical'),
      high: of('high'),
      medium: of('medium'),
      low: of('low'),
      info: of('info'),
      suppressed: all.length - open.length,
      undetermined: targets.reduce((sum, { undetermined }) => sum + undetermined.length, 0),
    },
    exitCode: 1,
  };
}

export const fullReport = (): Report => reportOf([targetOf((what) => what)]);

/** One target for each payload, the payload in every free text; and one where they come mixed. */
export function hostileReport(): Report {
  const mixed = (what: string): string => `${what}${payloads.join(' ')}`;
  const targets = payloads.map((payload, at) => targetOf(() => payload, '', { name: `${payload} ${at}` }));
  return reportOf([...targets, targetOf(mixed)], mixed);
}

/** A fleet in which every third target fails, every tenth was not seen. */
export function fleetReport(size: number): Report {
  const targets = Array.from({ length: size }, (_, at) => {
    const name = `en-${String(at + 1).padStart(4, '0')}`;
    if (at % 10 === 9) {
      return targetOf((what) => what, name, { interfaces: [], findings: [], verdict: 'undetermined' });
    }
    if (at % 3 === 0) return targetOf((what) => what, name);
    return targetOf((what) => what, name, { findings: [], undetermined: [], drift: [], verdict: 'pass' });
  });
  return reportOf(targets);
}
