/** The language server with an editor as its client: diagnostics while typing, quick fixes, hovers, errors. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { CodeAction, Diagnostic, TextDocumentEdit, TextEdit } from 'vscode-languageserver-protocol';
import type { Host } from '../../../src/host.js';
import { run } from '../../../src/node/commands/lsp.js';
import type { Options } from '../../../src/node/commands/lsp-look.js';
import { Editor, uriOf } from '../../peers/editor.js';

const root = mkdtempSync(join(tmpdir(), 'kaiactl-lsp-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const conf = `NETWORK="mainnet"
RPC_ENABLE=1
RPC_API="klay,eth"
RPC_ADDR=127.0.0.1
DATA_DIR=/var/kend/data
`;
const risky = conf.replace('klay,eth', 'klay,personal').replace('127.0.0.1', '0.0.0.0');

let folder = '';
let at = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'one-'));
  at = join(folder, 'kend.conf');
  writeFileSync(at, conf);
});

/** A server in this process, and an editor that speaks to it. */
function served(options: Partial<Options> = {}) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const all = {
    color: 'never',
    quiet: false,
    verbose: false,
    onlyNew: false,
    stdio: true,
    ...options,
  } as const;
  const host: Host = {
    argv: [],
    env: {},
    cwd: '/',
    platform: 'linux',
    stdin,
    stdout,
    stderr: new PassThrough(),
    now: Date.now,
    signal: new AbortController().signal,
  };
  const code = run(all, host, 1);
  return { editor: new Editor(stdout, stdin), stdin, stdout, code };
}

const codes = (all: readonly Diagnostic[]) => all.map(({ code, severity }) => `${code} ${severity}`);
const find = (all: readonly Diagnostic[], code: string): Diagnostic => {
  const found = all.find((one) => one.code === code);
  if (found === undefined) throw new Error(`no ${code} among ${codes(all)}`);
  return found;
};

/** The text after the edits of an action in one file. */
function after(action: CodeAction | undefined, path: string, text: string): string {
  const [document] = (action?.edit?.documentChanges ?? []) as TextDocumentEdit[];
  expect(document?.textDocument.uri).toBe(uriOf(path));
  const lines = text.split('\n');
  for (const edit of document?.edits ?? []) {
    if (!('newText' in edit)) throw new Error('not a plain edit');
    const { range, newText } = edit;
    expect(range.end.line).toBe(range.start.line);
    const line = lines[range.start.line] ?? '';
    lines[range.start.line] =
      line.slice(0, range.start.character) + newText + line.slice(range.end.character);
  }
  return lines.join('\n');
}

test('a module is underlined while it is typed, explained, and removed by a quick fix', async () => {
  const { editor, code } = served();
  const capabilities = await editor.start(folder, {
    workspace: { workspaceEdit: { documentChanges: true } },
  });
  expect(capabilities).toMatchObject({ positionEncoding: 'utf-16', textDocumentSync: { change: 1 } });
  expect(codes(await editor.open(at, conf))).not.toContain('privileged-module 1');

  const found = await editor.type(at, risky);
  const personal = find(found, 'privileged-module');
  expect(personal).toMatchObject({
    range: { start: { line: 2, character: 14 }, end: { line: 2, character: 22 } },
    severity: 1,
    source: 'kaiactl',
    codeDescription: { href: expect.stringMatching(/^file:.*\/docs\/rules\/privileged-module\.md$/) },
    message: expect.stringMatching(/^http offers personal: .*\nFix: List only klay in RPC_API\.$/),
  });
  const actions = await editor.actions(at, personal);
  expect(actions).toMatchObject([
    {
      title: 'List only klay in RPC_API (unsafe: changes how the node starts)',
      kind: 'quickfix',
      isPreferred: false,
      edit: { documentChanges: [{ textDocument: { version: 2 } }] },
    },
  ]);
  expect(await editor.actions(at, personal, ['refactor'])).toEqual([]);
  const fixed = after(actions[0], at, risky);
  expect(fixed).toBe(risky.replace(',personal', ''));
  expect(codes(await editor.type(at, fixed))).not.toContain('privileged-module 1');

  const hover = await editor.hover(at, 2, 12);
  expect(hover).toContain('rpcapi   klay   RPC_API 3:10');
  await editor.type(at, risky);
  expect(await editor.hover(at, 2, 16)).toMatch(
    /RPC_API 3:10.*\[privileged-module\]\(.*\*\*Fix\.\*\*.*Bad:.*Good:/s,
  );
  expect(await editor.hover(at, 5, 0)).toBeNull();
  await editor.end();
  expect(await code).toBe(0);
});

test('a safe fix is the preferred one, and the editor without versions gets plain changes', async () => {
  const { editor } = served();
  await editor.start(folder);
  const text = `${conf}RPC_API="klay,eth"\n`;
  const found = await editor.open(at, text);
  const [action] = await editor.actions(at, find(found, 'duplicate-setting'));
  expect(action).toMatchObject({ isPreferred: true, edit: { changes: { [uriOf(at)]: [{ newText: '' }] } } });
  expect(action?.title).not.toContain('unsafe');
  await editor.end();
});

test('the folder is the unit: open files of a compose project are judged together', async () => {
  const start =
    'services:\n  en:\n    image: kaiachain/kaia:v2.2.1\n    command: ken --rpc --rpcapi ${API}\n';
  const published = `${start}    ports: ["8551:8551"]\n`;
  const [yaml, env] = [join(folder, 'compose.yaml'), join(folder, '.env')];
  writeFileSync(yaml, published.replace('ken --rpc', 'ken --rpc --rpcaddr 0.0.0.0'));
  writeFileSync(env, 'API=klay\n');
  const { editor } = served();
  await editor.start(folder);
  expect(await editor.open(env, 'API=klay\n')).toEqual([]);
  const personal = find(await editor.type(env, 'API=klay,personal\n'), 'privileged-module');
  expect(personal).toMatchObject({ severity: 1, range: { start: { line: 0, character: 9 } } });
  // The text of the other file that counts is that in the editor.
  const private_ = start.replace('ken --rpc', 'ken --rpc --rpcaddr 127.0.0.1');
  expect(await editor.open(yaml, private_)).toEqual([]);
  expect(codes(await editor.diagnostics(env))).not.toContain('privileged-module 1');
  // Closed without being saved: the text on disk counts again.
  await editor.notify('textDocument/didClose', yaml);
  expect(await editor.diagnostics(yaml)).toEqual([]);
  expect(codes(await editor.diagnostics(env))).toContain('privileged-module 1');
  await editor.end();
});

test('comments, kaiactl.ini and a baseline suppress as in lint, and a critical one leaves a hint', async () => {
  writeFileSync(join(folder, 'kaiactl.ini'), '[node]\nignore = public-bind\n');
  const ignored = risky.replace(
    'RPC_API',
    '# kaiactl-ignore privileged-module(personal) reason="a test"\nRPC_API',
  );
  const { editor } = served();
  await editor.start(folder);
  expect(codes(await editor.open(at, ignored))).toEqual(['privileged-module 4']);
  expect(await editor.hover(at, 2, 22)).toContain('[privileged-module]');
  // Saved: kaiactl.ini is read as it is on disk.
  writeFileSync(join(folder, 'kaiactl.ini'), '[node]\nseverity = public-bind=medium\n');
  await editor.notify('textDocument/didSave', at);
  expect(codes(await editor.diagnostics(at))).toEqual(['public-bind 2', 'privileged-module 4']);
  await editor.end();
});

test('an error is shown once, ends no server, and is gone when its cause is', async () => {
  const ini = join(folder, 'kaiactl.ini');
  writeFileSync(ini, '[node]\nfail-on = loud\n');
  const { editor, stdin, code } = served();
  await editor.start(folder);
  const open = editor.open(at, conf);
  await editor.until(() => editor.errors.length > 0);
  await editor.send(at, `${conf}#\n`);
  expect(
    await editor.actions(at, { range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } } }),
  ).toEqual([]);
  rmSync(ini);
  expect(codes(await editor.type(at, risky))).toContain('privileged-module 1');
  expect(editor.errors).toEqual([expect.stringContaining('fail-on: “loud” is not one of')]);
  void open.catch(() => {});
  // What is not the protocol is answered with an error, and the next request as ever.
  stdin.write('Content-Length: 5\r\n\r\n{"a":');
  await expect(editor.connection.sendRequest('textDocument/unknown', {})).rejects.toThrow();
  expect(await editor.hover(at, 2, 16)).toContain('[privileged-module]');
  stdin.end();
  expect(await code).toBe(1);
});

test('what holds no settings, is no file or was never saved', async () => {
  const { editor } = served();
  await editor.start(null);
  const readme = join(folder, 'README.md');
  writeFileSync(readme, 'RPC_API="klay,personal"\n');
  expect(await editor.open(readme, 'RPC_API="klay,personal"\n')).toEqual([]);
  const fresh = join(folder, 'new/kend.conf');
  mkdirSync(join(folder, 'new'));
  expect(codes(await editor.open(fresh, risky))).toContain('privileged-module 1');
  await editor.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri: 'untitled:kend.conf', languageId: 'sh', version: 1, text: risky },
  });
  expect(
    await editor.actions('untitled:kend.conf', {
      range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } },
    }),
  ).toEqual([]);
  expect(await editor.hover('untitled:kend.conf', 2, 16)).toBeNull();
  expect(editor.errors).toEqual([]);
  await editor.end();
});

test('columns count UTF-16 units, and a byte order mark or carriage returns move none', async () => {
  const line = 'export X="😀é"; RPC_API="klay,personal" RPC_ADDR="0.0.0.0"';
  const text = risky.replace(/RPC_API=.*/, line).replace('RPC_ADDR=0.0.0.0\n', '');
  const { editor } = served();
  await editor.start(folder, { workspace: { workspaceEdit: { documentChanges: true } } });
  const found = await editor.open(at, text);
  expect(find(found, 'privileged-module').range).toEqual({
    start: { line: 2, character: line.indexOf('personal') },
    end: { line: 2, character: line.indexOf('personal') + 8 },
  });
  expect(after((await editor.actions(at, find(found, 'privileged-module')))[0], at, text)).toBe(
    text.replace(',personal', ''),
  );

  // The editor shows neither of them, so its text has no place for their fixes.
  const [first, unix] = ['RPC_API="klay,personal"', `NETWORK=mainnet\nRPC_ENABLE=1\nRPC_ADDR=0.0.0.0\n`];
  writeFileSync(at, `\uFEFF${first}\n${unix}`);
  const crlf = `${first}\n${unix}`.replaceAll('\n', '\r\n');
  const marked = await editor.type(at, `${first}\n${unix}DATA_DIR=/d\n`);
  const mark = marked.find(({ message }) => String(message).includes('byte order mark'));
  expect(mark?.range.start).toEqual({ line: 0, character: 0 });
  writeFileSync(at, crlf);
  const returns = await editor.type(at, crlf);
  const ends = returns.find(({ message }) => String(message).includes('carriage return'));
  expect(ends?.range.start).toEqual({ line: 0, character: first.length });
  const edits = (
    await editor.actions(at, { range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } } })
  )
    .flatMap(({ edit }) => (edit?.documentChanges ?? []) as TextDocumentEdit[])
    .flatMap((document) => document.edits as TextEdit[]);
  expect(edits.filter(({ newText }) => newText === '')).toEqual([]);
  await editor.end();
});

test('of many keystrokes the last one is judged', async () => {
  const { editor } = served();
  await editor.start(folder);
  await editor.open(at, conf);
  for (const modules of ['a', 'ad', 'adm', 'admi']) await editor.send(at, conf.replace('klay,eth', modules));
  const last = await editor.type(at, conf.replace('klay,eth', 'admin'));
  expect(last.map(({ message }) => message).join()).not.toContain('admi:');
  await editor.end();
});
