/** Payments at the portal: creating one, asking for its status. */
import { ask } from '../../http/ask.js';
import { field } from '../../util/json.js';
import type { StoreRequest } from '../protocol/wire.js';

/** The field with the URL that the portal calls on every change of status: its older name, its newer one, or both. */
export const callbackFields = ['confirmCallbackUrl', 'paymentStatusChangeCallbackUrl', 'both'] as const;
export type CallbackField = (typeof callbackFields)[number];

export interface PortalSettings {
  /** The portal's base URL; paths below it are the portal's. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackField: CallbackField;
  readonly confirmUrl: string;
  /** Called before a payment, and when one fails; null if neither applies. */
  readonly lockUrl: string | null;
  readonly unlockUrl: string | null;
  readonly timeoutMs: number;
}

/** A created payment's identifier, or why the creation failed (for the log, without the portal's address). */
export type Created = { readonly id: string } | { readonly failure: string };

/** Creates a payment. Never retried: a retry could charge twice. */
export async function createPayment(order: StoreRequest, settings: PortalSettings): Promise<Created> {
  const answer = await request('create', settings, portalOrder(order, settings));
  if (answer === null) return { failure: 'the portal did not answer' };
  if (answer.status < 200 || answer.status > 299)
    return { failure: `the portal answered ${answer.status}${portalCode(answer.json)}` };
  const id = field(answer.json, 'id') ?? field(answer.json, 'payment_id');
  if (typeof id === 'string' && id !== '' && id.length <= 256) return { id };
  return { failure: 'the portal answered without an identifier' };
}

/** With credentials, which some requests do not need. @param body absent: a GET */
function request(path: string, settings: PortalSettings, body?: object, isKnown = true) {
  const { url, timeoutMs, clientId, clientSecret } = settings;
  const to = `${url}/api/payment-v1/payment/${path}`;
  const headers = isKnown ? { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } : {};
  if (body === undefined) return ask(to, { method: 'GET', headers, timeoutMs });
  const json = { ...headers, 'Content-Type': 'application/json' };
  return ask(to, { method: 'POST', headers: json, body: JSON.stringify(body), timeoutMs });
}

function portalOrder(order: StoreRequest, settings: PortalSettings): Record<string, unknown> {
  const { itemIdentifier, name, imageUrl, price, currencyCode, pgType, testMode } = order;
  const { callbackField, confirmUrl } = settings;
  const names = callbackField === 'both' ? callbackFields.slice(0, 2) : [callbackField];
  const callbacks = Object.fromEntries(names.map((name) => [name, confirmUrl]));
  return {
    buyerDappPortalAddress: order.buyerAddress,
    pgType,
    currencyCode,
    price,
    ...callbacks,
    lockUrl: settings.lockUrl,
    unlockUrl: settings.unlockUrl,
    items: [{ itemIdentifier, name, imageUrl, price, currencyCode }],
    testMode,
  };
}

/** The portal's error code, with its description if that is plain text without an address. */
function portalCode(json: unknown): string {
  const code = field(json, 'code');
  const detail = field(json, 'detail');
  if (typeof code !== 'number') return '';
  return typeof detail === 'string' && /^(?!.*0x)[\w .,:'-]{1,120}$/i.test(detail)
    ? ` (${code} ${detail})`
    : ` (${code})`;
}

/** The portal's status of a payment; null when it does not answer. Needs no credentials. */
export async function paymentStatus(id: string, settings: PortalSettings): Promise<string | null> {
  const answer = await request(`status?${new URLSearchParams({ id })}`, settings, undefined, false);
  const status = field(answer?.json, 'status');
  return answer?.status === 200 && isStatus(status) ? status : null;
}

/** The portal's record of a payment, with what was ordered; null when it does not answer. */
export async function paymentRecord(id: string, settings: PortalSettings): Promise<object | null> {
  const answer = await request(`info?${new URLSearchParams({ id })}`, settings);
  const json = answer?.status === 200 ? answer.json : null;
  return typeof json === 'object' ? json : null;
}

/** Asks the portal to settle a payment; resolves with whether it did. Needs no credentials. */
export async function finalizePayment(id: string, settings: PortalSettings): Promise<boolean> {
  return (await request('finalize', settings, { id }, false))?.status === 200;
}

/** Whether the value has the form of a status: CREATED, CONFIRM_FAILED, … */
export function isStatus(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z_]{1,40}$/.test(value);
}
