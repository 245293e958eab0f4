import { resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { readPieces } from '../../input.js';
import { once } from '../../util/once.js';
import { type JsonPiece, splitJson } from '../../util/split-json.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { Report, TargetReport } from '../facts/report.js';
import { line } from '../report/escape.js';
import { maxReport } from '../report/index.js';
import { LineReader, linesSchema } from '../report/ndjson.js';
import { reportSchema } from '../report/schema.js';
import { Spool } from './spool.js';

/** A report whose targets are compressed in memory. */
export type SavedReport = Omit<Report, 'targets'> & { readonly targets: Spool<TargetReport> };

/**
 * The report in a file, as JSON or ndjson; `-` is stdin.
 * @throws {KaiactlError} when it cannot be read, exceeds `maxReport`, is not a report or lacks its end (exit 2)
 */
export async function loadReport(file: string, host: Host): Promise<SavedReport> {
  const name = file === '-' ? 'stdin' : file;
  const source = file === '-' ? host.stdin : resolve(host.cwd, file);
  return await readReport(
    readPieces(source, { what: `the report ${visible(name)}`, mib: maxReport.mib }),
    name,
  );
}

/** The report with its targets in memory. */
export async function wholeReport({ targets, ...report }: SavedReport): Promise<Report> {
  const all: TargetReport[] = [];
  for await (const target of targets) all.push(target);
  return { ...report, targets: all };
}

/**
 * Unknown fields and codes are kept. `name` is the source in errors.
 * @throws {KaiactlError} when the text is not JSON, or not a report of version 1 (exit 2)
 */
export async function readReport(
  chunks: AsyncIterable<string> | Iterable<string>,
  name: string,
): Promise<SavedReport> {
  const { isTarget, isReport } = validators();
  const targets = new Spool<TargetReport>();
  const lines = new LineReader();
  let read = 0;
  let problem: KaiactlError | undefined;
  let head: unknown;
  const take = async (target: unknown, place: string): Promise<void> => {
    read += 1;
    if (read > maxReport.targets)
      throw refused(name, `holds more than ${count(maxReport.targets, 'target')}`);
    if (isTarget(target)) await targets.push(target);
    else problem ??= unlike(name, place, isTarget.errors?.[0]);
  };
  for await (const { type, text } of pieces(chunks, name)) {
    if (head !== undefined) throw refused(name, 'goes on after its end');
    if (type === 'rest' && read > 0) break;
    const value = parse(text, name);
    if (type === 'item') await take(value, `/targets/${read}`);
    else if (isLine(value)) await take(lines.target(value, text.length), `line ${read + 1} `);
    else head = value;
  }
  if (head === undefined && read > 0) throw unfinished(name, read);
  // Of an empty file.
  head ??= parse('', name);
  const named = (head as { schema?: unknown } | null)?.schema;
  const isLines = named === linesSchema || lines.read > 0;
  const schema = named === linesSchema ? 'kaiactl/report-1' : named;
  const report = isLines ? { ...(head as object), schema, targets: [] } : head;
  // The document tells more than its first target.
  if (!isReport(report)) throw unlike(name, '', isReport.errors?.[0]);
  if (isLines && report.summary.targets !== read)
    throw refused(name, `holds ${read} of ${count(report.summary.targets, 'target')}`);
  if (problem !== undefined) throw problem;
  return { ...report, targets };
}

async function* pieces(
  chunks: AsyncIterable<string> | Iterable<string>,
  name: string,
): AsyncGenerator<JsonPiece> {
  try {
    yield* splitJson(chunks);
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    throw refused(name, `is ${(error as Error).message}`);
  }
}

/** Whether the target is a document of its own. */
function isLine(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'name' in value && !('schema' in value);
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KaiactlError(`${line(name)} is not JSON: ${line((error as Error).message)}`, {
      hint: 'A report is what kaiactl node … --format json or ndjson prints.',
      cause: error,
    });
  }
}

function refused(name: string, why: string): KaiactlError {
  return new KaiactlError(`${line(name)} ${why}`);
}

function unfinished(name: string, read: number): KaiactlError {
  return new KaiactlError(`${line(name)} ends after ${count(read, 'target')}, without its summary`, {
    hint: 'The run that wrote it was interrupted, or it still runs. Run it again.',
  });
}

function unlike(name: string, place: string, error: ErrorObject | undefined): KaiactlError {
  return new KaiactlError(`${line(name)} is not a kaiactl report: ${explained(place, error)}`, {
    hint: 'Write one with kaiactl node audit … --report json=FILE; kaiactl report schema prints what it holds.',
  });
}

const validators = once(() => {
  const ajv = new Ajv2020({ validateFormats: false });
  const { properties, ...schema } = admitted();
  const { targets } = properties;
  return {
    isTarget: ajv.compile<TargetReport>(targets.items),
    isReport: ajv.compile<Report>({
      ...schema,
      properties: { ...properties, targets: { type: 'array', maxItems: 0 } },
    }),
  };
});

/** The schema, which also accepts codes and launchers of later versions. */
function admitted() {
  const schema = structuredClone(reportSchema([]));
  const { undetermined, conf } = schema.properties.targets.items.properties;
  const word = { type: 'string' };
  Object.assign(undetermined.items.properties, { code: word });
  for (const one of conf.anyOf)
    if ('properties' in one) Object.assign(one.properties, { launcher: word, package: word });
  return schema;
}

/** `/targets/0/verdict must be …`. */
function explained(place: string, error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not match the schema';
  const allowed = error.keyword === 'enum' ? ` (${error.params.allowedValues.join(', ')})` : '';
  const where = `${place}${error.instancePath}`.trim() || 'the document';
  return line(`${where} ${error.message ?? ''}${allowed}`);
}
