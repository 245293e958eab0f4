/** The JSON Schema of report version 1 (draft 2020-12). Within version 1 fields are added, never changed. */
import { reachEvidence, reaches } from '../facts/reach.js';
import { releaseBases } from '../facts/release.js';
import { transports } from '../facts/report.js';
import { notSeenCodes } from '../facts/seen.js';
import { bases } from '../facts/settings.js';
import { type Severity, severities } from '../facts/severity.js';
import type { Kind } from '../kinds/kind.js';

const text = { type: 'string' } as const;
const nullable = { type: ['string', 'null'] } as const;
const count = { type: 'integer', minimum: 0 } as const;
const position = { type: 'integer', minimum: 1 } as const;
const severity = { enum: severities } as const;
const bySeverity = {
  critical: count,
  high: count,
  medium: count,
  low: count,
  info: count,
} as const satisfies Record<Severity, object>;
const source = { enum: ['argument', 'conf', 'inventory', 'process'] } as const;

/** An object with these properties; later versions may add others. */
function object<const P extends Readonly<Record<string, object>>, const O extends keyof P & string = never>(
  properties: P,
  optional: readonly O[] = [],
) {
  const names = Object.keys(properties) as (keyof P & string)[];
  const needed = (name: keyof P & string): name is Exclude<keyof P & string, O> =>
    !optional.some((one) => one === name);
  return { type: 'object', properties, required: names.filter(needed) } as const;
}

function nullOr<const S extends object>(schema: S) {
  return { anyOf: [{ type: 'null' }, schema] } as const;
}

const span = object({ file: text, line: position, column: position, endLine: position, endColumn: position });
const place = { anyOf: [span, object({ endpoint: text })] } as const;

const suppressed = nullOr(object({ reason: text, until: nullable, baseline: { const: true } }, ['baseline']));

const edit = object(
  {
    file: text,
    line: position,
    column: position,
    endLine: position,
    endColumn: position,
    text,
    source: nullable,
  },
  ['source'],
);

const finding = object(
  {
    rule: { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' },
    severity,
    title: text,
    message: text,
    fix: text,
    subject: text,
    at: place,
    source: nullable,
    related: { type: 'array', items: object({ at: place, note: text, source: nullable }) },
    evidence: { type: ['object', 'null'] },
    edits: { type: 'array', items: edit },
    safety: { enum: ['safe', 'unsafe', null] },
    alternatives: {
      type: 'array',
      items: object({
        fix: text,
        edits: { type: 'array', items: edit },
        safety: { enum: ['safe', 'unsafe', null] },
      }),
    },
    fingerprint: text,
    targets: { type: 'array', items: text },
    suppressed,
  },
  ['edits', 'safety', 'alternatives', 'targets'],
);

const check = object({ rule: text, verdict: { enum: ['pass', 'fail', 'undetermined', 'not-applicable'] } });

const truth = { type: ['boolean', 'null'] } as const;

const access = object(
  { foreignHost: truth, foreignOrigin: truth, fileMode: nullable, profiler: truth, login: truth },
  ['login'],
);
const unsafeDebug = { enum: ['on', 'off', 'unproven', null] } as const;

/** Audited interfaces have the fields after `latencyMs`; interfaces of settings have `declared`. */
const networkInterface = object(
  {
    transport: { enum: transports },
    role: { enum: ['engine', 'graphql'] },
    endpoint: text,
    source,
    state: { enum: ['open', 'refused', 'unreachable', 'closed', 'not-checked'] },
    reason: nullable,
    modules: nullOr({ type: 'object', additionalProperties: text }),
    client: nullable,
    latencyMs: { type: ['number', 'null'] },
    reach: { enum: reaches },
    reachBy: { enum: reachEvidence },
    reachVia: { type: 'array', items: text },
    containerOnly: { const: true },
    bind: nullOr({ type: 'array', items: text }),
    simulated: { const: true },
    chain: nullable,
    access,
    unsafeDebug,
    unlocked: nullOr({ type: 'array', items: text }),
    requests: count,
    declared: object({ modules: nullOr({ type: 'array', items: text }), access, unsafeDebug }),
  },
  [
    ...([
      'role',
      'reach',
      'reachBy',
      'reachVia',
      'containerOnly',
      'bind',
      'simulated',
      'chain',
      'access',
      'unsafeDebug',
    ] as const),
    ...(['unlocked', 'requests', 'declared'] as const),
  ],
);

const process = object(
  {
    pid: count,
    startedAt: nullOr({ type: 'string', format: 'date-time' }),
    program: text,
    dataDir: nullable,
    user: nullable,
    unit: nullable,
    container: nullable,
  },
  ['user', 'unit', 'container'],
);

const drift = object({ setting: text, conf: text, process: nullable, node: nullable, note: nullable });

/** What optional fields a target has. */
const optional = [
  ...(['kind', 'kindBy', 'release', 'policy', 'files', 'process'] as const),
  ...(['checks', 'shared', 'failOn', 'drift', 'notLookedAt'] as const),
] as const;

function targetOf(kinds: readonly Kind[]) {
  const fields = fieldsOf(kinds);
  return object({ ...fields, last: object(fields, optional) }, [...optional, 'last']);
}

function fieldsOf(kinds: readonly Kind[]) {
  // A kind without launchers is started by its program, which comes from no package: ''.
  const launchers = kinds.flatMap(({ launchers, programs }) => launchers?.names ?? programs);
  const packages = kinds.flatMap(({ launchers }) => launchers?.packages ?? ['']);
  return {
    name: text,
    role: nullable,
    kind: nullable,
    kindBy: { enum: ['build', 'answer', 'image', 'name', 'settings', null] },
    release: nullOr(
      object(
        {
          value: nullable,
          by: { enum: releaseBases },
          since: text,
          until: text,
          refused: { type: 'array', items: text },
          fork: text,
        },
        ['refused', 'fork'],
      ),
    ),
    policy: object({ name: text, version: count }),
    conf: nullOr(
      object(
        {
          path: text,
          launcher: { enum: [...new Set(launchers)] },
          by: { enum: bases },
          package: { enum: [...new Set(packages)] },
          packageBy: { enum: bases },
          guessed: { const: true },
        },
        ['by', 'packageBy', 'guessed'],
      ),
    ),
    files: { type: 'array', items: text },
    process: nullOr(process),
    interfaces: { type: 'array', items: networkInterface },
    checks: { type: 'array', items: check },
    findings: { type: 'array', items: finding },
    shared: { type: 'array', items: object({ rule: text, subject: text, severity, target: text }) },
    undetermined: {
      type: 'array',
      items: object(
        {
          rule: text,
          code: { enum: notSeenCodes },
          about: nullable,
          reason: text,
          defect: { const: true },
          at: span,
          subject: text,
          fingerprint: text,
          suppressed,
        },
        ['defect', 'at', 'subject', 'fingerprint', 'suppressed'],
      ),
    },
    verdict: { enum: ['pass', 'suppressed', 'fail', 'undetermined'] },
    failOn: { enum: [...severities, 'none'] },
    drift: { type: 'array', items: drift },
    notLookedAt: { type: 'array', items: text },
  } as const;
}

/** For targets of these kinds. */
export function reportSchema(kinds: readonly Kind[]) {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'kaiactl report, version 1',
    ...object({
      schema: { const: 'kaiactl/report-1' },
      tool: object({ name: text, version: text, homepage: text }, ['homepage']),
      startedAt: { type: 'string', format: 'date-time' },
      finishedAt: { type: 'string', format: 'date-time' },
      targets: { type: 'array', items: targetOf(kinds) },
      rules: {
        type: 'array',
        items: object({ id: text, severity, title: text, why: text, fix: text, page: text }, ['page']),
      },
      failOn: { enum: [...severities, 'none'] },
      summary: object(
        { targets: count, ...bySeverity, suppressed: count, undetermined: count, excluded: count },
        ['excluded'],
      ),
      exitCode: { type: 'integer', minimum: 0, maximum: 255 },
    }),
  } as const;
}
