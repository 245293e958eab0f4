/** What a JSON value is to the node: one message or a batch, and each message's kind. */

/** What the node echoes as id: anything but an object or array. */
export type MessageId = string | number | boolean | null;

export type Message =
  | { readonly kind: 'call'; readonly id: MessageId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  /** An answer to a question the node never asked: dropped. */
  | { readonly kind: 'response' }
  /** Not a request: answered with -32600 and this id. */
  | { readonly kind: 'invalid'; readonly id: MessageId };

/** A parsed value as messages. Never throws: what is not a message is `invalid`. */
export function readMessages(value: unknown): { readonly batch: boolean; readonly messages: Message[] } {
  if (Array.isArray(value)) return { batch: true, messages: value.map(readMessage) };
  return { batch: false, messages: [readMessage(value)] };
}

/**
 * The node never looks at `jsonrpc`; it finds fields whatever their case, as Go does; a method that is no
 * string counts as missing; an id that is an object or array makes the whole message invalid.
 */
function readMessage(value: unknown): Message {
  const fields = new Map(
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([name, field]: [string, unknown]) => [name.toLowerCase(), field])
      : [],
  );
  const id = fields.get('id');
  const method = fields.get('method');
  const params = fields.get('params');
  const named = typeof method === 'string' && method !== '';
  if (!fields.has('id')) {
    return named ? { kind: 'notification', method, params } : { kind: 'invalid', id: null };
  }
  if (typeof id === 'object' && id !== null) return { kind: 'invalid', id: null };
  const valid = id as MessageId;
  if (named) return { kind: 'call', id: valid, method, params };
  const answers = fields.has('result') || (fields.get('error') ?? null) !== null;
  return answers && !fields.has('params') ? { kind: 'response' } : { kind: 'invalid', id: valid };
}
