/** Stand-ins for the messaging platform and the payment portal, on loopback only. Not for production. */
import type { IncomingHttpHeaders } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ask } from '../../http/ask.js';
import { field } from '../../util/json.js';
import { readOrder } from './order.js';
import { callbackFields } from './portal.js';

/** The credentials of the sandbox's portal; they are valid nowhere else. */
export const sandboxCredentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' } as const;
export const sandboxChannel = '1000000000';

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

interface Kept {
  readonly order: object;
  status: string;
  readonly callbacks: readonly string[];
}

export async function startSandbox(issuerName: string) {
  const app = Fastify({ bodyLimit: 65_536, forceCloseConnections: true });
  const issuer = await tokenIssuer(issuerName, sandboxChannel);
  app.get('/certs', async () => issuer.jwks);
  app.post('/token', async (request) => {
    const user = field(request.body, 'user');
    return { idToken: await issuer.issue(typeof user === 'string' && user !== '' ? user : sandboxUser) };
  });
  addPortal(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, issuer, close: () => app.close() };
}

const callbackNames = callbackFields.slice(0, 2);

/** A user id in the platform's format. */
export const sandboxUser = `U${'5'.repeat(32)}`;

function addPortal(app: FastifyInstance): void {
  const payments = new Map<string, Kept>();
  const isKnown = ({ 'x-client-id': id, 'x-client-secret': secret }: IncomingHttpHeaders) =>
    id === sandboxCredentials.clientId && secret === sandboxCredentials.clientSecret;
  const base = '/api/payment-v1/payment';
  const refuse = (reply: FastifyReply, status: number, code: number, detail: string) =>
    reply.code(status).send({ code, detail, cause: null });
  const stranger = (reply: FastifyReply) => refuse(reply, 401, 1007, 'Invalid client id or secret');
  const notFound = (reply: FastifyReply) => refuse(reply, 404, 1002, 'Payment not found');
  app.post(`${base}/create`, async (request, reply) => {
    if (!isKnown(request.headers)) return stranger(reply);
    const wrong = orderFault(request.body);
    if (wrong !== null) return refuse(reply, 400, 1001, `Invalid argument: ${wrong}`);
    const payment = `sandbox-${payments.size + 1}`;
    const callbacks = callbackNames
      .map((name) => field(request.body, name))
      .filter((url) => typeof url === 'string');
    payments.set(payment, { status: 'CREATED', callbacks, order: request.body as object });
    return { id: payment };
  });
  app.get(`${base}/status`, async (request, reply) => {
    const kept = payments.get(String(field(request.query, 'id')));
    return kept === undefined ? notFound(reply) : { status: kept.status };
  });
  app.get(`${base}/info`, async (request, reply) => {
    if (!isKnown(request.headers)) return stranger(reply);
    const id = String(field(request.query, 'id'));
    const kept = payments.get(id);
    if (kept === undefined) return notFound(reply);
    return { id, status: kept.status, ...kept.order };
  });
  app.post(`${base}/finalize`, async (request, reply) => {
    const kept = payments.get(String(field(request.body, 'id')));
    if (kept === undefined) return notFound(reply);
    if (kept.status !== 'CONFIRMED') return refuse(reply, 403, 1004, 'Invalid payment status');
    kept.status = 'FINALIZED';
    return reply.send();
  });
  app.post('/pay', async (request, reply) => {
    const paymentId = String(field(request.body, 'id'));
    const kept = payments.get(paymentId);
    if (kept === undefined) return notFound(reply);
    kept.status = 'CONFIRMED';
    const body = JSON.stringify({ paymentId, status: kept.status });
    const headers = { 'Content-Type': 'application/json' };
    for (const url of kept.callbacks) await ask(url, { method: 'POST', headers, body, timeoutMs: 5000 });
    return { status: kept.status };
  });
}

/** What breaks the portal's rules, which are those of an order, or that the sandbox moves no money. */
function orderFault(body: unknown): string | null {
  const [item, ...others] = [field(body, 'items')].flat();
  const isItem = ['price', 'currencyCode'].every((name) => field(item, name) === field(body, name));
  if (item === undefined || others.length > 0 || !isItem) return 'items';
  if (callbackNames.every((name) => typeof field(body, name) !== 'string')) return callbackNames.join(', ');
  if (field(body, 'testMode') === false) return 'testMode (the sandbox moves no money)';
  const read = readOrder({
    ...item,
    ...(body as object),
    buyerAddress: field(body, 'buyerDappPortalAddress'),
  });
  return 'wrong' in read ? read.wrong : null;
}

export type Issuer = Awaited<ReturnType<typeof tokenIssuer>>;

export async function tokenIssuer(issuer: string, channelId: string, kid = 'sandbox') {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
  return {
    jwks: { keys: [jwk] },
    /** An ID token for a user, valid for an hour unless told otherwise. */
    issue: (user: string, { nonce, expiresIn = '1h' }: { nonce?: string; expiresIn?: string } = {}) =>
      new SignJWT({ amr: ['pwd'], ...(nonce === undefined ? {} : { nonce }) })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
        .setIssuer(issuer)
        .setAudience(channelId)
        .setSubject(user)
        .setIssuedAt()
        .setExpirationTime(expiresIn)
        .sign(privateKey),
  };
}
