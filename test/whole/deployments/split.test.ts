/** The same content in one file and in several: the same findings. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../../peers/run.js';
import { shareOf } from '../../seed.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-split-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Texts by path. */
type Files = ReadonlyMap<string, string>;

function filesOf(name: string): Files {
  const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && entry.name !== 'expected.json')
      .map(({ parentPath, name: file }) => join(parentPath, file))
      .map((path) => [path.slice(join(root, name).length + 1), readFileSync(path, 'utf8')]),
  );
}

const isManifest = (text: string) => /^apiVersion:/m.test(text) && /^kind:/m.test(text);

/** Another way to write a deployment; null: it does not apply. */
const rewrites: Readonly<Record<string, (files: Files) => Files | null>> = {
  'manifests in one file': (files) => {
    const manifests = [...files].filter(([path, text]) => /\.ya?ml$/.test(path) && isManifest(text));
    const isBuilt = [...files.keys()].some((path) => /^kustomization|^Chart/.test(basename(path)));
    if (manifests.length < 2 || isBuilt || new Set(manifests.map(([path]) => dirname(path))).size > 1)
      return null;
    const all = manifests.map(([, text]) => text.replace(/^---\n/, '').trimEnd()).join('\n---\n');
    const [[first]] = manifests as [[string, string]];
    const others = [...files].filter(([path]) => !manifests.some(([one]) => one === path));
    return new Map([...others, [first, `${all}\n`]]);
  },
  'a file for each manifest': (files) => {
    const isBuilt = [...files.keys()].some((path) => /^kustomization|^Chart/.test(basename(path)));
    const long = [...files].find(([, text]) => isManifest(text) && /\n---\n/.test(text));
    if (long === undefined || isBuilt) return null;
    const [path, text] = long;
    const parts = text.split(/^---\n/m).filter((part) => part.trim() !== '');
    const named = parts.map((part, at) => [path.replace(/(\.\w+)$/, `-${at}$1`), part] as const);
    return new Map([...[...files].filter(([one]) => one !== path), ...named]);
  },
  'a unit with the lines of its drop-ins': (files) => {
    const dropIns = [...files.keys()].filter((path) => /\.service\.d\/[^/]*\.conf$/.test(path)).sort();
    const [first] = dropIns;
    const unit = first === undefined ? undefined : dirname(first).slice(0, -2);
    const isOne = new Set(dropIns.map((path) => dirname(path))).size === 1;
    if (unit === undefined || !files.has(unit) || !isOne) return null;
    const lines = [unit, ...dropIns].map((path) => files.get(path) ?? '').join('\n');
    return new Map([...[...files].filter(([path]) => !dropIns.includes(path)), [unit, lines]]);
  },
  'a compose file with the values of .env': (files) => {
    const compose = [...files.keys()].find((path) => /compose\.ya?ml$/.test(path));
    const env = compose === undefined ? undefined : files.get(join(dirname(compose), '.env'));
    if (
      compose === undefined ||
      env === undefined ||
      /env_file|COMPOSE_FILE|kaiactl-ignore/.test(`${env}${files.get(compose)}`)
    )
      return null;
    const values = new Map(
      [...env.matchAll(/^(\w+)=["']?(.*?)["']?$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    const text = (files.get(compose) ?? '').replace(
      /\$\{?(\w+)(?::?-[^}]*)?\}?/g,
      (all, name: string) => values.get(name) ?? all,
    );
    return new Map([...[...files].filter(([path]) => basename(path) !== '.env'), [compose, text]]);
  },
  'a compose file with the variables of env_file': (files) =>
    inlined(files, /\.ya?ml$/, /^( *)env_file: ([\w.-]+)$/m, (text, [, indent = '']) =>
      [`${indent}environment:`, ...text.trimEnd().split('\n')]
        .map((line, at) => (at === 0 ? line : `${indent}  ${line.replace('=', ': ')}`))
        .join('\n'),
    ),
  // YAML reads every line end as \n.
  'a compose file with the text of a mounted file': (files) =>
    [...files.values()].some((text) => text.includes('\r'))
      ? null
      : inlined(
          files,
          /compose\.ya?ml$/,
          /^( *)volumes: \[['"]\.\/([\w.-]+):([^:'"]+)(?::ro)?['"]\]\n((?![\s\S]*^configs:)[\s\S]*)$/m,
          (text, match) => {
            const [, indent = '', , target = '', rest = ''] = match;
            const content = text.replaceAll('$', '$$$$').replaceAll(/^(?=.)/gm, '      ');
            const configs = `configs:\n  mounted:\n    content: |\n${content}`;
            return `${indent}configs: [{ source: mounted, target: ${target} }]\n${rest.trimEnd()}\n${configs}`;
          },
        ),
  'a Dockerfile with the text of a copied file': (files) =>
    inlined(
      files,
      /Dockerfile$/,
      /^COPY()\s([\w-]+\.sh) (\/\S+)$/m,
      (text, [, , , target]) => `COPY <<'END' ${target}\n${text}END`,
    ),
  'a script with the text of a sourced file': (files) =>
    inlined(files, /\.sh$/, /^()(?:source|\.) \.\/([\w.-]+)$/m, (text) => text.trimEnd()),
};

/** The files with the text of one that another names beside it; null: none does. Group 2 is the name. */
function inlined(
  files: Files,
  wanted: RegExp,
  named: RegExp,
  write: (text: string, match: RegExpExecArray) => string,
): Files | null {
  for (const [path, text] of files) {
    const match = wanted.test(path) ? named.exec(text) : null;
    const other = join(dirname(path), match?.[2] ?? '');
    const content = files.get(other);
    if (match === null || content === undefined) continue;
    const whole = text.replace(match[0], () => write(content, match));
    // A file of variables may have other readers.
    const kept = [...files].filter(([one]) => one !== other || basename(one) === '.env');
    return new Map([...kept, [path, whole]]);
  }
  return null;
}

async function lint(files: Files): Promise<unknown> {
  const folder = mkdtempSync(join(scratch, 'f-'));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout, code } = await kaiactl(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  const { targets } = JSON.parse(stdout) as Report;
  const said = targets.map(({ name, verdict, findings, shared = [] }) => ({
    // Of equal names in one file, the namespace tells them apart.
    name: (name.split(': ')[1] ?? '').split('/').slice(-2).join('/'),
    verdict,
    findings: [...findings, ...shared]
      .map(({ rule, subject, severity }) => `${rule} ${subject} ${severity}`)
      .sort(),
  }));
  return { code, targets: said.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

const cases = readdirSync(root).flatMap((name) =>
  Object.entries(rewrites).flatMap(([way, rewrite]) => {
    const files = filesOf(name);
    // `!reset` takes an entry away so that the file counts: inlined, the entry is the same one.
    const isReset = [...files.values()].some((text) => text.includes('!reset'));
    const other = isReset ? null : rewrite(files);
    return other === null ? [] : [{ name, way, files, other }];
  }),
);

describe('findings', () => {
  test('of every split form are compared', () => {
    expect(new Set(cases.map(({ way }) => way))).toEqual(new Set(Object.keys(rewrites)));
  });

  test.each(shareOf(12, cases))('are the same for $name as $way', async ({ files, other }) => {
    expect(await lint(other)).toEqual(await lint(files));
  });
});
