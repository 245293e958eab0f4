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
const survey = { ...address, description: 'Address of the survey contract' };

function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required } as const;
}

/** A JSON document inside a JSON string, as the original API writes it. */
function nested(contentSchema: object) {
  return { type: 'string', contentMediaType: 'application/json', contentSchema } as const;
}

/** An answer without a body. */
function bare(description: string) {
  return { type: 'null', description } as const;
}

const failure = object({
  error: nested(object({ shortMessage: text, reason: text, code: text, data: text }, ['code', 'data'])),
});
const failures = {
  400: { ...failure, description: 'Refused' },
  429: { ...failure, description: 'Too many requests from this address, or too many joins: see Retry-After' },
  503: { ...failure, description: 'The store or the chain does not serve: nothing was done' },
};
const paymentFailure = object({ message: { type: 'string', enum: ['Payment is failed'] } });

const signature = { ...text, description: '65 bytes, or 64 (EIP-2098), as 0x-hex' };
const group = object(
  {
    members: { type: 'array', items: text, description: 'Decimal, in leaf order; "0" is a removed one' },
    groupId: text,
    from: { ...whole, description: 'Index of the first entry, in a part' },
  },
  ['from'],
);

export const membersSchema: FastifySchema = {
  summary: 'Members of a survey’s group',
  querystring: object(
    {
      id: survey,
      after: { ...whole, description: 'Only entries after this index' },
      limit: { ...whole, description: 'Maximum number of entries' },
    },
    ['after', 'limit'],
  ),
  response: {
    200: {
      description: 'All members, or the part asked for',
      content: {
        'application/json': { schema: object({ data: nested(group) }) },
        'application/x-ndjson': { schema: { ...text, description: 'A line {index, commitment} each' } },
      },
    },
    304: bare('Unchanged since the answer with this ETag'),
    ...failures,
  },
};

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
      idToken: { ...text, description: 'ID token or access token' },
      account: { ...address, description: 'The signer, spelled as in the signed text' },
      scheme: { enum: schemes, default: schemes[0] },
      expiresAt: { type: 'integer', description: 'eip712: seconds since 1970' },
      chainId: { type: 'integer', description: 'eip712: chain of the survey' },
      nonce: { ...text, description: 'Must be the ID token’s nonce when given' },
    },
    ['scheme', 'expiresAt', 'chainId', 'nonce'],
  ),
  response: {
    200: {
      ...object({
        data: nested({ type: 'object', description: 'TransactionReceipt.toJSON() of ethers 6' }),
      }),
      description: 'Joined; the receipt holds a MemberAdded log',
    },
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
    200: { ...object({ pId: text }), description: 'Created' },
    400: { ...paymentFailure, description: 'Not created' },
    429: { ...paymentFailure, description: 'Too many requests from this address' },
    503: { ...paymentFailure, description: 'Not created: the store does not serve' },
  },
};

function nullable(type: string, description: string) {
  return { type: [type, 'null'], description };
}

export const paymentSchema: FastifySchema = {
  summary: 'Status of a payment',
  querystring: object({ id: text }),
  response: {
    200: {
      ...object({
        id: text,
        status: text,
        state: { enum: paymentStates },
        verified: { type: 'boolean', description: 'Whether the portal confirmed the status for this order' },
        problem: nullable('string', 'Why the status does not count for the order'),
        claimed: nullable('string', 'Status that a callback claims and the portal has not confirmed'),
        ...{ itemIdentifier: text, pgType: text, currencyCode: text, price: text },
        testMode: { type: 'boolean', description: 'Whether no money moves' },
        updatedAt: { type: 'integer', description: 'Milliseconds since 1970' },
        history: {
          type: 'array',
          items: object({ status: text, source: { enum: ['callback', 'portal'] }, at: { type: 'integer' } }),
        },
      }),
      description: 'Known',
    },
    404: { ...object({ message: text }), description: 'Not a payment of this server' },
  },
};

export const finalizeSchema: FastifySchema = {
  summary: 'Settles a payment',
  body: object(
    {
      id: text,
      account: { ...address, description: 'The buyer, if the operator’s secret is not sent' },
      signature: { ...text, description: 'The buyer’s, over “finalize payment <id>” (EIP-191)' },
    },
    ['account', 'signature'],
  ),
  response: {
    200: { ...object({ message: text }), description: 'Settled' },
    400: { ...object({ message: text }), description: 'Not settled' },
  },
};

export const callbackSchema: FastifySchema = {
  summary: 'Called by the payment portal',
  body: object({ paymentId: text, status: text }, ['status']),
  response: {
    200: {
      ...object({ message: text }),
      description: 'Accepted; the status changes only after the portal confirms it',
    },
  },
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
