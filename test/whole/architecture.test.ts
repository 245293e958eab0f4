/** Which folder of src may import which, and which package has one door. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { kinds } from '../../src/node/kinds/index.js';

const root = new URL('../../src', import.meta.url).pathname;

/** Inside judge/: from the questions about settings, over live nodes and proposed fixes, to rules and what they share. */
const judgeGround = ['node/kinds', 'node/facts', 'util'];
const judgeQuestions = ['node/judge/rule', 'node/fix/proposal', 'node/judge/live', 'node/judge/settings'];

/** In sources/, a folder imports only the floors below it; the files beside the folders import all of them. */
const sourceGround = ['node/kinds', 'node/dialect', 'node/facts', 'util', 'errors.ts'];
const floors = (...names: readonly string[]) => names.map((name) => `node/sources/${name}`);

/**
 * The longest prefix of a path below src → what it may import besides itself. Imports go down, or sideways only where
 * drawn here. The two wings, node/ and survey/, stand on the same ground and do not know each other.
 */
const ground = ['util', 'errors.ts', 'host.ts', 'input.ts'];
const may: Record<string, readonly string[]> = {
  'main.ts': ['cli', 'host.ts', 'errors.ts', 'version.ts'],
  'version.ts': [],
  'index.ts': ['node', 'errors.ts', 'version.ts'],
  'host.ts': ['errors.ts', 'compile-cache.ts'],
  'compile-cache.ts': [],
  'input.ts': ['util', 'errors.ts', 'host.ts'],
  'errors.ts': ['util'],
  util: [],
  terminal: ground,
  options: ['util', 'errors.ts'],
  http: ['util', 'errors.ts'],
  jsonrpc: ['http', 'util', 'errors.ts'],
  cli: [
    'options',
    'node/commands',
    'node/report',
    'node/facts',
    'node/kinds',
    'survey/commands',
    'terminal',
    ...ground,
  ],
  'node/facts': ['jsonrpc', 'util'],
  'node/dialect': ['node/facts', 'util'],
  'node/kinds': ['node/dialect', 'node/facts', 'util'],
  'node/sources/text': ['node/facts', 'util', 'errors.ts'],
  'node/sources/shell': ['node/sources/text', 'node/facts', 'util', 'errors.ts'],
  'node/sources/argv': ['node/sources/text', ...sourceGround],
  'node/sources/conf': [...floors('text', 'shell', 'argv'), ...sourceGround],
  'node/sources/launch': [...floors('text', 'argv', 'conf'), ...sourceGround],
  'node/sources/image': [...floors('text', 'launch', 'environment'), ...sourceGround],
  'node/sources/script': [...floors('text', 'shell', 'launch', 'environment', 'image'), ...sourceGround],
  'node/sources/yaml': [...floors('text', 'argv', 'launch'), ...sourceGround],
  'node/sources/toml': [...floors('text', 'argv', 'launch'), ...sourceGround],
  'node/sources/environment': [...floors('text', 'launch'), ...sourceGround],
  'node/sources/calls': [
    ...floors('text', 'launch', 'script', 'yaml', 'environment', 'systemd'),
    ...sourceGround,
  ],
  'node/sources/compose': [
    ...floors('text', 'launch', 'script', 'yaml', 'environment', 'image', 'calls', 'proxies'),
    'node/reach',
    ...sourceGround,
  ],
  'node/sources/kubernetes': [
    ...floors('text', 'launch', 'image', 'script', 'yaml', 'calls', 'proxies'),
    'node/reach',
    ...sourceGround,
  ],
  'node/sources/dockerfile': [...floors('text', 'launch', 'script', 'image'), ...sourceGround],
  'node/sources/ansible': [...floors('text', 'launch', 'script', 'yaml', 'calls'), ...sourceGround],
  'node/sources/cloud-init': [...floors('text', 'launch', 'script', 'yaml'), ...sourceGround],
  'node/sources/systemd': [...floors('text', 'launch', 'script', 'environment'), ...sourceGround],
  'node/sources/proxies': [
    ...floors('text', 'toml', 'yaml'),
    'node/reach',
    'node/harden/filter.ts',
    'node/facts',
    'util',
  ],
  'node/reach': ['node/sources/text', 'node/harden/filter.ts', 'node/facts', 'util'],
  'node/sources': ['node/sources', 'node/kinds', 'node/facts', 'util', 'errors.ts', 'host.ts'],
  'node/deployment': [
    'node/sources',
    'node/reach',
    'node/harden/filter.ts',
    'node/kinds',
    'node/facts',
    'util',
    'errors.ts',
    'host.ts',
  ],
  'node/probe': ['node/kinds', 'node/facts', 'jsonrpc', 'util', 'errors.ts'],
  'node/judge': ['node/judge', 'node/fix/proposal', 'node/kinds', 'node/facts', 'util'],
  'node/judge/settings': judgeGround,
  'node/fix/proposal': ['node/judge/settings', ...judgeGround],
  'node/judge/live': ['node/judge/settings', ...judgeGround],
  'node/judge/rule': ['node/fix/proposal', 'node/judge/live', 'node/judge/settings', ...judgeGround],
  'node/judge/exposure': [...judgeQuestions, ...judgeGround],
  'node/judge/access': ['node/judge/exposure', ...judgeQuestions, ...judgeGround],
  'node/judge/policy': ['node/judge/exposure', ...judgeQuestions, ...judgeGround],
  'node/judge/overview': ['node/judge/exposure', 'node/judge/live', 'node/judge/settings', ...judgeGround],
  'node/judge/suppress': [
    'node/judge/judge.ts',
    'node/judge/finding.ts',
    'node/judge/rule',
    'node/fix/proposal',
    'node/judge/settings',
    ...judgeGround,
  ],
  'node/rules': ['node/judge', 'node/fix/proposal', 'node/kinds', 'node/facts', 'util'],
  'node/fix': ['node/judge', 'node/sources', 'node/kinds', 'node/facts', 'util', 'errors.ts'],
  'node/harden/filter.ts': ['node/kinds'],
  'node/harden': [
    'node/harden/filter.ts',
    'node/judge',
    'node/kinds',
    'node/facts',
    'terminal',
    'util',
    'errors.ts',
  ],
  'node/report': ['node/kinds', 'node/facts', 'terminal', 'util', 'errors.ts'],
  'node/lsp': ['node/report/listing.ts', 'node/judge/rule', 'node/facts', 'util'],
  'node/simulator': ['node/sources', 'node/kinds', 'node/facts', 'jsonrpc', 'util', 'errors.ts'],
  'node/gather.ts': [
    'node/sources',
    'node/probe',
    'node/kinds',
    'node/facts',
    'node/deployment/firewalls/in-force.ts',
    'node/deployment/local-relays.ts',
  ],
  'node/read-conf.ts': ['node/sources', 'node/kinds'],
  'node/pipeline.ts': [
    'node/sources',
    'node/probe',
    'node/rules',
    'node/fix',
    'node/judge',
    'node/kinds',
    'node/facts',
    'jsonrpc',
    'util',
    'errors.ts',
  ],
  'node/shared-causes.ts': ['node/pipeline.ts', 'node/facts', ...ground],
  'node/summarise.ts': ['node/rules', 'node/judge', 'node/facts', 'errors.ts'],
  'node/commands': ['options', 'node', 'terminal', 'http', 'jsonrpc', 'version.ts', ...ground],
  'survey/protocol': ['util', 'errors.ts'],
  'survey/group': ['survey/protocol', 'util', 'errors.ts'],
  'survey/store': ['survey/group', 'survey/protocol', 'util', 'errors.ts'],
  'survey/client': ['survey/protocol', 'http', 'util', 'errors.ts'],
  'survey/chain': ['survey/store', 'survey/group', 'survey/protocol', 'jsonrpc', 'util', 'errors.ts'],
  'survey/server': [
    'survey/chain',
    'survey/store',
    'survey/group',
    'survey/protocol',
    'http',
    'util',
    'errors.ts',
  ],
  'survey/commands': ['options', 'survey', 'terminal', 'http', 'jsonrpc', ...ground],
};

/** Package → the files or folders that may import it. */
const importers: Record<string, readonly string[]> = {
  commander: ['cli', 'options', 'node/commands/options', 'survey/commands/options'],
  chalk: ['node/report/text'],
  ajv: ['node/commands/saved-report', 'node/commands/saved-facts'],
  diff: ['node/fix/diff'],
  'json-rpc-2.0': ['node/simulator/responder'],
  ignore: ['util/ignored'],
  'ipaddr.js': ['node/facts/reach', 'node/deployment/firewalls/ranges', 'node/probe/local/sockets'],
  ini: ['options/ini'],
  ethers: ['survey'],
  'tiny-secp256k1': ['survey/protocol/secp256k1'],
  '@zk-kit/lean-imt': ['survey/group/group'],
  '@railgun-community/poseidon-hash-wasm': ['survey/group/group'],
  '@semaphore-protocol/group': ['survey/group/group'],
  '@semaphore-protocol/identity': ['survey/client/identity'],
  'node-fetch': ['http/exchange'],
  ws: ['jsonrpc/ws', 'node/simulator'],
  'http-proxy-agent': ['http/agent'],
  'https-proxy-agent': ['http/agent'],
  'proxy-from-env': ['http/agent'],
  fastify: ['survey/server'],
  '@fastify/cors': ['survey/server/app'],
  '@fastify/rate-limit': ['survey/server'],
  '@fastify/swagger': ['survey/server/app'],
  jose: ['survey/server/tokens', 'survey/server/platform-keys', 'survey/server/sandbox'],
  libsql: ['survey/store/sqlite', 'survey/store/tidying'],
  pg: ['survey/store/postgres', 'survey/store/tidying'],
  'p-limit': [
    'node/commands/fleet',
    'survey/chain/chain-store',
    'jsonrpc/rpc',
    'survey/client/pace',
    'survey/server/tokens',
  ],
  'get-east-asian-width': ['terminal/wrap'],
  'prom-client': ['survey/server/metrics', 'node/commands/watch-metrics'],
  'toml-eslint-parser': ['node/sources/toml/document'],
  'vscode-languageserver': ['node/commands/lsp'],
  'vscode-languageserver-protocol': ['node/lsp', 'node/commands/lsp'],
  yaml: ['node/sources/yaml'],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

function imports(text: string): string[] {
  const statement = /(?:^(?:import|export)\b[^'";]*?\bfrom\s*|^import\s*|\bimport\s*\(\s*)'([^']+)'/gm;
  return [...text.matchAll(statement)].map((match) => match[1] ?? '');
}

/** The files below src that a file imports, as paths below src. */
function targets(name: string, text: string): string[] {
  return imports(text)
    .filter((path) => path.startsWith('.'))
    .map((target) => relative(root, join(root, name, '..', target)).replace(/\.js$/, '.ts'))
    .filter((path) => !path.startsWith('..'));
}

/** The row of the table a path below src falls under. */
function area(path: string): string {
  const parts = path.split('/');
  const prefixes = parts.map((_, count) => parts.slice(0, parts.length - count).join('/'));
  return prefixes.find((prefix) => prefix in may) ?? path;
}

/** True when `allowed` names the file, its area or a folder the area lies in. */
function allows(allowed: readonly string[], path: string): boolean {
  return allowed.some((one) => path === one || `${area(path)}/`.startsWith(`${one}/`));
}

test('imports go down, or sideways only where drawn', () => {
  const wrong: string[] = [];
  for (const { name, text } of files) {
    const allowed = may[area(name)] ?? [];
    for (const path of targets(name, text)) {
      if (area(path) === area(name)) continue;
      if (!allows(allowed, path)) {
        wrong.push(
          `src/${name} imports ${path}: ${area(name)} may import ${allowed.join(', ') || 'nothing'}`,
        );
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('only main imports the command line', () => {
  const wrong = files
    .filter(({ name }) => area(name) !== 'cli' && name !== 'main.ts')
    .flatMap(({ name, text }) => targets(name, text).map((path) => ({ name, path })))
    .filter(({ path }) => area(path) === 'cli')
    .map(({ name, path }) => `src/${name} imports ${path}: what a command needs of it belongs below both`);
  expect(wrong).toEqual([]);
});

test('outside their folder, no kind is named', () => {
  const may = /^node\/kinds\//;
  const wrong = files
    .filter(({ name }) => !may.test(name))
    .flatMap(({ name, text }) => targets(name, text).map((path) => ({ name, path })))
    .filter(({ path }) => /^node\/kinds\/[^/]+\//.test(path))
    .map(({ name, path }) => `src/${name} imports ${path}: ask node/kinds/index.ts`);
  expect(wrong).toEqual([]);
});

test('outside its folder, no kind is called by its name', () => {
  const names = new RegExp(`(['"\`])(?:${kinds.map(({ id }) => id).join('|')})\\1`, 'g');
  const wrong = files
    .filter(({ name }) => name.startsWith('node/') && !name.startsWith('node/kinds/'))
    // The facts of an example are those of some kind.
    .filter(({ name }) => name !== 'node/judge/rule/examples.ts')
    .flatMap(({ name, text }) =>
      [...text.replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '').matchAll(names)].map(
        ([word]) => `src/${name} says ${word}: ask the kind for what it can do`,
      ),
    );
  expect(wrong).toEqual([]);
});

test('rules, judge, probe and report get the kinds passed in', () => {
  const wrong = files
    .filter(({ name }) => /^node\/(?:judge|probe|report|rules)\//.test(name))
    .flatMap(({ name, text }) => targets(name, text).map((path) => ({ name, path })))
    .filter(({ path }) => /^node\/kinds\/(?:index|all)\.ts$/.test(path))
    .map(
      ({ name, path }) =>
        `src/${name} imports ${path}: take the kinds from the settings, the live node or the caller`,
    );
  expect(wrong).toEqual([]);
});

test('a rule needs what a kind can do, and never asks who it is', () => {
  const identity = /\b(?:id|label|programs|releases?|signs|evidence|roles)\b|===? *['"`]/;
  const asksWho = (text: string) =>
    [...text.matchAll(/^ *needs: ([^\n]*)$/gm)].filter(([, ask = '']) => identity.test(ask));
  expect(asksWho("  needs: ({ id }) => id === 'geth',")).toHaveLength(1);
  const wrong = files
    .filter(({ name }) => /^node\/(?:rules|judge)\//.test(name))
    .flatMap(({ name, text }) => asksWho(text).map(([line]) => `src/${name}: ${line.trim()}`));
  expect(wrong).toEqual([]);
});

/** The lines of a folder of a kind beside its tables, which are formatted by hand: a row a line. */
function handwritten(folder: string): number {
  const table = /^\/\/ biome-ignore format[^\n]*\n[\s\S]*?;\n/gm;
  return files
    .filter(({ name }) => name.startsWith(`node/kinds/${folder}/`))
    .reduce((sum, { text }) => sum + text.replaceAll(table, '').split('\n').length - 1, 0);
}

/** Growth is a decision: whoever shrinks one lowers its number. */
test.each([
  ['reth', 449],
  ['erigon', 441],
  ['geth', 900],
  ['kaia', 1500],
])('the code of %s beside its tables is at most %i lines', (folder, most) => {
  expect(handwritten(folder)).toBeLessThanOrEqual(most);
});

test('the wings do not know each other', () => {
  const wing = (path: string): string | null => /^(node|survey)\//.exec(path)?.[1] ?? null;
  const wrong = files.flatMap(({ name, text }) =>
    targets(name, text)
      .filter((path) => wing(name) !== null && wing(path) !== null && wing(path) !== wing(name))
      .map((path) => `src/${name} imports ${path}: what both wings need belongs below both`),
  );
  expect(wrong).toEqual([]);
});

test('each package is imported in one place', () => {
  const wrong: string[] = [];
  for (const { name, text } of files) {
    for (const target of imports(text)) {
      if (target.startsWith('.') || target.startsWith('node:')) continue;
      const dependency = target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
      const allowed = importers[dependency];
      if (allowed === undefined)
        wrong.push(`src/${name} imports ${dependency}, which nothing may import: add it on purpose`);
      else if (!allowed.some((one) => name.startsWith(one))) {
        wrong.push(`src/${name} imports ${dependency}, which only these may import: ${allowed.join(', ')}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('process and console stay at the rim', () => {
  const wrong = files
    .filter(({ name }) => name !== 'host.ts' && name !== 'compile-cache.ts')
    .filter(({ text }) =>
      /(?<![.\w])(process|console)\.(?!argv\b:)\w/.test(
        text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^']*'|`[^`]*`/g, ''),
      ),
    )
    .map(({ name }) => `src/${name} touches process or console: take it from Host`);
  expect(wrong).toEqual([]);
});

test('commands, and what is heavy, are loaded only when they run', () => {
  const wrong = files
    .filter(({ name }) => area(name) === 'cli' || name === 'main.ts')
    .filter(({ text }) => /^import (?!type)[^;]*'\.\.?\/(?:cli|[^']*commands)\/(?!options\/)/m.test(text))
    .map(({ name }) => `src/${name} imports a command statically: use await import`);
  expect(wrong).toEqual([]);
});

/** Where exported functions are participles: `seen` makes a fact. */
const unnamed = ['node/facts/seen.ts'];

test('an exported function is a verb or says what it returns: no bare participle, no name that begins with of', () => {
  const exported = /^export (?:async )?(?:function\*?|const) (\w+)(?= ?[(<]| = (?:async )?\()/gm;
  const participle =
    /^(?:of(?:[A-Z]\w*)?|[a-z]+ed|found|shown|told|known|written|held|kept|made|taken|built|sent|given)$/;
  const wrong = files
    .filter(({ name }) => !unnamed.some((path) => name.startsWith(path)))
    .flatMap(({ name, text }) =>
      [...text.matchAll(exported)]
        .filter(([, word = '']) => participle.test(word))
        .map(([, word]) => `src/${name} exports ${word}: name what it does or returns`),
    );
  expect(wrong).toEqual([]);
});

const tests = new URL('..', import.meta.url).pathname;

test('random tests take their numbers from the seed', () => {
  const wrong = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /Math[.]random\(/.test(readFileSync(join(tests, name), 'utf8')));
  expect(wrong).toEqual([]);
});

/** The most lines of each folder. Growth is a decision in a diff: lower a ceiling when a folder shrinks. */
const ceilings: Readonly<Record<string, number>> = {
  cli: 1_704,
  http: 490,
  jsonrpc: 1_079,
  // The files beside the folders.
  node: 696,
  'node/commands': 7_037,
  'node/deployment': 7_529,
  'node/dialect': 1_020,
  'node/facts': 2_186,
  'node/fix': 1_966,
  'node/harden': 1_090,
  'node/judge': 5_712,
  'node/kinds': 9_763,
  'node/lsp': 280,
  'node/probe': 3_150,
  'node/reach': 590,
  'node/report': 4_756,
  'node/rules': 3_464,
  'node/simulator': 1_380,
  'node/sources': 23_608,
  options: 151,
  survey: 15_374,
  terminal: 348,
  util: 1_288,
};

test('no folder grows unnoticed', () => {
  const lines: Record<string, number> = {};
  for (const { name, text } of files) {
    const folder = /^(?:node\/[^/]+|[^/]+)(?=\/)/.exec(name)?.[0];
    if (folder === undefined) continue;
    lines[folder] = (lines[folder] ?? 0) + text.split('\n').length - 1;
  }
  const wrong = Object.entries(lines)
    .filter(([folder, count]) => count > (ceilings[folder] ?? 0))
    .map(
      ([folder, count]) =>
        `src/${folder} has ${count} lines, more than its ceiling of ${ceilings[folder] ?? 0}: remove some, or raise it in this change`,
    );
  expect(wrong).toEqual([]);
  expect(Object.keys(ceilings).filter((folder) => !(folder in lines))).toEqual([]);
});
