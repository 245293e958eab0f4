/** Stand-ins for the messaging platform and the payment portal, on loopback only. Not for production. */

import type { IncomingHttpHeaders } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { priceProblem } from '../protocol/price.js';
import { ask, field } from '../protocol/upstream.js';
import { gateways } from '../protocol/wire.js';

/** The credentials of the sandbox's portal; they are valid nowhere else. */
export const sandboxCredentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' } as const;
export const sandboxChannel = '1000000000';

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

interface Kept {
  readonly order: object;
  status: string;
  readonly callbacks: readonly string[];
}

/** Starts both stand-ins on a free port. */
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
    const callbacks = ['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl']
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

/** The portal's rules for a payment; returns the field that breaks one. */
function orderFault(body: unknown): string | null {
  const text = (of: unknown, name: string, max: number) => {
    const value = field(of, name);
    return typeof value === 'string' && value !== '' && value.length <= max;
  };
  const pgType = gateways.find((one) => one === field(body, 'pgType'));
  const [currencyCode = '', price = ''] = ['currencyCode', 'price'].map((name) => String(field(body, name)));
  const isCharged = pgType !== undefined && priceProblem(pgType, currencyCode, price) === null;
  const [testMode, items] = [field(body, 'testMode'), field(body, 'items')];
  const [item, ...others] = Array.isArray(items) ? items : [];
  const ofItem = (name: string, max: number): [boolean, string] => [
    text(item, name, max),
    `items[0].${name}`,
  ];
  const same = (name: string): [boolean, string] => [
    field(item, name) === field(body, name),
    `items[0].${name}`,
  ];
  const callbacks = ['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl'];
  const rules: readonly [isSound: boolean, name: string][] = [
    [text(body, 'buyerDappPortalAddress', 42), 'buyerDappPortalAddress'],
    [pgType !== undefined, 'pgType'],
    [text(body, 'currencyCode', 32), 'currencyCode'],
    [text(body, 'price', 32) && isCharged, 'price'],
    [callbacks.some((name) => text(body, name, 512)), 'paymentStatusChangeCallbackUrl'],
    [typeof testMode === 'boolean', 'testMode'],
    [testMode !== false, 'testMode (the sandbox moves no money)'],
    [item !== undefined && others.length === 0, 'items'],
    ...[ofItem('itemIdentifier', 256), ofItem('name', 256), ofItem('imageUrl', 512)],
    ...[same('price'), same('currencyCode')],
  ];
  return rules.find(([isSound]) => !isSound)?.[1] ?? null;
}

export type Issuer = Awaited<ReturnType<typeof tokenIssuer>>;

export async function tokenIssuer(issuer: string, channelId: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = 'sandbox';
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
  return {
    /** The answer of its JWKS address. */
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
