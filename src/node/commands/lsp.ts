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
import { tryOr } from '../../util/try-or.js';
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
import { type Document, type Looked, look, type Options, type Scope, scopeOf, unitOf } from './lsp-look.js';
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
  const stop = serve(connection, options, host, pauseMs);
  connection.listen();
  await untilSignal(end.signal);
  stop();
  protocol.dispose();
  host.stdin.destroy();
  return watchDog.shutdownReceived ? exit.ok : exit.failed;
}

/** An open file, and what is linted for it. */
interface Placed {
  readonly scope: Scope;
  readonly unit: ReturnType<typeof unitOf>;
}

/** Answers the editor; returns what ends the lints that are under way. */
function serve(
  connection: ReturnType<typeof createConnection>,
  options: Options,
  host: Host,
  pauseMs: number,
) {
  const documents = new TextDocuments<Document>({
    create: (uri, _, version, text) => ({ uri, version, text, path: pathOf(uri) }),
    update: (document, changes, version) => ({ ...document, version, text: changes.at(-1)?.text ?? '' }),
  });
  /** By URI. */
  const placedOf = new Map<string, Promise<Placed>>();
  /** By what is linted. */
  const units = new Map<string, Placed>();
  let opened: readonly string[] = [];
  let hasDocumentChanges = false;
  let told = '';

  connection.onInitialize(initialize);
  connection.onCodeAction(actions);
  connection.onHover(hover);
  documents.onDidChangeContent(({ document }) => void onChanged(document));
  documents.onDidSave(({ document }) => void onChanged(document));
  documents.onDidClose(({ document }) => void onClosed(document));
  documents.listen(connection);
  return () => {
    for (const { unit } of units.values()) unit.stop();
  };

  function initialize({ workspaceFolders, rootUri, capabilities }: InitializeParams): InitializeResult {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
    opened = uris.map(pathOf).filter((path) => path !== '');
    hasDocumentChanges = capabilities.workspace?.workspaceEdit?.documentChanges === true;
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

  async function onChanged({ uri, path }: Document): Promise<void> {
    if (path === '') return;
    if (!placedOf.has(uri)) placedOf.set(uri, placeOf(path));
    (await placedOf.get(uri))?.unit.changed();
  }

  /** Its text is that on disk again, for the other open files too. */
  async function onClosed({ uri }: Document): Promise<void> {
    const placed = await placedOf.get(uri);
    placedOf.delete(uri);
    publish(uri, []);
    const left = await Promise.all(placedOf.values());
    if (left.some((one) => one === placed)) placed?.unit.changed();
    else placed?.unit.stop();
  }

  async function placeOf(path: string): Promise<Placed> {
    const scope = await scopeOf(path, opened);
    const key = resolve(scope.folder, scope.path);
    const known = units.get(key);
    if (known !== undefined) return known;
    const look = (signal: AbortSignal) => lookIn(scope, signal);
    const show = (found: Looked) => void showFound(placed, found).catch((error) => failed(error));
    const placed: Placed = { scope, unit: unitOf(look, show, pauseMs) };
    units.set(key, placed);
    return placed;
  }

  /** The boundary of a lint: an error is told, and the next change is linted again. */
  async function lookIn(scope: Scope, signal: AbortSignal): Promise<Looked | null> {
    try {
      const found = await look(scope, documents.all(), options, host, signal);
      tellOnce('');
      return found;
    } catch (error) {
      if (!signal.aborted) failed(error);
      return null;
    }
  }

  function failed(error: unknown): void {
    tellOnce(explain(error, !(error instanceof KaiactlError)).join('\n'));
  }

  /** An error that stays is told once. */
  function tellOnce(text: string): void {
    const params = { type: MessageType.Error, message: text };
    if (text !== '' && text !== told) connection.sendNotification('window/showMessage', params).catch(gone);
    told = text;
  }

  /** Publishes what was found for the open files that are linted together. */
  async function showFound(placed: Placed, found: Looked): Promise<void> {
    for (const { uri, version } of documents.all()) {
      if ((await placedOf.get(uri)) !== placed) continue;
      const shown = shownIn(uri, placed.scope, found);
      publish(
        uri,
        shown.map(({ diagnostic }) => diagnostic),
        version,
      );
    }
  }

  function publish(uri: string, diagnostics: Shown['diagnostic'][], version?: number): void {
    const params = { uri, diagnostics, ...(version === undefined ? {} : { version }) };
    connection.sendDiagnostics(params).catch(gone);
  }

  function shownIn(uri: string, { folder }: Scope, { targets }: Looked): Shown[] {
    const path = documents.get(uri)?.path;
    const addresses = { pageOf, uriOf: (file: string) => uriFor(resolve(folder, file)) };
    return [...diagnosticsOf(targets, addresses)].flatMap(([file, shown]) =>
      realPath(resolve(folder, file)) === path ? shown : [],
    );
  }

  function documentAt(path: string): Document | undefined {
    const real = realPath(path);
    return documents.all().find((one) => one.path === real);
  }

  /** As the editor writes it, where it has the file open. */
  function uriFor(path: string): string {
    return documentAt(path)?.uri ?? pathToFileURL(path).href;
  }

  async function actions({ textDocument: { uri }, range, context: { only } }: CodeActionParams) {
    const placed = await placedOf.get(uri);
    const found = await placed?.unit.now();
    if (placed === undefined || found == null) return [];
    if (only !== undefined && !only.some((kind) => ['', 'quickfix'].includes(kind))) return [];
    const { folder } = placed.scope;
    const editor: Editor = {
      hasDocumentChanges: hasDocumentChanges,
      uriOf: (file) => uriFor(resolve(folder, file)),
      versionOf: (file) => documentAt(resolve(folder, file))?.version ?? null,
    };
    return actionsAt(range, shownIn(uri, placed.scope, found), editor);
  }

  async function hover({ textDocument: { uri }, position }: HoverParams): Promise<Hover | null> {
    const placed = await placedOf.get(uri);
    const found = await placed?.unit.now();
    const document = documents.get(uri);
    if (placed === undefined || found == null || document === undefined) return null;
    const here = { start: position, end: position };
    const shown = shownIn(uri, placed.scope, found).filter(({ diagnostic }) => touch(diagnostic.range, here));
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
  return tryOr(() => realPath(fileURLToPath(uri)), '');
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
