/** An editor: a client of the language server. */
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { CodeAction, Diagnostic, Hover, MarkupContent } from 'vscode-languageserver-protocol';
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';

interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

export class Editor {
  readonly connection: ProtocolConnection;
  /** Errors that the server shows. */
  readonly errors: string[] = [];
  #published: readonly Published[] = [];
  readonly #waiting = new Set<() => void>();
  #version = 0;

  constructor(output: Readable, input: Writable) {
    this.connection = createProtocolConnection(
      new StreamMessageReader(output),
      new StreamMessageWriter(input),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (one: Published) => {
      this.#published = [...this.#published, one];
      for (const wake of this.#waiting) wake();
    });
    this.connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      this.errors.push(message);
      for (const wake of this.#waiting) wake();
    });
    this.connection.listen();
  }

  /** The capabilities of the server. */
  async start(folder: string | null, capabilities: object = {}): Promise<Record<string, unknown>> {
    const rootUri = folder === null ? null : pathToFileURL(folder).href;
    const result = await this.connection.sendRequest<{ capabilities: Record<string, unknown> }>(
      'initialize',
      {
        processId: null,
        rootUri,
        capabilities,
      },
    );
    await this.connection.sendNotification('initialized', {});
    return result.capabilities;
  }

  async open(path: string, text: string): Promise<readonly Diagnostic[]> {
    const textDocument = { uri: uriOf(path), languageId: 'sh', version: ++this.#version, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    return await this.diagnostics(path, this.#version);
  }

  async type(path: string, text: string): Promise<readonly Diagnostic[]> {
    await this.send(path, text);
    return await this.diagnostics(path, this.#version);
  }

  /** Changes the text without waiting for diagnostics. */
  async send(path: string, text: string): Promise<void> {
    const textDocument = { uri: uriOf(path), version: ++this.#version };
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [{ text }],
    });
  }

  async notify(method: string, path: string): Promise<void> {
    await this.connection.sendNotification(method, { textDocument: { uri: uriOf(path) } });
  }

  /** The next diagnostics of a file, of this version if one is given; its earlier ones are forgotten. */
  async diagnostics(path: string, version?: number): Promise<readonly Diagnostic[]> {
    const isIt = (one: Published) =>
      one.uri === uriOf(path) && (version === undefined || one.version === version);
    await this.until(() => this.#published.some(isIt));
    const at = this.#published.findIndex(isIt);
    const found = this.#published[at]?.diagnostics ?? [];
    this.#published = this.#published.filter(({ uri }, index) => index > at || uri !== uriOf(path));
    return found;
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    this.#waiting.clear();
  }

  async actions(path: string, { range }: Pick<Diagnostic, 'range'>, only?: string[]): Promise<CodeAction[]> {
    const context = { diagnostics: [], ...(only === undefined ? {} : { only }) };
    const textDocument = { uri: uriOf(path) };
    return await this.connection.sendRequest('textDocument/codeAction', { textDocument, range, context });
  }

  async hover(path: string, line: number, character: number): Promise<string | null> {
    const params = { textDocument: { uri: uriOf(path) }, position: { line, character } };
    const found = await this.connection.sendRequest<Hover | null>('textDocument/hover', params);
    return found === null ? null : (found.contents as MarkupContent).value;
  }

  async end(): Promise<void> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
  }
}

export function uriOf(path: string): string {
  return path.includes(':') ? path : pathToFileURL(path).href;
}
