/** The JSON Schema of report version 1 (draft 2020-12). Within version 1 fields are added, never changed. */
import { browserReaches, reachEvidence, reaches } from '../facts/reach.js';
import { releaseBases } from '../facts/release.js';
import { interfaceRoles, transports } from '../facts/report.js';
import { notSeenCodes } from '../facts/seen.js';
import { bases, listenerKinds } from '../facts/settings.js';
import { forSeverities, severities } from '../facts/severity.js';
import type { Kind, KindScripts, KindWords } from '../kinds/kind.js';

const text = { type: 'string' } as const;
const nullable = { type: ['string', 'null'] } as const;
const count = { type: 'integer', minimum: 0 } as const;
const position = { type: 'integer', minimum: 1 } as const;
const severity = { enum: severities } as const;
const bySeverity = forSeverities(count, count, count, count, count);
const source = { enum: ['argument', 'conf', 'inventory', 'process'] } as const;

/** A property that may be absent. */
export function optional<const S extends object>(schema: S) {
  return { optional: schema } as const;
}

type Required<P> = { [K in keyof P]: P[K] extends { readonly optional: object } ? never : K }[keyof P];

type Bare<P> = { readonly [K in keyof P]: P[K] extends { readonly optional: infer S } ? S : P[K] };

/** An object with these properties; later versions may add others. */
export function object<const P extends Readonly<Record<string, object>>>(properties: P) {
  const all = Object.entries(properties);
  const bare = all.map(([name, one]) => [name, 'optional' in one ? one.optional : one]);
  const required = all.filter(([, one]) => !('optional' in one)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(bare) as Bare<P>,
    required: required as Required<P>[],
  } as const;
}

export function nullOr<const S extends object>(schema: S) {
  return { anyOf: [{ type: 'null' }, schema] } as const;
}

const places = {
  file: text,
  line: position,
  column: position,
  endLine: position,
  endColumn: position,
} as const;
const span = object(places);
const place = { anyOf: [span, object({ endpoint: text })] } as const;

const suppressed = nullOr(object({ reason: text, until: nullable, baseline: optional({ const: true }) }));

const edit = object({ ...places, text, source: optional(nullable) });

const safety = { enum: ['safe', 'unsafe', null] } as const;
const edits = { type: 'array', items: edit } as const;

/** What decisions ask of a finding; the rest of its evidence is for readers. */
const evidence = object({
  interface: optional({ enum: listenerKinds }),
  interfaces: optional({ type: 'array', items: { enum: listenerKinds } }),
  module: optional(text),
  port: optional({ type: ['integer', 'null'] }),
  path: optional(text),
  policy: optional(text),
  reach: optional({ enum: reaches }),
  bound: optional({ enum: [...reaches, null] }),
  fatal: optional({ type: 'boolean' }),
  closes: optional({ const: true }),
  conditional: optional({ const: true }),
});

const finding = object({
  rule: { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' },
  severity,
  title: text,
  message: text,
  fix: text,
  subject: text,
  at: place,
  source: nullable,
  related: { type: 'array', items: object({ at: place, note: text, source: nullable }) },
  evidence: nullOr({ ...evidence, additionalProperties: {} }),
  edits: optional(edits),
  safety: optional(safety),
  alternatives: optional({ type: 'array', items: object({ fix: text, edits, safety }) }),
  fingerprint: text,
  saidBy: optional(text),
  targets: optional({ type: 'array', items: text }),
  suppressed,
});

const check = object({ rule: text, verdict: { enum: ['pass', 'fail', 'undetermined', 'not-applicable'] } });

const truth = { type: ['boolean', 'null'] } as const;

const access = object({
  foreignHost: truth,
  foreignOrigin: truth,
  fileMode: nullable,
  profiler: truth,
  login: optional(truth),
});
const unsafeDebug = { enum: ['on', 'off', 'unproven', null] } as const;

/** Audited interfaces have the fields after `latencyMs`; interfaces of settings have `declared`. */
const networkInterface = object({
  transport: { enum: transports },
  role: optional({ enum: interfaceRoles }),
  endpoint: text,
  source,
  state: { enum: ['open', 'refused', 'unreachable', 'closed', 'not-checked'] },
  reason: nullable,
  modules: nullOr({ type: 'object', additionalProperties: text }),
  client: nullable,
  latencyMs: { type: ['number', 'null'] },
  reach: optional({ enum: reaches }),
  browsers: nullOr({ enum: browserReaches }),
  browsersBy: optional(text),
  reachBy: optional({ enum: reachEvidence }),
  reachVia: optional({ type: 'array', items: text }),
  containerOnly: optional({ const: true }),
  bind: optional(nullOr({ type: 'array', items: text })),
  simulated: optional({ const: true }),
  chain: optional(nullable),
  access: optional(access),
  unsafeDebug: optional(unsafeDebug),
  unlocked: optional(nullOr({ type: 'array', items: text })),
  requests: optional(count),
  declared: optional(object({ modules: nullOr({ type: 'array', items: text }), access, unsafeDebug })),
});

const process = object({
  pid: count,
  startedAt: nullOr({ type: 'string', format: 'date-time' }),
  program: text,
  dataDir: nullable,
  user: optional(nullable),
  unit: optional(nullable),
  container: optional(nullable),
});

const drift = object({ setting: text, conf: text, process: nullable, node: nullable, note: nullable });

const release = object({
  value: nullable,
  by: { enum: releaseBases },
  since: text,
  until: text,
  refused: optional({ type: 'array', items: text }),
  fork: optional(text),
  unlike: optional(text),
});

const undetermined = object({
  rule: text,
  code: { enum: notSeenCodes },
  about: nullable,
  reason: text,
  defect: optional({ const: true }),
  at: optional(span),
  subject: optional(text),
  fingerprint: optional(text),
  suppressed: optional(suppressed),
});

function fieldsOf(kinds: readonly (KindScripts & KindWords)[]) {
  // A kind without launchers is started by its program, which comes from no package: ''.
  const launchers = kinds.flatMap(({ launchers, programs }) => launchers?.names ?? programs);
  const packages = kinds.flatMap(({ launchers }) => launchers?.packages ?? ['']);
  return {
    name: text,
    role: nullable,
    kind: optional(nullable),
    kindBy: optional({ enum: ['build', 'answer', 'image', 'name', 'settings', null] }),
    seenRunning: optional({ const: false }),
    release: optional(nullOr(release)),
    policy: optional(object({ name: text, version: count })),
    conf: nullOr(
      object({
        path: text,
        launcher: { enum: [...new Set(launchers)] },
        by: optional({ enum: bases }),
        package: { enum: [...new Set(packages)] },
        packageBy: optional({ enum: bases }),
        guessed: optional({ const: true }),
      }),
    ),
    files: optional({ type: 'array', items: text }),
    process: optional(nullOr(process)),
    interfaces: { type: 'array', items: networkInterface },
    checks: optional({ type: 'array', items: check }),
    findings: { type: 'array', items: finding },
    fixesLeftOut: optional(position),
    changed: optional(object({ hidden: count, severities: count })),
    shared: optional({ type: 'array', items: object({ rule: text, subject: text, severity, target: text }) }),
    undetermined: { type: 'array', items: undetermined },
    verdict: { enum: ['pass', 'suppressed', 'fail', 'undetermined'] },
    failOn: optional({ enum: [...severities, 'none'] }),
    drift: optional({ type: 'array', items: drift }),
    notLookedAt: optional({ type: 'array', items: text }),
  } as const;
}

/** For targets of these kinds. */
export function reportSchema(kinds: readonly Kind[]) {
  const fields = fieldsOf(kinds);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'kaiactl report, version 1',
    ...object({
      schema: { const: 'kaiactl/report-1' },
      tool: object({ name: text, version: text, homepage: optional(text) }),
      startedAt: { type: 'string', format: 'date-time' },
      finishedAt: { type: 'string', format: 'date-time' },
      targets: { type: 'array', items: object({ ...fields, last: optional(object(fields)) }) },
      rules: {
        type: 'array',
        items: object({ id: text, severity, title: text, why: text, fix: text, page: optional(text) }),
      },
      failOn: { enum: [...severities, 'none'] },
      summary: object({
        targets: count,
        ...bySeverity,
        suppressed: count,
        undetermined: count,
        excluded: optional(count),
        changed: optional(
          object({ hidden: count, severities: count, suppressed: count, acknowledged: count }),
        ),
      }),
      exitCode: { type: 'integer', minimum: 0, maximum: 255 },
    }),
  } as const;
}
