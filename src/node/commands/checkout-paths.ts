/** Names of files as services that show a checkout need them: from its root, wherever the run stands. */
import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Host } from '../../host.js';
import { oncePerKey } from '../../util/once-per.js';
import type { Place, TargetReport } from '../facts/report.js';
import { placeName } from '../judge/finding.js';
import { checkoutOf } from '../sources/checkout.js';
import { fingerprintAt } from './baselines.js';

/**
 * Names the files of a target from the root of the checkout that a run is about, and those elsewhere that are above the
 * working folder by their whole path.
 * @param asked - paths and other targets; empty: the working folder
 */
export function namedFromRoot(
  asked: readonly string[],
  { cwd }: Pick<Host, 'cwd'>,
): (target: TargetReport) => TargetReport {
  const root = rootOf(asked, cwd);
  const nameOf = oncePerKey((name: string) => {
    const path = resolve(cwd, name);
    if (!existsSync(path)) return name;
    return (root === null ? null : below(root, path)) ?? (/^\.\.[/\\]/.test(name) ? path : name);
  });
  return (target) => {
    const names = new Map(filesOf(target).map((name) => [name, nameOf(name)]));
    return [...names].every(([old, name]) => old === name) ? target : withNames(target, names);
  };
}

/** That of the working folder, if something in it was asked for; else the only one that what was asked for is in. */
function rootOf(asked: readonly string[], cwd: string): string | null {
  const paths = asked.map((one) => resolve(cwd, one)).filter((path) => existsSync(path));
  const own = checkoutOf(cwd);
  if (own !== null && (paths.length === 0 || paths.some((path) => below(own, path) !== null))) return own;
  const roots = new Set(paths.flatMap((path) => checkoutOf(path) ?? []));
  return roots.size === 1 ? ([...roots][0] ?? null) : null;
}

/** The name of a path from a folder, with slashes; null: it is elsewhere. */
function below(folder: string, path: string): string | null {
  const name = relative(folder, path);
  return name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name) ? null : name.split(sep).join('/');
}

function filesOf({ conf, files = [], findings, undetermined }: TargetReport): string[] {
  const places: Place[] = findings.flatMap(({ at, related, edits = [], alternatives = [] }) => [
    ...[at, ...related.map((one) => one.at)],
    ...[...edits, ...alternatives.flatMap((one) => one.edits)],
  ]);
  const held = [...places, ...undetermined.flatMap(({ at }) => at ?? [])];
  const named = held.flatMap((at) => ('endpoint' in at ? [] : [at.file]));
  return [...new Set([...(conf === null ? [] : [conf.path]), ...files, ...named])];
}

/** Fields that quote a file, or are written to it. */
const quoting = new Set(['source', 'text']);

/** The target, with other names of files in every text, and with the fingerprints that these names make. */
function withNames(target: TargetReport, names: ReadonlyMap<string, string>): TargetReport {
  const old = [...names.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const whole = new RegExp(`(?<![\\w./@-])(?:${old.join('|')})(?![\\w/@-]|\\.\\w)`, 'g');
  const renamed: TargetReport = JSON.parse(JSON.stringify(target), (key, value) =>
    typeof value !== 'string' || quoting.has(key)
      ? value
      : value.replace(whole, (name) => names.get(name) ?? name),
  );
  const findings = renamed.findings.map((finding) => {
    const isRenamed = 'file' in finding.at && [...names.values()].includes(finding.at.file);
    return isRenamed ? { ...finding, fingerprint: fingerprintAt(finding, placeName(finding.at)) } : finding;
  });
  return { ...renamed, findings };
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
