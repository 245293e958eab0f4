/** Tools of the system that some tests need; where one is absent the test says so and is skipped. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// Where .ci/run puts what the system has no package for.
const beside = join(homedir(), '.cache/kaiactl/tools/bin');
if (!process.env.PATH?.split(delimiter).includes(beside)) process.env.PATH += delimiter + beside;

/** Options of a Chromium that asks for nothing but what a test has it ask for. */
export const quietChromium: string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** True when the tool is installed; else says on stderr what is not tested. */
export function installed(tool: string, what: string): boolean {
  if (spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0) return true;
  process.stderr.write(`SKIPPED: ${what}: ${tool} is not installed\n`);
  return false;
}

/** What `promtool check metrics` says against metrics; nothing where it is not installed. */
export function metricProblems(metrics: string): string {
  const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: metrics,
    encoding: 'utf8',
  });
  return error === undefined ? stdout + stderr : '';
}

/** The folder of published schemas in a package for Python that .ci/run installs; null, said on stderr, where it is not. */
export function publishedSchemas(folder: string, what: string): string | null {
  const versions = join(beside, '../lib');
  const found = (existsSync(versions) ? readdirSync(versions) : [])
    .map((version) => join(versions, version, 'site-packages', folder))
    .find((path) => existsSync(path));
  if (found === undefined) process.stderr.write(`SKIPPED: ${what}: .ci/run has not installed them\n`);
  return found ?? null;
}

/** What a published schema says against a document. The package's own program takes seconds to start. */
export function bySchema(
  folder: string,
  name: string,
  others: readonly string[] = [],
): (document: unknown) => unknown[] {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const schema = read(name);
  const options = { strict: false, unicodeRegExp: false };
  const ajv = String(schema.$schema).includes('2020-12') ? new Ajv2020(options) : new Ajv(options);
  addFormats.default(ajv);
  for (const other of others) ajv.addSchema(read(other), other);
  const validate = ajv.compile(schema);
  return (document) => (validate(document) ? [] : (validate.errors ?? []));
}

/** True when `parallel` is GNU's: the package moreutils has another program of that name. */
export function hasGnuParallel(what: string): boolean {
  const { stdout } = spawnSync('parallel', ['--version'], { encoding: 'utf8' });
  if (/^GNU parallel/.test(stdout ?? '')) return true;
  process.stderr.write(`SKIPPED: ${what}: GNU parallel is not installed\n`);
  return false;
}

/** Checks XML against a schema beside this file; null when it is valid, else what xmllint says. */
export function invalidXml(xml: string, schema: string): string | null {
  const file = new URL(`schemas/${schema}`, import.meta.url).pathname;
  const ran = spawnSync('xmllint', ['--noout', '--nonet', '--schema', file, '-'], {
    input: xml,
    encoding: 'utf8',
  });
  return ran.status === 0 ? null : ran.stderr;
}

/** What users' libraries for Python read in these documents (consumers.py); null, said on stderr, where one is missing. */
export function readByPython<Read extends Record<string, unknown>>(
  documents: Record<keyof Read & string, string | readonly string[]>,
): { [Name in keyof Read]: Read[Name] | null } {
  const own = join(beside, 'python3');
  const script = new URL('consumers.py', import.meta.url).pathname;
  const ran = spawnSync(existsSync(own) ? own : 'python3', [script], {
    input: JSON.stringify(documents),
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (ran.error === undefined && ran.status !== 0) throw new Error(ran.stderr);
  const names = Object.keys(documents);
  const read =
    ran.error === undefined ? JSON.parse(ran.stdout) : Object.fromEntries(names.map((name) => [name, null]));
  for (const name of names)
    if (read[name] === null)
      process.stderr.write(`SKIPPED: ${name} against its library for Python: not installed\n`);
  return read;
}
