/** Classifies a parsed JSON value as the node does: one message or a batch. */

/** An id that the node echoes: any value but an object or array. */
export type MessageId = string | number | boolean | null;

export type Message =
  | { readonly type: 'call'; readonly id: MessageId; readonly method: string; readonly params: unknown }
  | { readonly type: 'notification'; readonly method: string; readonly params: unknown }
  /** An unsolicited response: ignored. */
  | { readonly type: 'response' }
  /** Not a request: answered with -32600 and this id. */
  | { readonly type: 'invalid'; readonly id: MessageId };

/** Never throws: a value that is not a message is `invalid`. */
export function readMessages(
  value: unknown,
  needsVersion: boolean,
): { readonly batch: boolean; readonly messages: Message[] } {
  if (Array.isArray(value))
    return { batch: true, messages: value.map((one) => readMessage(one, needsVersion)) };
  return { batch: false, messages: [readMessage(value, needsVersion)] };
}

/**
 * The node ignores the case of field names, as Go does. A method that is not a string counts as missing. An id that is an
 * object or array makes the message invalid, and so does a missing `jsonrpc` where the node needs it.
 */
function readMessage(value: unknown, needsVersion: boolean): Message {
  const fields = new Map(
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([name, field]: [string, unknown]) => [name.toLowerCase(), field])
      : [],
  );
  const id = fields.get('id');
  const method = fields.get('method');
  const params = fields.get('params');
  const isCurrent = !needsVersion || fields.get('jsonrpc') === '2.0';
  const named = typeof method === 'string' && method !== '' && isCurrent;
  if (!fields.has('id')) {
    return named ? { type: 'notification', method, params } : { type: 'invalid', id: null };
  }
  if (typeof id === 'object' && id !== null) return { type: 'invalid', id: null };
  const valid = id as MessageId;
  if (named) return { type: 'call', id: valid, method, params };
  const answers = fields.has('result') || (fields.get('error') ?? null) !== null;
  return answers && isCurrent && !fields.has('params')
    ? { type: 'response' }
    : { type: 'invalid', id: valid };
}
