/** The operator's requests to a running server, on a socket that only the operator can open. */
import { chmodSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import { KaiactlError } from '../../errors.js';
import { removeStaleSocket } from '../../util/stale-socket.js';
import { readSurvey } from '../protocol/join-request.js';
import { field } from '../protocol/upstream.js';
import type { GroupStore } from '../store/group-store.js';
import type { Storage } from '../store/storage.js';
import { refusedBy } from './failures.js';
import type { Parts } from './parts.js';
import { sendJson } from './route.js';

/** The parts of the server that the operator can ask about. */
export type AdminParts = Pick<Parts, 'store' | 'payments' | 'outcomes' | 'faults' | 'health'>;

/**
 * Listens on the socket, with mode 600; null if the disk rejects writes.
 * @throws {KaiactlError} when the path cannot be used (exit 2)
 */
export async function startAdmin(
  path: string,
  storage: Storage,
  parts: AdminParts,
): Promise<FastifyInstance | null> {
  if (!(await isFree(path))) return null;
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _, reply) => {
    const { refused, status } = refusedBy(error);
    return sendJson(reply, refused.body(), status);
  });
  addSurveyRoutes(app, parts.store);
  addReports(app, parts);
  app.post('/backup', async (request) => {
    await storage.copyTo(String(field(request.body, 'path') ?? ''));
    return {};
  });
  try {
    await app.listen({ path });
    chmodSync(path, 0o600);
    return app;
  } catch (error) {
    await app.close();
    if (isReadOnlyDisk(error)) return null;
    throw unusable(path, (error as Error).message, error);
  }
}

function addSurveyRoutes(app: FastifyInstance, store: GroupStore): void {
  app.get('/surveys', async () => ({ surveys: await store.surveys() }));
  app.post('/surveys', async (request) => {
    await store.add(readSurvey(field(request.body, 'survey')));
    return {};
  });
  app.post('/surveys/close', async (request) => {
    await store.finish(readSurvey(field(request.body, 'survey')));
    return {};
  });
  app.get('/export', async (request) => {
    const { groupId, members } = await store.group(readSurvey(field(request.query, 'survey')));
    return { groupId, members };
  });
}

/** Payments, outcomes of joins, and the state of the server: nothing about who joined. */
function addReports(app: FastifyInstance, { store, payments, outcomes, faults, health }: AdminParts): void {
  app.get('/payments', async () => ({ payments: await payments.list() }));
  app.get('/outcomes', async () => ({ outcomes: outcomes.counts() }));
  app.get('/status', async () => {
    const { problem, facts, nodes = [] } = await health();
    const backlog = await store.backlog();
    const { joinsLeft } = facts;
    return {
      ...{ problem, joinsPerMinute: outcomes.perMinute(), backlog },
      ...(joinsLeft === undefined ? {} : { joinsLeft }),
      ...{ nodes, faults: faults.counts() },
    };
  });
}

/**
 * Removes the socket of a killed server; false if the disk rejects that.
 * @throws {KaiactlError} when the path holds anything else (exit 2), which stays
 */
async function isFree(path: string): Promise<boolean> {
  const problem = await removeStaleSocket(path).catch((error: unknown) => {
    if (isReadOnlyDisk(error)) return true;
    throw unusable(path, (error as Error).message, error);
  });
  if (typeof problem === 'string') throw unusable(path, problem);
  return problem === null;
}

function isReadOnlyDisk(error: unknown): boolean {
  return /^(EROFS|ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

function unusable(path: string, why: string, cause?: unknown): KaiactlError {
  return new KaiactlError(`cannot listen on the admin socket ${path}: ${why}`, {
    cause,
    hint: 'Name another path with --admin-socket. Nothing was removed.',
  });
}
