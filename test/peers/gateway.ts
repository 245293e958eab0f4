/** A gateway before a node: some questions it answers itself, the others go on to the node. */
import { httpPeer, type Peer } from './scripted.js';

/** A JSON-RPC request as a gateway reads it. */
export interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** `own` gives the gateway's answer (its result or error), or null for a question that goes on to `node`. */
export function gateway(node: string, own: (question: Question) => object | null): Promise<Peer> {
  return httpPeer(async (request, response, body) => {
    const question = request.method === 'POST' ? (JSON.parse(body) as Question) : null;
    const answer = question === null ? null : own(question);
    response.setHeader('content-type', 'application/json');
    if (question !== null && answer !== null) {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: question.id, ...answer }));
      return;
    }
    if (question === null) {
      response.writeHead(405).end();
      return;
    }
    const further = await fetch(node, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(further.status).end(await further.text());
  });
}
