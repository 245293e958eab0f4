/** Reads a file, or stdin, of any kind of source: the nodes it starts. */
import { dirname, join, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { Conf } from '../facts/facts.js';
import type { Kind } from '../kinds/kind.js';
import { isInCheckout } from '../sources/checkout.js';
import { decode } from '../sources/conf/decode.js';
import {
  decodeBytes,
  type LoadHost,
  maxBytes,
  type OpenTexts,
  readFile,
  readStream,
} from '../sources/file.js';
import type { Unread } from '../sources/launch/files.js';
import { givenEnvironment } from '../sources/launch/settings.js';
import { templateOf } from '../sources/rendering.js';
import { withOutside } from '../sources/script/exported.js';
import { releasesBeside } from '../sources/script/launcher-script.js';
import { secretFiles } from '../sources/secret-files.js';
import { readUnit } from '../sources/shell/syntax/command.js';
import { cursorAt, SyntaxFault } from '../sources/shell/syntax/cursor.js';
import { derive, editablesOf, isExact } from '../sources/text/editable.js';
import { LineIndex } from '../sources/text/line-index.js';
import { Placed } from '../sources/text/placed.js';
import { Steps } from '../sources/text/steps.js';
import type { YamlDocument } from '../sources/yaml/document.js';
import { recognise } from './classify.js';
import { DeploymentFiles } from './files.js';
import { readWithFlagFile } from './flag-file.js';
import type { Loaded, LoadOptions } from './load-options.js';
import { noNode } from './not-settings.js';
import { namesIn } from './project.js';
import { View } from './view.js';

/**
 * Reads one source; `-` is stdin.
 * @throws {NoNode} when it is not a node's settings (exit 2)
 * @throws {KaiactlError} when it is missing, not a regular file, unreadable, too large, binary, or changes while it is
 * read (exit 2), or the wait for stdin is interrupted (130)
 */
export async function loadNodes(path: string, options: LoadOptions, host: LoadHost): Promise<Loaded> {
  if (path === '-') {
    const bytes = await readStream(host);
    return await nodesOf(options.stdinFilename ?? '-', bytes, { ...options, file: null }, host, null);
  }
  const { bytes: onDisk, mode, uid } = readFile(path, host.cwd, host.open);
  const replaced = options.texts?.get(path) ?? options.files?.replaced(path);
  const bytes = replaced === undefined ? onDisk : Buffer.from(replaced);
  const absolutePath = resolve(host.cwd, path);
  const isCheckout = options.files?.isCheckout ?? isInCheckout(dirname(absolutePath));
  // Git keeps the executable bit alone: a umask decides the rest.
  const file = isCheckout ? null : { mode, uid };
  return await nodesOf(options.shownAs ?? path, bytes, { ...options, file, absolutePath }, host, host.cwd);
}

/** @throws {KaiactlError} at a quote or a bracket that is never closed: no shell would run the command (exit 2) */
function checkQuotes(text: string): void {
  const cursor = cursorAt(text, new Steps());
  try {
    while (readUnit(cursor) !== null);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    if (error.kind !== 'unclosed-quote') return;
    throw new KaiactlError(`--command-line: column ${error.at + 1}: ${error.message}`, {
      hint: 'Close it, and put the whole command line in quotes of the other form.',
    });
  }
}

/** Reads a command line. @throws {KaiactlError} when it starts no node, or a quote is open (exit 2) */
export async function loadCommandLine(text: string, options: LoadOptions, host: LoadHost): Promise<Loaded> {
  const file = new LineIndex('--command-line', text);
  checkQuotes(text);
  const files = new View(new DeploymentFiles({ cwd: host.cwd, root: '.', outside: false }));
  const { launchesIn: launched } = await import('./launches.js');
  return await launched('command line', file, options, host, files);
}

/**
 * Reads one node of a source: the node that --service names, or the only node.
 * @throws {KaiactlError} as loadNodes does, and when it holds several and none, or none of them, was named (exit 2)
 */
export async function loadNode(path: string, options: LoadOptions, host: LoadHost): Promise<Conf> {
  return theNode(visible(path), await loadNodes(path, options, host), options);
}

/** The node of a command line. @throws {KaiactlError} as loadCommandLine and loadNode do */
export async function loadCommandLineNode(text: string, options: LoadOptions, host: LoadHost): Promise<Conf> {
  return theNode('--command-line', await loadCommandLine(text, options, host), options);
}

/** The only node, or that of the service. @throws {KaiactlError} when there is none, or several (exit 2) */
export function theNode(
  what: string,
  { nodes, unfollowed, problems }: Loaded,
  { service }: Pick<LoadOptions, 'service'>,
): Conf {
  const named = service === undefined ? nodes : nodes.filter(({ name }) => name === service);
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return only.conf;
  const [error] = [...problems, ...unfollowed.map(({ sign }) => new KaiactlError(sign.reason))];
  if (error !== undefined && nodes.length === 0) throw error;
  const names = nodes.map(({ name }) => visible(name ?? 'without a name', 60)).join(', ');
  throw new KaiactlError(
    only === undefined
      ? `${what} starts no node ${visible(service ?? '', 60)}`
      : `${what} starts ${nodes.length} nodes`,
    { notes: [`it starts: ${names}`], hint: 'Choose one with --service NAME.' },
  );
}

/** The kinds of node that have the launcher of --launcher; without the option all kinds. */
function kindsFor({ kinds, launcher }: LoadOptions): readonly Kind[] {
  return launcher === undefined ? kinds : kinds.filter((one) => one.launchers?.names.includes(launcher));
}

/** Opens the files of the package that a conf is in. */
function packageOf(
  conf: string,
  cwd: string | null,
  open: OpenTexts | undefined,
): (path: string) => LineIndex | Unread {
  const root = join(dirname(conf), '../..');
  const files = new View(new DeploymentFiles({ cwd, root, outside: false, open }));
  return (path) => files.peek(path, new LineIndex('', ''));
}

/** The drop-ins beside a unit that is named by itself. */
function dropInsBeside(path: string, cwd: string | null): string[] {
  const type = /\.(?:service|container)$/.exec(path)?.[0];
  if (cwd === null || type === undefined) return [];
  const folders = namesIn(resolve(cwd, dirname(path)))
    .sort()
    .filter((name) => `.${name}`.endsWith(`${type}.d`));
  return folders.slice(0, maxDropIns).flatMap((folder) =>
    namesIn(resolve(cwd, dirname(path), folder))
      .sort()
      .filter((name) => name.endsWith('.conf'))
      .map((name) => join(dirname(path), folder, name)),
  );
}

const maxDropIns = 1_000;

/** The first error of a YAML file that is no template of one. */
async function yamlProblem(file: LineIndex): Promise<YamlDocument['problem']> {
  if (!/\.ya?ml$/i.test(file.file) || /\{[{%]/.test(file.text)) return null;
  const { readYaml } = await import('../sources/yaml/document.js');
  return readYaml(file).find(({ problem }) => problem !== null)?.problem ?? null;
}

async function nodesOf(
  path: string,
  bytes: Uint8Array,
  options: LoadOptions,
  host: LoadHost,
  cwd: string | null,
): Promise<Loaded> {
  if (bytes.length > maxBytes)
    throw new KaiactlError(`${visible(path)}: larger than ${maxBytes >> 20} MiB, so it is not read`);
  const raw = decodeBytes(bytes);
  const kinds = kindsFor(options);
  const asked = options.launcher !== undefined;
  const recognised = recognise(kinds, options.absolutePath ?? path, raw, asked);
  const outside = options.followOutside === true;
  const byKind = new Map([['systemd' as const, dropInsBeside(path, cwd)]]);
  const own =
    options.files ?? new DeploymentFiles({ cwd, root: dirname(path), outside, byKind, open: host.open });
  const files = new View(own, options.texts, null, new Map(), options.given);
  if (recognised.kind === 'conf') {
    const script = releasesBeside(kinds, path, packageOf(path, cwd, host.open));
    const text = Placed.at(new LineIndex(path, raw));
    const environment = withOutside(text, new Map(), (name, at) => files.outside(name, at));
    const variables = givenEnvironment({ environment }, options);
    const how = { ...options, guessed: !recognised.certain, script, variables };
    const { conf, file } = await readWithFlagFile(recognised.node, path, bytes, how, files);
    const { note } = templateOf(path, raw, false);
    const isLocal = options.absolutePath !== undefined;
    const localOf = isLocal ? secretFiles(recognised.node, host.cwd) : (one: Conf) => one;
    return {
      nodes: [{ name: null, conf: localOf(conf) }],
      editables: editablesOf(file === null ? null : derive(file, localOf)),
      unfollowed: [],
      problems: [],
      notes: note === null ? [] : [note],
      asked: files.asked,
    };
  }
  if (recognised.kind === null) {
    decode(path, bytes); // a file that is binary, or too large, is told as such
    const every = (await import('../kinds/index.js')).kinds;
    const file = new LineIndex(path, raw);
    const broken = options.files === undefined ? await yamlProblem(file) : null;
    throw noNode(kindsFor({ ...options, kinds: every }), file, broken?.message ?? recognised.why, broken?.at);
  }
  const how = { ...options, kinds: recognised.nodes };
  const { launchesIn: launched } = await import('./launches.js');
  return await launched(recognised.kind, new LineIndex(path, raw), how, host, files, isExact(raw, bytes));
}
