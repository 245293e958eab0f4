/** What the operator asks of a running server, on a socket that only the operator can open. */
import { chmodSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { KaiactlError } from '../../errors.js';
import { readSurvey } from '../protocol/join-request.js';
import { field } from '../protocol/upstream.js';
import type { GroupStore } from '../store/group-store.js';
import type { Storage } from '../store/storage.js';
import { refusedBy, sendJson } from './route.js';

/** Listens on the socket, which its owner alone may open. @throws {KaiactlError} when it cannot be had (exit 2) */
export async function startAdmin(
  path: string,
  storage: Storage,
  store: GroupStore,
): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _, reply) => {
    const { refused, status } = refusedBy(error);
    return sendJson(reply, refused.body(), status);
  });
  addSurveyRoutes(app, store);
  app.post('/backup', async (request) => {
    await storage.copyTo(String(field(request.body, 'path') ?? ''));
    return {};
  });
  try {
    await removeStale(path);
    await app.listen({ path });
    chmodSync(path, 0o600);
    return app;
  } catch (error) {
    throw new KaiactlError(`cannot listen on the admin socket ${path}: ${(error as Error).message}`, {
      cause: error,
      hint: 'Name another one with --admin-socket.',
    });
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

/** A killed server leaves its socket behind; one that answers is another server's. */
function removeStale(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      reject(new Error('another server listens there'));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') unlinkSync(path);
      resolve();
    });
  });
}
