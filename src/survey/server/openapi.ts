/** The API's own description (OpenAPI 3.1). */
import { paths } from '../protocol/wire.js';

const json = (schema: object) => ({ 'application/json': { schema } });
const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const failure = { description: 'Refused', content: json(ref('Failure')) };
const tooMany = { description: 'Too many requests from this address', content: json(ref('Failure')) };
const paymentFailure = { description: 'Payment is failed', content: json(ref('PaymentFailure')) };
const survey = {
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'Address of the survey contract',
};

/** A JSON document inside a JSON string, as the original API writes it. */
const nested = (contains: string) => ({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: ref(contains),
});

const callback = {
  post: {
    summary: 'Called by the payment portal',
    requestBody: { content: json({ type: 'object', properties: { paymentId: text, status: text } }) },
    responses: { 200: { description: 'Taken as a hint; the portal is asked before it is believed' } },
  },
};

export const openapi = {
  openapi: '3.1.0',
  info: { title: 'Survey API', version: '1', description: 'Groups of survey participants, and payments.' },
  paths: {
    [paths.members]: {
      get: {
        summary: 'Members of a survey’s group',
        parameters: [
          { name: 'id', in: 'query', required: true, schema: survey },
          { name: 'after', in: 'query', schema: whole, description: 'Only what stands behind this index' },
          { name: 'limit', in: 'query', schema: whole, description: 'At most so many entries' },
        ],
        responses: {
          200: {
            description: 'All members, or the part asked for',
            content: {
              ...json({ type: 'object', required: ['data'], properties: { data: nested('Group') } }),
              'application/x-ndjson': { schema: { ...text, description: 'A line {index, commitment} each' } },
            },
          },
          304: { description: 'Unchanged since the answer with this ETag' },
          400: failure,
          429: tooMany,
        },
      },
    },
    [paths.join]: {
      post: {
        summary: 'Joins a survey’s group; answers when the join is durable',
        requestBody: { required: true, content: json(ref('Join')) },
        responses: {
          200: {
            description: 'Joined; the receipt holds a MemberAdded log',
            content: json({ type: 'object', required: ['data'], properties: { data: nested('Receipt') } }),
          },
          400: failure,
          429: tooMany,
        },
      },
    },
    [paths.store]: {
      post: {
        summary: 'Creates a payment',
        requestBody: { required: true, content: json(ref('Order')) },
        responses: {
          200: {
            description: 'Created',
            content: json({ type: 'object', required: ['pId'], properties: { pId: text } }),
          },
          400: paymentFailure,
          429: paymentFailure,
        },
      },
    },
    [`${paths.store}/status`]: {
      get: {
        summary: 'What is known of a payment',
        parameters: [{ name: 'id', in: 'query', required: true, schema: text }],
        responses: {
          200: { description: 'Known', content: json(ref('Payment')) },
          404: { description: 'Not a payment of this server' },
        },
      },
    },
    [`${paths.store}/finalize`]: {
      post: {
        summary: 'Settles a payment',
        requestBody: { content: json({ type: 'object', required: ['id'], properties: { id: text } }) },
        responses: { 200: { description: 'Settled' }, 400: { description: 'Not settled' } },
      },
    },
    [`${paths.store}/callback`]: callback,
    [`${paths.store}/lock`]: callback,
    [`${paths.store}/unlock`]: callback,
    '/healthz': {
      get: {
        summary: 'Can it serve?',
        responses: { 200: { description: 'Yes' }, 503: { description: 'No' } },
      },
    },
    '/metrics': {
      get: { summary: 'Prometheus metrics', responses: { 200: { description: 'Text format' } } },
    },
  },
  components: {
    schemas: {
      Group: {
        type: 'object',
        required: ['members', 'groupId'],
        properties: {
          members: {
            type: 'array',
            items: text,
            description: 'Decimal, in leaf order; "0" is a removed one',
          },
          groupId: text,
          from: { ...whole, description: 'Index of the first entry, in a part' },
        },
      },
      Join: {
        type: 'object',
        required: ['id', 'commitment', 'signature', 'idToken', 'account'],
        properties: {
          id: survey,
          commitment: { type: ['string', 'integer'], description: 'Decimal or 0x, 1 … p-1' },
          signature: { type: 'string', description: '65 bytes, or 64 (EIP-2098), as 0x-hex' },
          idToken: { type: 'string', description: 'ID token or access token' },
          account: { type: 'string', description: 'The signer, spelled as in the signed text' },
          scheme: { enum: ['destat', 'eip712'], default: 'destat' },
          expiresAt: { type: 'integer', description: 'eip712: seconds since 1970' },
          chainId: { type: 'integer', description: 'eip712: chain of the survey' },
          nonce: { type: 'string', description: 'Must be the ID token’s nonce when given' },
        },
      },
      Order: {
        type: 'object',
        required: ['buyerAddress', 'itemIdentifier', 'name', 'imageUrl', 'pgType', 'currencyCode', 'price'],
        properties: {
          buyerAddress: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
          itemIdentifier: { type: 'string', maxLength: 256 },
          name: { type: 'string', maxLength: 256 },
          imageUrl: { type: 'string', maxLength: 512 },
          pgType: { enum: ['CRYPTO', 'STRIPE', 'LINE_IAP'] },
          currencyCode: text,
          price: text,
          testMode: { type: 'boolean' },
        },
      },
      Payment: {
        type: 'object',
        properties: {
          id: text,
          status: text,
          verified: { type: 'boolean', description: 'Whether the portal itself said so when asked' },
          updatedAt: { type: 'integer', description: 'Milliseconds since 1970' },
        },
      },
      Receipt: { type: 'object', description: 'TransactionReceipt.toJSON() of ethers 6' },
      Failure: {
        type: 'object',
        required: ['error'],
        properties: { error: nested('Reason') },
      },
      Reason: {
        type: 'object',
        required: ['shortMessage', 'reason'],
        properties: { shortMessage: text, reason: text, code: text, data: text },
      },
      PaymentFailure: { type: 'object', properties: { message: { const: 'Payment is failed' } } },
    },
  },
} as const;
