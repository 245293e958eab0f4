/** Files of gathered facts, to judge them later and offline. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KaiactlError, writeFailure } from '../../errors.js';
import type { Host } from '../../host.js';
import { readJson } from '../../input.js';
import { isSecretName, redact, redactLines, redactWords } from '../../util/redact.js';
import { visible } from '../../util/visible.js';
import type { Facts } from '../facts/facts.js';
import { kinds } from '../kinds/index.js';
import { probesOf } from '../probe/probes/index.js';
import { completed } from './older-facts.js';

const schema = 'kaiactl/facts-1';

/**
 * Writes masked facts, readable by their owner only.
 * @throws {KaiactlError} when the file cannot be written (exit 2)
 */
export async function saveFacts(file: string, targets: AsyncIterable<unknown>, host: Host): Promise<void> {
  try {
    await writeFile(resolve(host.cwd, file), document(targets), { mode: 0o600 });
  } catch (error) {
    throw writeFailure(`the facts to ${file}`, error);
  }
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
 * Saved facts, also of older versions; facts that they lack are not seen.
 * @throws {KaiactlError} when the file cannot be read or does not hold facts (exit 2)
 */
export async function loadFacts(file: string, host: Host): Promise<Facts[]> {
  const document = await readJson(resolve(host.cwd, file), { what: `the facts in ${file}`, mib: 256 });
  const { schema: named, targets } = (document ?? {}) as { schema?: unknown; targets?: unknown };
  const facts = Array.isArray(targets) ? targets.map(completed) : null;
  if (named !== schema || facts === null || !facts.every(isFacts)) {
    throw new KaiactlError(`${file} does not hold facts of --save-facts`, {
      hint: 'Write them with kaiactl node audit … --save-facts FILE.',
    });
  }
  for (const release of releasesIn(targets)) {
    if (knownReleases.has(release)) continue;
    throw new KaiactlError(
      `${file} holds facts of ${visible(release, 60)}, a release that is not known here`,
      {
        hint: 'Judge them with a version of kaiactl that is as new as the one that saved them.',
      },
    );
  }
  return facts;
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

/** Checks the structure that every rule relies on. */
function isFacts(value: unknown): value is Facts {
  const { name, conf, live, gatheredAt } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof gatheredAt !== 'string') return false;
  return isConf(conf) && isLive(live);
}

function isConf(value: unknown): boolean {
  if (value === null) return true;
  if (!isSeen(value)) return false;
  const { state, value: conf } = value as Record<string, unknown>;
  if (state !== 'seen') return true;
  const { settings, shell } = (conf ?? {}) as Record<string, unknown>;
  return isSettings(settings) && (shell === null || isShell(shell));
}

function isSettings(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.source)) return false;
  const { source, values, keys, start, listeners, problems } = value;
  const lists = [source.lines, source.comments, source.multiline, listeners, problems, start ?? []];
  const isOfKnownKind = kinds.some(({ id }) => id === value.kind);
  return isOfKnownKind && lists.every(Array.isArray) && isRecord(values) && isRecord(keys);
}

function isShell(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { assignments, syntaxIssues, indeterminate, reads, exported, variables } = value;
  return (
    [assignments, syntaxIssues, indeterminate, reads, exported].every(Array.isArray) && isRecord(variables)
  );
}

/** The probes of facts that every kind of node has. */
const factProbes = probesOf([]);

function isLive(value: unknown): boolean {
  if (value === null) return true;
  const { endpoints, metrics, process } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(endpoints) || !Array.isArray(metrics) || !isSeen(process)) return false;
  const whole = endpoints.every(
    (one) =>
      isRecord(one) &&
      isRecord(one.endpoint) &&
      isRecord(one.sent) &&
      isMethods(one.methods) &&
      factProbes.every(({ fact }) => isSeen(one[fact])),
  );
  return whole && metrics.every((one) => isRecord(one) && isSeen(one.metrics) && isSeen(one.profiler));
}

function isMethods(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isSeen);
}

function isSeen(value: unknown): boolean {
  return (
    isRecord(value) &&
    (value.state === 'seen'
      ? 'value' in value
      : typeof value.code === 'string' && typeof value.detail === 'string')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
