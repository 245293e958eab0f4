/** `kaiactl node lsp`: a language server over stdin and stdout. Files are read, never written, and nothing is sent to a node. */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeActionParams,
  createConnection,
  type Hover,
  type HoverParams,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { type ExitCode, exit, explain, KaiactlError } from '../../errors.js';
import { type Host, packageFile } from '../../host.js';
import { untilSignal } from '../../util/until-aborted.js';
import { manifest } from '../../version.js';
import { isLedgerRule } from '../judge/suppress/open-signs.js';
import { kinds } from '../kinds/index.js';
import { kindOf } from '../kinds/node.js';
import { actionsAt, type Editor } from '../lsp/actions.js';
import { diagnosticsOf, type Shown } from '../lsp/diagnostics.js';
import { fence, ruleMarkdown, settingsAt } from '../lsp/hover.js';
import { touch } from '../lsp/place.js';
import { rules } from '../rules/index.js';
import { realPath } from '../sources/file.js';
import { rulePage } from '../summarise.js';
import { type Document, type Looked, look, type Options, type Scope, scopeOf, Unit } from './lsp-look.js';
import { exampleText } from './rule-example.js';
import { openQuestions } from './rule-named.js';
import { settingTable } from './settings-text.js';

/** The pause in the typing after which a folder is linted. */
const debounceMs = 150;

/** Columns of a table in a hover. */
const hoverColumns = 100;

/** Serves until the editor says `exit` or closes stdin; 1 where it did not say `shutdown` before. */
export async function run(options: Options, host: Host, pauseMs = debounceMs): Promise<ExitCode> {
  const protocol = createProtocolConnection(
    new StreamMessageReader(host.stdin),
    new StreamMessageWriter(host.stdout),
  );
  const end = new AbortController();
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: () => end.abort() };
  const connection = createConnection(() => protocol, watchDog);
  protocol.onClose(() => end.abort());
  const server = new Server(connection, options, host, pauseMs);
  connection.listen();
  await untilSignal(end.signal);
  server.stop();
  protocol.dispose();
  host.stdin.destroy();
  return watchDog.shutdownReceived ? exit.ok : exit.failed;
}

/** An open file, and what is linted for it. */
interface Placed {
  readonly scope: Scope;
  readonly unit: Unit;
}

class Server {
  readonly #connection: ReturnType<typeof createConnection>;
  readonly #options: Options;
  readonly #host: Host;
  readonly #pauseMs: number;
  readonly #documents = new TextDocuments<Document>({
    create: (uri, _, version, text) => ({ uri, version, text, path: pathOf(uri) }),
    update: (document, changes, version) => ({ ...document, version, text: changes.at(-1)?.text ?? '' }),
  });
  /** By URI. */
  readonly #placed = new Map<string, Promise<Placed>>();
  /** By what is linted. */
  readonly #units = new Map<string, Placed>();
  #folders: readonly string[] = [];
  #hasDocumentChanges = false;
  #told = '';

  constructor(
    connection: ReturnType<typeof createConnection>,
    options: Options,
    host: Host,
    pauseMs: number,
  ) {
    this.#connection = connection;
    this.#options = options;
    this.#host = host;
    this.#pauseMs = pauseMs;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onCodeAction((params) => this.#actions(params));
    connection.onHover((params) => this.#hover(params));
    this.#documents.onDidChangeContent(({ document }) => void this.#changed(document));
    this.#documents.onDidSave(({ document }) => void this.#changed(document));
    this.#documents.onDidClose(({ document }) => void this.#closed(document));
    this.#documents.listen(connection);
  }

  stop(): void {
    for (const { unit } of this.#units.values()) unit.stop();
  }

  #initialize({ workspaceFolders, rootUri, capabilities }: InitializeParams): InitializeResult {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
    this.#folders = uris.map(pathOf).filter((path) => path !== '');
    this.#hasDocumentChanges = capabilities.workspace?.workspaceEdit?.documentChanges === true;
    return {
      serverInfo: { name: 'kaiactl', version: manifest().version },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: true },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: ['quickfix'] },
      },
    };
  }

  async #changed({ uri, path }: Document): Promise<void> {
    if (path === '') return;
    if (!this.#placed.has(uri)) this.#placed.set(uri, this.#place(path));
    (await this.#placed.get(uri))?.unit.changed();
  }

  /** Its text is that on disk again, for the other open files too. */
  async #closed({ uri }: Document): Promise<void> {
    const placed = await this.#placed.get(uri);
    this.#placed.delete(uri);
    this.#publish(uri, []);
    const left = await Promise.all(this.#placed.values());
    if (left.some((one) => one === placed)) placed?.unit.changed();
    else placed?.unit.stop();
  }

  async #place(path: string): Promise<Placed> {
    const scope = await scopeOf(path, this.#folders);
    const key = resolve(scope.folder, scope.path);
    const known = this.#units.get(key);
    if (known !== undefined) return known;
    const look = (signal: AbortSignal) => this.#look(scope, signal);
    const show = (found: Looked) => void this.#show(placed, found).catch((error) => this.#fail(error));
    const placed: Placed = { scope, unit: new Unit(look, show, this.#pauseMs) };
    this.#units.set(key, placed);
    return placed;
  }

  /** The boundary of a lint: an error is told, and the next change is linted again. */
  async #look(scope: Scope, signal: AbortSignal): Promise<Looked | null> {
    try {
      const found = await look(scope, this.#documents.all(), this.#options, this.#host, signal);
      this.#tell('');
      return found;
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return null;
    }
  }

  #fail(error: unknown): void {
    this.#tell(explain(error, !(error instanceof KaiactlError)).join('\n'));
  }

  /** An error that stays is told once. */
  #tell(text: string): void {
    const params = { type: MessageType.Error, message: text };
    if (text !== '' && text !== this.#told)
      this.#connection.sendNotification('window/showMessage', params).catch(gone);
    this.#told = text;
  }

  /** Publishes what was found for the open files that are linted together. */
  async #show(placed: Placed, found: Looked): Promise<void> {
    for (const { uri, version } of this.#documents.all()) {
      if ((await this.#placed.get(uri)) !== placed) continue;
      const shown = this.#shownIn(uri, placed.scope, found);
      this.#publish(
        uri,
        shown.map(({ diagnostic }) => diagnostic),
        version,
      );
    }
  }

  #publish(uri: string, diagnostics: Shown['diagnostic'][], version?: number): void {
    const params = { uri, diagnostics, ...(version === undefined ? {} : { version }) };
    this.#connection.sendDiagnostics(params).catch(gone);
  }

  #shownIn(uri: string, { folder }: Scope, { targets }: Looked): Shown[] {
    const path = this.#documents.get(uri)?.path;
    const addresses = { pageOf, uriOf: (file: string) => this.#uriOf(resolve(folder, file)) };
    return [...diagnosticsOf(targets, addresses)].flatMap(([file, shown]) =>
      realPath(resolve(folder, file)) === path ? shown : [],
    );
  }

  #documentAt(path: string): Document | undefined {
    const real = realPath(path);
    return this.#documents.all().find((one) => one.path === real);
  }

  /** As the editor writes it, where it has the file open. */
  #uriOf(path: string): string {
    return this.#documentAt(path)?.uri ?? pathToFileURL(path).href;
  }

  async #actions({ textDocument: { uri }, range, context: { only } }: CodeActionParams) {
    const placed = await this.#placed.get(uri);
    const found = await placed?.unit.now();
    if (placed === undefined || found == null) return [];
    if (only !== undefined && !only.some((kind) => ['', 'quickfix'].includes(kind))) return [];
    const { folder } = placed.scope;
    const editor: Editor = {
      hasDocumentChanges: this.#hasDocumentChanges,
      uriOf: (file) => this.#uriOf(resolve(folder, file)),
      versionOf: (file) => this.#documentAt(resolve(folder, file))?.version ?? null,
    };
    return actionsAt(range, this.#shownIn(uri, placed.scope, found), editor);
  }

  async #hover({ textDocument: { uri }, position }: HoverParams): Promise<Hover | null> {
    const placed = await this.#placed.get(uri);
    const found = await placed?.unit.now();
    const document = this.#documents.get(uri);
    if (placed === undefined || found == null || document === undefined) return null;
    const here = { start: position, end: position };
    const shown = this.#shownIn(uri, placed.scope, found).filter(({ diagnostic }) =>
      touch(diagnostic.range, here),
    );
    const named = wordAt(document.text.split('\n')[position.line] ?? '', position.character);
    const pages = new Set([...shown.map(({ diagnostic }) => String(diagnostic.code)), named]);
    const isOpen = (file: string) => realPath(resolve(placed.scope.folder, file)) === document.path;
    const settings = found.confs.flatMap(({ settings }) => {
      const files = [settings.source.path, ...(settings.files ?? []).map(({ path }) => path)];
      return [...new Set(files.filter(isOpen))].flatMap((file) => {
        const rows = settingsAt(settings, file, position);
        return rows.length === 0 ? [] : fence(settingTable(rows, kindOf(kinds, settings), hoverColumns));
      });
    });
    const parts = [...new Set(settings), ...[...pages].flatMap(pageText)];
    return parts.length === 0 ? null : { contents: { kind: 'markdown', value: parts.join('\n\n---\n\n') } };
  }
}

/** The editor may be gone: its end is told by `onClose`. */
function gone(): void {}

/** The real path of a file; empty for a URI of another scheme. */
function pathOf(uri: string): string {
  try {
    return realPath(fileURLToPath(uri));
  } catch {
    return '';
  }
}

function pageOf(rule: string): string {
  const { homepage, version } = manifest();
  return homepage === undefined
    ? packageFile(`docs/rules/${rule}.md`).href
    : rulePage(rule, homepage, version);
}

function pageText(id: string): string[] {
  if (isLedgerRule(id)) return [ruleMarkdown({ id, ...openQuestions[id] }, pageOf(id))];
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) return [];
  const { bad, good } = rule.examples;
  return [ruleMarkdown({ ...rule, bad: exampleText(bad), good: exampleText(good) }, pageOf(id))];
}

/** The name at a column, such as that of a rule in a suppression. */
function wordAt(line: string, column: number): string {
  const words = line.matchAll(/[a-z]+(?:-[a-z]+)+/g);
  return [...words].find(({ 0: word, index }) => index <= column && column <= index + word.length)?.[0] ?? '';
}
