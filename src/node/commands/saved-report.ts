import { resolve } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { readText } from '../../input.js';
import { visible } from '../../util/visible.js';
import type { Report } from '../facts/report.js';
import { line } from '../report/escape.js';
import { reportSchema } from '../report/schema.js';

/**
 * The report in a file; `-` is stdin.
 * @throws {KaiactlError} when it cannot be read, exceeds 256 MiB or is not a report (exit 2)
 */
export async function loadReport(file: string, host: Host): Promise<Report> {
  const name = file === '-' ? 'stdin' : file;
  const source = file === '-' ? host.stdin : resolve(host.cwd, file);
  const text = await readText(source, { what: `the report ${visible(name)}`, mib: 256 });
  return parseReport(text, name);
}

/** Deeper nesting could overflow the stack. */
const maxDepth = 64;

let compiled: ValidateFunction<Report> | undefined;

/**
 * Unknown fields and codes are kept. `name` is the source in errors.
 * @throws {KaiactlError} when the text is not JSON, or not a report of version 1 (exit 2)
 */
export function parseReport(text: string, name: string): Report {
  const document = parse(text, name);
  compiled ??= new Ajv2020({ validateFormats: false }).compile<Report>(admitted());
  if (compiled(document)) return document;
  throw new KaiactlError(`${line(name)} is not a kaiactl report: ${explained(compiled.errors?.[0])}`, {
    hint: 'Write one with kaiactl node audit … --report json=FILE; kaiactl report schema prints what it holds.',
  });
}

function parse(text: string, name: string): unknown {
  if (isDeep(text)) throw new KaiactlError(`${line(name)} is nested more than ${maxDepth} levels deep`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KaiactlError(`${line(name)} is not JSON: ${line((error as Error).message)}`, {
      hint: 'A report is what kaiactl node … --format json prints.',
      cause: error,
    });
  }
}

/** The schema, which also accepts codes and launchers of later versions. */
function admitted(): object {
  const schema = structuredClone(reportSchema([]));
  const { undetermined, conf } = schema.properties.targets.items.properties;
  const word = { type: 'string' };
  Object.assign(undetermined.items.properties, { code: word });
  for (const one of conf.anyOf)
    if ('properties' in one) Object.assign(one.properties, { launcher: word, package: word });
  return schema;
}

/** `/targets/0/verdict must be …`. */
function explained(error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not match the schema';
  const allowed = error.keyword === 'enum' ? ` (${error.params.allowedValues.join(', ')})` : '';
  return line(`${error.instancePath || 'the document'} ${error.message ?? ''}${allowed}`);
}

/** Counts brackets outside strings, before parsing. */
function isDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (quoted && mark === '\\') at += 1;
    else if (mark === '"') quoted = !quoted;
    else if (!quoted && (mark === '[' || mark === '{')) depth += 1;
    else if (!quoted && (mark === ']' || mark === '}')) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
