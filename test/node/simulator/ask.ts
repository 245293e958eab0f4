/** Bare clients: they send exactly what a test says, which no JSON-RPC client would. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import WebSocket from 'ws';
import type { NodeShape } from '../../../src/node/simulator/shape.js';
import { quietAnswers, quietShape } from '../../peers/shape.js';

type Part<T> = Partial<Exclude<T, null>> | null;
type Overrides = Partial<Omit<NodeShape, 'http' | 'ws' | 'ipc' | 'answers'>> & {
  readonly answers?: Parameters<typeof quietAnswers>[0];
  readonly http?: Part<NodeShape['http']>;
  readonly ws?: Part<NodeShape['ws']>;
  readonly ipc?: Part<NodeShape['ipc']>;
};

const shown = ['eth', 'kaia', 'net', 'web3'];
export const everything = [...shown, 'admin', 'debug', 'governance', 'istanbul', 'personal', 'txpool'];

/** A node with the shipped module lists on all interfaces; free ports come with the options. */
export function shape(overrides: Overrides = {}): NodeShape {
  const access = { host: '0.0.0.0', port: 0, modules: shown, origins: [] };
  const http = { ...access, vhosts: ['localhost'] };
  const ipc = { path: null, modules: everything };
  const part = <T extends object>(whole: T, given: Partial<T> | null | undefined): T | null =>
    given === null ? null : { ...whole, ...given };
  return {
    ...quietShape,
    ...overrides,
    http: part(http, overrides.http),
    ws: part(access, overrides.ws),
    ipc: part(ipc, overrides.ipc),
    answers: quietAnswers(overrides.answers),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Question {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A list is sent in chunks, without a Content-Length. */
  readonly body?: string | readonly string[];
}

/** One http request as told; a body gets the json type unless a header says otherwise. */
export function http(url: string, question: Question): Promise<Answer> {
  const { method = 'POST', path = '/', body = '' } = question;
  const length = typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const headers = { ...length, ...type, ...question.headers };
    const sent = httpRequest(url, { method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    for (const part of typeof body === 'string' ? [body] : body) sent.write(part);
    sent.end();
  });
}

/** Posts JSON text and parses what comes back; '' stays ''. */
export async function post(url: string, body: string): Promise<unknown> {
  const answer = await http(url, { body });
  return answer.body === '' ? '' : JSON.parse(answer.body);
}

/** Sends bytes to an address or path, collects lines until `lines` came or the other side closes. */
export function raw(
  at: { readonly path: string } | { readonly host: string; readonly port: number },
  parts: readonly (string | Buffer)[],
  lines = Number.POSITIVE_INFINITY,
): Promise<{ readonly text: string; readonly closed: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = connect(at as { path: string });
    let text = '';
    let closed = true;
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.split('\n').length - 1 >= lines) {
        closed = false;
        socket.destroy();
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve({ text, closed }));
    for (const part of parts) socket.write(part);
  });
}

export interface WsAnswer {
  /** 101, or the status of the refusal. */
  readonly status: number;
  /** Messages until `count` came or the connection ended; of a refusal the body. */
  readonly messages: readonly string[];
  /** The close code, when the node ended it. */
  readonly code: number | null;
}

/** Opens a ws connection, sends the messages, collects `count` answers or everything until it is closed. */
export function ws(
  url: string,
  messages: readonly string[],
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<WsAnswer> {
  return new Promise((resolve, reject) => {
    const client = new WebSocket(url, { headers });
    const got: string[] = [];
    let enough = false;
    client.on('open', () => {
      for (const message of messages) client.send(message);
      if (count === 0) done();
    });
    client.on('message', (data: Buffer) => {
      got.push(data.toString('utf8'));
      if (got.length === count) done();
    });
    client.on('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => {
        client.terminate();
        resolve({ status: response.statusCode ?? 0, messages: [body], code: null });
      });
    });
    client.on('error', (error) => {
      if (client.readyState === WebSocket.CONNECTING) reject(error);
    });
    client.on('close', (code) => resolve({ status: 101, messages: got, code: enough ? null : code }));
    function done(): void {
      enough = true;
      client.close();
    }
  });
}
