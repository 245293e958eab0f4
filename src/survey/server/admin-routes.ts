/** The admin's actions. The same routes answer on a server's socket and, without a server, for an open store. */
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { field } from '../../util/json.js';
import { readSurvey } from '../protocol/join-request.js';
import { Refused } from '../protocol/refused.js';
import { type AuditEntry, auditLock, auditTrail, type Recorded, record } from '../store/audit.js';
import type { Decisions } from '../store/decisions.js';
import { tracesOf } from '../store/group-store.js';
import { countsOf } from '../store/join-counts.js';
import { exportSurvey, importSurvey, type SurveyDocument } from '../store/moved.js';
import type { Policy } from '../store/policies.js';
import type { Storage } from '../store/storage.js';
import { refusedBy } from './failures.js';
import { overview } from './overview.js';
import type { Parts } from './parts.js';
import { sendJson } from './route.js';

/** The header that names the system's user who runs the command. */
const actorHeader = 'x-kaiactl-actor';

export interface AdminParts
  extends Pick<
    Parts,
    'store' | 'payments' | 'outcomes' | 'faults' | 'health' | 'policies' | 'participants' | 'counts'
  > {
  readonly storage: Storage;
  /** Null: decisions are in the store only. */
  readonly decisions: Decisions | null;
  /** Whether a new survey gets the policy of a server's options now; else with the next start of a server. */
  readonly adopts: boolean;
  now(): number;
}

/** Bytes of an import: a million members. */
const maxImport = 512 << 20;

export function adminApp(parts: AdminParts): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: maxImport });
  app.setErrorHandler((error, _, reply) => {
    const { refused, status } = refusedBy(error);
    return sendJson(reply, refused.body(), status);
  });
  for (const add of [addSurveys, addStates, addPersons, addReports, addMoves]) add(app, parts);
  return app;
}

type Act = Pick<Recorded, 'action' | 'survey' | 'persons'> & { readonly detail?: object };

/** Resolves when the entry is in the store, and a decision also beside its secret. */
async function audit(parts: AdminParts, { headers }: FastifyRequest, act: Act): Promise<void> {
  const { storage, decisions, now } = parts;
  const name = headers[actorHeader];
  const actor = typeof name === 'string' ? decodeURIComponent(name).slice(0, 100) : null;
  await storage.atomically(auditLock, (rows) => record(rows, { at: now(), actor, detail: {}, ...act }));
  await decisions?.written();
}

function named(request: FastifyRequest): string {
  return readSurvey(field(request.body, 'survey') ?? field(request.query, 'survey'));
}

/** What an entry of the trail names, where members are on a chain. */
const chainOf = ({ store }: AdminParts) => (store.chainId === null ? {} : { chain: store.chainId });

/** Whether the closing time of a survey has passed. */
async function isOver({ policies, now }: AdminParts, survey: string): Promise<boolean> {
  const closesAt = (await policies.of(survey))?.closesAt ?? null;
  return closesAt !== null && closesAt <= now();
}

async function changePolicy({ policies }: AdminParts, survey: string, body: unknown) {
  const allowlist = field(body, 'allowlist');
  const isListed = Array.isArray(allowlist);
  if (isListed) await policies.allow(survey, allowlist.map(String));
  const changed = await policies.set(survey, (field(body, 'policy') ?? {}) as Partial<Policy>);
  return { ...changed, ...(isListed ? { listed: allowlist.length } : {}) };
}

/** A survey as `admin show` reports it, without its counts of joins. */
async function describeSurvey(parts: AdminParts, survey: string) {
  const { store, policies, payments, now } = parts;
  const { groupId, members } = await store.group(survey, true);
  const isClosed = (await store.surveys()).find((one) => one.survey === survey)?.closed === true;
  const policy = (await policies.of(survey)) ?? policies.defaults;
  const count = members.filter((leaf) => leaf !== '0').length;
  const closed = isClosed || (await isOver(parts, survey));
  return { survey, groupId, members: count, closed, policy, payments: await payments.counts(), at: now() };
}

function addSurveys(app: FastifyInstance, parts: AdminParts): void {
  const { store, policies, now } = parts;
  app.get('/surveys', async () => {
    const kept = await store.surveys();
    const surveys = kept.map(async (one) => ({
      ...one,
      closed: one.closed || (await isOver(parts, one.survey)),
      policy: (await policies.of(one.survey)) ?? policies.defaults,
    }));
    return { surveys: await Promise.all(surveys) };
  });
  app.get('/surveys/show', async (request) => {
    const survey = named(request);
    const about = await describeSurvey(parts, survey);
    await parts.counts.flush();
    return overview(about, await countsOf(parts.storage, survey));
  });
  app.post('/surveys', async (request) => {
    const survey = named(request);
    const wasKnown = (await store.surveys()).some((one) => one.survey === survey);
    await store.add(survey);
    if (parts.adopts) await policies.adopt([survey], now());
    const hasPolicy = Object.keys(field(request.body, 'policy') ?? {}).length > 0;
    const { listed } = hasPolicy ? await changePolicy(parts, survey, request.body) : {};
    const policy = await policies.of(survey);
    const detail = { ...policy, ...(listed === undefined ? {} : { listed }), ...chainOf(parts) };
    await audit(parts, request, { action: 'add', survey, detail });
    return { survey, policy, wasKnown };
  });
}

function addStates(app: FastifyInstance, parts: AdminParts): void {
  const { store, storage, policies, participants } = parts;
  app.post('/surveys/policy', async (request) => {
    const survey = named(request);
    await store.group(survey);
    if (!parts.adopts && (await policies.of(survey)) === null)
      throw new Refused(
        'INVALID_ARGUMENT',
        'the survey has no policy yet',
        'it gets that of its server’s options: start the server once',
      );
    const changed = await changePolicy(parts, survey, request.body);
    await audit(parts, request, { action: 'set', survey, detail: changed });
    return { survey, ...changed };
  });
  app.post('/surveys/close', async (request) => {
    const survey = named(request);
    await store.setClosed(survey, true);
    await audit(parts, request, { action: 'close', survey, detail: chainOf(parts) });
    return describeSurvey(parts, survey);
  });
  app.post('/surveys/open', async (request) => {
    const survey = named(request);
    // A survey on a chain may be closed before it is read for the first time.
    const refuse = (reason: string) => new Refused('INVALID_ARGUMENT', 'the survey cannot be opened', reason);
    if (await isOver(parts, survey))
      throw refuse('its closing time has passed: “admin set --closes-at” changes it');
    if (await participants.hasEnded(survey)) throw refuse('the record of who joined was dropped');
    if (field(request.body, 'notMoved') !== true && (await isMoved(storage, survey)))
      throw refuse(
        'it was exported after it was closed, and another store may have it (--not-moved: none has)',
      );
    await store.setClosed(survey, false);
    await audit(parts, request, { action: 'open', survey, detail: chainOf(parts) });
    return describeSurvey(parts, survey);
  });
}

/** Whether the survey was exported after it was closed, and not opened or imported here since. */
async function isMoved(storage: Storage, survey: string): Promise<boolean> {
  const isExport = ({ action, detail }: AuditEntry) =>
    action === 'export' && field(detail, 'closed') === true;
  const trail = await auditTrail(storage, survey);
  const last = trail.findLast((one) => isExport(one) || one.action === 'import' || one.action === 'open');
  return last !== undefined && isExport(last);
}

function addPersons(app: FastifyInstance, parts: AdminParts): void {
  const { store, policies, participants } = parts;
  app.post('/forget', async (request) => {
    const survey = named(request);
    const userId = String(field(request.body, 'userId') ?? '');
    const mayRejoin = field(request.body, 'mayRejoin') === true;
    const traces = tracesOf(store, survey);
    const wasRecorded = await participants.forget(survey, userId, traces, mayRejoin);
    const wasAllowed = !mayRejoin && (await policies.disallow(survey, userId));
    const persons = [...participants.hashesOf(survey, userId), policies.allowed(survey, userId)] as const;
    await audit(parts, request, { action: 'forget', survey, detail: { wasRecorded, mayRejoin }, persons });
    return { survey, wasRecorded, wasAllowed, mayRejoin };
  });
}

/** Payments, outcomes of joins, the trail, and the state of the server: nothing about who joined. */
function addReports(app: FastifyInstance, parts: AdminParts): void {
  const { store, storage, payments, outcomes, faults, health } = parts;
  app.get('/payments', async ({ query }) => {
    const { limit, mode, status, item, after } = query as Partial<Record<string, string>>;
    const test = mode === undefined ? undefined : mode === 'test';
    const filter = { status, item, after, test, limit: limit === undefined ? undefined : Number(limit) };
    return { payments: await payments.list(filter) };
  });
  app.get('/audit', async (request) => {
    const isOfSurvey = field(request.query, 'survey') !== undefined;
    return { entries: await auditTrail(storage, isOfSurvey ? named(request) : null) };
  });
  app.get('/outcomes', async () => ({ outcomes: outcomes.counts() }));
  app.get('/status', async () => {
    const { problem, facts, nodes = [] } = await health();
    const backlog = await store.backlog();
    const { joinsLeft } = facts;
    return {
      problem,
      joinsPerMinute: outcomes.perMinute(),
      backlog,
      ...(joinsLeft === undefined ? {} : { joinsLeft }),
      nodes,
      faults: faults.counts(),
    };
  });
}

function addMoves(app: FastifyInstance, parts: AdminParts): void {
  const { store, storage, policies } = parts;
  app.get('/export', async (request) => {
    const survey = named(request);
    const { groupId, members } = await store.group(survey, true);
    await parts.counts.flush();
    const { chainId: chain } = store;
    const onChain = chain === null ? null : { chain, groupId, members };
    const document = await exportSurvey(storage, policies, survey, onChain);
    // Another store takes the document only, not the list.
    const closed = document.closed && (field(request.query, 'format') ?? 'json') === 'json';
    const detail = { members: document.members.length, closed, ...(chain === null ? {} : { chain }) };
    await audit(parts, request, { action: 'export', survey, detail });
    return document;
  });
  app.post('/import', async (request) => {
    const document = field(request.body, 'document') as SurveyDocument;
    const survey = readSurvey(field(document, 'survey'));
    const { groupId } = await importSurvey(storage, { ...document, survey });
    const moved = { groupId, members: document.members.length, participants: document.participants.length };
    await audit(parts, request, { action: 'import', survey, detail: moved });
    return { survey, ...moved, closed: document.closed };
  });
  app.post('/backup', async (request) => {
    await storage.copyTo(String(field(request.body, 'path') ?? ''));
    await audit(parts, request, { action: 'backup', survey: null });
    return {};
  });
}
