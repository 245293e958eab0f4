import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../src', import.meta.url).pathname;

/** Folder (or file) → what it may import besides itself. Imports go down, or sideways only where drawn here. */
const may: Record<string, readonly string[]> = {
  'main.ts': ['cli', 'host.ts', 'errors.ts', 'version.ts'],
  'version.ts': [],
  'index.ts': ['*'],
  'host.ts': [],
  'errors.ts': [],
  'pipeline.ts': ['config', 'probe', 'rules', 'jsonrpc', 'model', 'util', 'errors.ts'],
  cli: ['commands', 'config', 'host.ts', 'errors.ts', 'model', 'util'],
  commands: [
    ...['pipeline.ts', 'report', 'survey', 'simulator', 'config', 'probe', 'rules', 'cli'],
    ...['model', 'util', 'errors.ts', 'host.ts', 'version.ts'],
  ],
  report: ['model', 'util', 'errors.ts'],
  rules: ['model', 'util', 'errors.ts'],
  survey: ['model', 'util', 'errors.ts'],
  simulator: ['config', 'jsonrpc', 'model', 'util', 'errors.ts'],
  probe: ['jsonrpc', 'model', 'util', 'errors.ts'],
  jsonrpc: ['model', 'util', 'errors.ts'],
  config: ['model', 'util', 'errors.ts'],
  model: ['util'],
  util: [],
};

/** Package → the files or folders that may import it. */
const doors: Record<string, readonly string[]> = {
  commander: ['cli'],
  chalk: ['report/text'],
  'json-rpc-2.0': ['jsonrpc/client', 'simulator/responder'],
  ini: ['config/inventory', 'config/profile'],
  ethers: ['survey'],
  '@semaphore-protocol/group': ['survey/group'],
  '@semaphore-protocol/identity': ['survey/identity'],
  'node-fetch': ['jsonrpc/http', 'probe/doors', 'survey/client', 'survey/http'],
  ws: ['jsonrpc/ws', 'probe/doors', 'simulator'],
  'http-proxy-agent': ['jsonrpc/http'],
  'https-proxy-agent': ['jsonrpc/http'],
  fastify: ['survey/server'],
  '@fastify/rate-limit': ['survey/server'],
  jose: ['survey/tokens'],
  libsql: ['survey/sqlite'],
  'prom-client': ['survey/server'],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

function imports(text: string): string[] {
  const statement = /(?:^(?:import|export)\b[^'";]*?\bfrom\s*|^import\s*|\bimport\s*\(\s*)'([^']+)'/gm;
  return [...text.matchAll(statement)].map((match) => match[1] ?? '');
}

/** The folder of a path below src, or the file's own name at the top. */
function area(path: string): string {
  return path.split('/')[0] ?? path;
}

test('imports go down, or sideways only where drawn', () => {
  const wrong: string[] = [];
  for (const { name, text } of files) {
    const allowed = may[area(name)] ?? [];
    for (const target of imports(text).filter((path) => path.startsWith('.'))) {
      const path = relative(root, join(root, name, '..', target)).replace(/\.js$/, '.ts');
      if (path.startsWith('..') || area(path) === area(name)) continue;
      if (!allowed.includes(area(path)) && !allowed.includes('*')) {
        wrong.push(
          `src/${name} imports ${path}: ${area(name)} may import ${allowed.join(', ') || 'nothing'}`,
        );
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('each package has one door', () => {
  const wrong: string[] = [];
  for (const { name, text } of files) {
    for (const target of imports(text)) {
      if (target.startsWith('.') || target.startsWith('node:')) continue;
      const dependency = target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
      const allowed = doors[dependency];
      if (allowed === undefined)
        wrong.push(`src/${name} imports ${dependency}, which has no door: add one on purpose`);
      else if (!allowed.some((door) => name.startsWith(door))) {
        wrong.push(`src/${name} imports ${dependency}, whose door is ${allowed.join(', ')}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('process and console stay at the rim', () => {
  const wrong = files
    .filter(({ name }) => name !== 'host.ts')
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
    .filter(({ text }) => /^import (?!type)[^;]*'\.\.?\/(commands|cli)\//m.test(text))
    .map(({ name }) => `src/${name} imports a command statically: use await import`);
  expect(wrong).toEqual([]);
});
