/** Files of gathered facts, to judge them later and offline. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failure, KaiactlError, writeFailure } from '../../errors.js';
import type { Host } from '../../host.js';
import { readPieces } from '../../input.js';
import { isRecord } from '../../util/json.js';
import { once } from '../../util/once.js';
import { isSecretName, redact, redactLines, redactWords } from '../../util/redact.js';
import { type JsonPiece, splitJson } from '../../util/split-json.js';
import { visible } from '../../util/visible.js';
import type { Facts } from '../facts/facts.js';
import { kinds } from '../kinds/index.js';
import { probesOf } from '../probe/probes/index.js';
import { nullOr, object, optional } from '../report/schema.js';

const schema = 'kaiactl/facts-1';

/**
 * Writes masked facts, readable by their owner only.
 * @throws {KaiactlError} when the file cannot be written (exit 2)
 */
export async function saveFacts(file: string, targets: AsyncIterable<unknown>, host: Host): Promise<void> {
  await writeFile(resolve(host.cwd, file), document(targets), { mode: 0o600 }).catch((error) => {
    throw writeFailure(`the facts to ${file}`, error);
  });
}

async function* document(targets: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = `{\n "schema": "${schema}",\n "targets": [`;
  for await (const one of targets) {
    yield `${before}\n  ${JSON.stringify(one, null, 1).replaceAll('\n', '\n  ')}`;
    before = ',';
  }
  yield before === ',' ? '\n ]\n}\n' : `${before}]\n}\n`;
}

/** The facts with likely keys and passwords masked. */
export function maskedFacts(facts: Facts): unknown {
  return masked(facts, '');
}

/**
 * Saved facts, one target at a time.
 * @throws {KaiactlError} when the file cannot be read or does not hold facts, at the latest after its last target (exit 2)
 */
export async function* readFacts(file: string, host: Host): AsyncGenerator<Facts> {
  const hint = 'Write them with kaiactl node audit … --save-facts FILE.';
  const what = `the facts in ${file}`;
  const none = new KaiactlError(`${file} does not hold facts of --save-facts`, { hint });
  const isFacts = await factsCheck();
  let isWhole = false;
  for await (const [type, value] of parsedPieces(resolve(host.cwd, file), what, hint)) {
    if (type !== 'item') {
      const { schema: named, targets } = (value ?? {}) as { schema?: unknown; targets?: unknown };
      if (isWhole || named !== schema || !Array.isArray(targets) || targets.length > 0) throw none;
      isWhole = true;
      continue;
    }
    if (!isFacts(value)) throw none;
    for (const release of releasesIn(value)) {
      if (knownReleases.has(release)) continue;
      throw new KaiactlError(
        `${file} holds facts of ${visible(release, 60)}, a release that is not known here`,
        { hint: 'Judge them with a version of kaiactl that is as new as the one that saved them.' },
      );
    }
    yield value;
  }
  if (!isWhole) throw none;
}

/** Nothing but one piece is kept, so a file may have any size. */
async function* parsedPieces(
  path: string,
  what: string,
  hint: string,
): AsyncGenerator<readonly [JsonPiece['type'], unknown]> {
  const chunks = readPieces(path, { what, mib: Number.POSITIVE_INFINITY, hint });
  try {
    for await (const { type, text } of splitJson(chunks)) yield [type, JSON.parse(text)];
  } catch (error) {
    throw error instanceof KaiactlError ? error : failure(`cannot read ${what}`, error, { hint });
  }
}

const knownReleases = new Set(kinds.flatMap(({ releases }) => releases.map(({ id }) => id)));

/** The ends of every range of releases. */
function* releasesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* releasesIn(one);
  if (!isRecord(value)) return;
  const { since, until } = value;
  if (typeof since === 'string' && typeof until === 'string') yield* [since, until];
  for (const one of Object.values(value)) yield* releasesIn(one);
}

/** Masks secrets in every string; the value of a name such as DB_PASSWORD is masked as a whole. */
function masked(value: unknown, name: string): unknown {
  if (typeof value === 'string') return isSecretName(name) ? '*'.repeat(value.length) : redact(value);
  if (Array.isArray(value)) {
    if (name === 'start') return maskedWords(value);
    // Lines of a file: a name and its secret may be on two lines.
    const lines = value.every((one) => typeof one === 'string' && !one.includes('\n'));
    return lines ? redactLines(value) : value.map((one) => masked(one, name));
  }
  if (!isRecord(value)) return value;
  const own = typeof value.variable === 'string' ? value.variable : name;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      masked(one, key === 'value' || key === 'shadowed' ? own : key),
    ]),
  );
}

function maskedWords(words: readonly { text: string | null }[]): unknown[] {
  const texts = redactWords(words.map(({ text }) => text ?? ''));
  return words.map((word, at) => ({ ...word, text: word.text === null ? null : texts[at] }));
}

const text = { type: 'string' } as const;
const list = { type: 'array' } as const;
const record = { type: 'object' } as const;
const notSeen = object({ state: { const: 'not-seen' }, code: text, detail: text });
const seenAs = (value: object) => ({ anyOf: [object({ state: { const: 'seen' }, value }), notSeen] });
const seen = seenAs({});

const settings = object({
  kind: { enum: kinds.map(({ id }) => id) },
  source: object({ lines: list, comments: list, multiline: list }),
  listeners: list,
  problems: list,
  start: optional({ type: ['array', 'null'] }),
  values: record,
  keys: record,
});

const shell = object({
  assignments: list,
  syntaxIssues: list,
  indeterminate: list,
  reads: list,
  exported: list,
  variables: record,
});

const endpoint = object({
  endpoint: record,
  sent: record,
  methods: { ...record, additionalProperties: seen },
  // The probes of facts that every kind of node has.
  ...Object.fromEntries(probesOf([]).map(({ fact }) => [fact, seen])),
  modules: seenAs(record),
});

/** The structure that every rule relies on. */
const factsCheck = once(async () => {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020({ validateFormats: false }).compile<Facts>(
    object({
      name: text,
      gatheredAt: text,
      conf: nullOr(seenAs(object({ settings, shell: nullOr(shell) }))),
      live: nullOr(
        object({
          endpoints: { ...list, items: endpoint },
          metrics: { ...list, items: object({ metrics: seen, profiler: seen }) },
          process: seen,
        }),
      ),
    }),
  );
});
