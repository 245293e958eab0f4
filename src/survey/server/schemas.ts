/**
 * Requests and answers of each route, for the OpenAPI description only. The protocol validates requests, and words the
 * refusals that callers know.
 */
import type { FastifySchema } from 'fastify';
import { gateways, schemes } from '../protocol/wire.js';
import { paymentStates } from './payment-states.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } as const;

/** The same schema with a description. */
const about = <S extends object>(schema: S, description: string) => ({ ...schema, description });
const survey = about(address, 'Address of the survey contract');
const nullable = (type: string, description: string) => ({ type: [type, 'null'], description });

function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required } as const;
}

/** A JSON document inside a JSON string, as the original API writes it. */
function nested(contentSchema: object) {
  return { type: 'string', contentMediaType: 'application/json', contentSchema } as const;
}

const refusal = { shortMessage: text, reason: text, code: text, data: text };
const failure = object({ error: nested(object(refusal, ['code', 'data'])) });
const failures = {
  400: about(failure, 'Refused'),
  429: about(failure, 'Too many requests from this address, or too many joins: see Retry-After'),
  503: about(failure, 'The store or the chain does not serve: nothing was done'),
};
const paymentFailure = object({ message: { type: 'string', enum: ['Payment is failed'] } });
const message = object({ message: text });

const signature = about(text, '65 bytes, or 64 (EIP-2098), as 0x-hex');
const group = object(
  {
    members: { type: 'array', items: text, description: 'Decimal, in leaf order; "0" is a removed one' },
    groupId: text,
    from: about(whole, 'Index of the first entry, in a part'),
  },
  ['from'],
);

export const membersSchema: FastifySchema = {
  summary: 'Members of a survey’s group',
  querystring: object(
    {
      id: survey,
      after: about(whole, 'Only entries after this index'),
      limit: about(whole, 'Maximum number of entries'),
    },
    ['after', 'limit'],
  ),
  response: {
    200: {
      description: 'All members, or the part asked for',
      content: {
        'application/json': { schema: object({ data: nested(group) }) },
        'application/x-ndjson': { schema: about(text, 'A line {index, commitment} each') },
      },
    },
    304: { type: 'null', description: 'Unchanged since the answer with this ETag' },
    ...failures,
  },
};

const receipt = { type: 'object', description: 'TransactionReceipt.toJSON() of ethers 6' };

export const joinSchema: FastifySchema = {
  summary: 'Joins a survey’s group; answers when the join is durable',
  body: object(
    {
      id: survey,
      commitment: { type: ['string', 'integer'], description: 'Decimal or 0x, 1 … p-1' },
      signature: {
        oneOf: [signature, { type: 'array', items: signature, maxItems: 10 }],
        description: 'Several for a multi-signature account',
      },
      idToken: about(text, 'ID token or access token'),
      account: about(address, 'The signer, spelled as in the signed text'),
      scheme: { enum: schemes, default: schemes[0] },
      expiresAt: { type: 'integer', description: 'eip712: seconds since 1970' },
      chainId: { type: 'integer', description: 'eip712: chain of the survey' },
      nonce: about(text, 'Must be the ID token’s nonce when given'),
    },
    ['scheme', 'expiresAt', 'chainId', 'nonce'],
  ),
  response: {
    200: about(object({ data: nested(receipt) }), 'Joined; the receipt holds a MemberAdded log'),
    ...failures,
  },
};

export const inviteSchema: FastifySchema = {
  summary: 'Refused: this server makes no invitations',
  response: failures,
};

export const orderSchema: FastifySchema = {
  summary: 'Creates a payment',
  body: object({
    buyerAddress: address,
    itemIdentifier: { ...text, maxLength: 256 },
    name: { ...text, maxLength: 256 },
    imageUrl: { ...text, maxLength: 512 },
    pgType: { enum: gateways },
    currencyCode: text,
    price: text,
    testMode: { type: 'boolean', description: 'false needs the operator’s secret, or the price list' },
  }),
  response: {
    200: about(object({ pId: text }), 'Created'),
    400: about(paymentFailure, 'Not created'),
    429: about(paymentFailure, 'Too many requests from this address'),
    503: about(paymentFailure, 'Not created: the store does not serve'),
  },
};

const change = object({ status: text, source: { enum: ['callback', 'portal'] }, at: { type: 'integer' } });
const ordered = { itemIdentifier: text, pgType: text, currencyCode: text, price: text };
const payment = object({
  id: text,
  status: text,
  state: { enum: paymentStates },
  verified: { type: 'boolean', description: 'Whether the portal confirmed the status for this order' },
  problem: nullable('string', 'Why the status does not count for the order'),
  claimed: nullable('string', 'Status that a callback claims and the portal has not confirmed'),
  ...ordered,
  testMode: { type: 'boolean', description: 'Whether no money moves' },
  updatedAt: { type: 'integer', description: 'Milliseconds since 1970' },
  history: { type: 'array', items: change },
});

export const paymentSchema: FastifySchema = {
  summary: 'Status of a payment',
  querystring: object({ id: text }),
  response: { 200: about(payment, 'Known'), 404: about(message, 'Not a payment of this server') },
};

export const finalizeSchema: FastifySchema = {
  summary: 'Settles a payment',
  body: object(
    {
      id: text,
      account: about(address, 'The buyer, if the operator’s secret is not sent'),
      signature: about(text, 'The buyer’s, over “finalize payment <id>” (EIP-191)'),
    },
    ['account', 'signature'],
  ),
  response: { 200: about(message, 'Settled'), 400: about(message, 'Not settled') },
};

export const callbackSchema: FastifySchema = {
  summary: 'Called by the payment portal',
  body: object({ paymentId: text, status: text }, ['status']),
  response: { 200: about(message, 'Accepted; the status changes only after the portal confirms it') },
};

export const healthSchema: FastifySchema = {
  summary: 'Health of the server',
  response: {
    200: { type: 'object', description: 'Healthy' },
    503: { type: 'object', description: 'Not healthy' },
  },
};

export const metricsSchema: FastifySchema = {
  summary: 'Prometheus metrics',
  response: { 200: { description: 'Text format', content: { 'text/plain': { schema: text } } } },
};

export const descriptionSchema: FastifySchema = {
  summary: 'This OpenAPI description',
  response: { 200: { type: 'object', description: 'OpenAPI 3.1' } },
};
