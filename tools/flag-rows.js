/**
 * The rows of the tables of flags in src/node/kinds, from checkouts of the programs:
 *
 *     node tools/flag-rows.js geth <checkout> [<folder of a release that the checkout lacks>…]
 *     node tools/flag-rows.js geth <checkout> v1.10.8 v1.10.9     what changed between two tags
 *     node tools/flag-rows.js geth-keys <checkout> [<folder>…]    a row for each key of the TOML file
 *     node tools/flag-rows.js reth <checkout>
 *     node tools/flag-rows.js op-reth <checkout>                  the flags that op-reth has beside those of reth
 *
 * A folder ends with its tag, as those of Go's module cache do: go-ethereum@v1.17.10. With - for the checkout, the folders are
 * all releases: those of a fork.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { flagsOfGeth, keysOfGeth } from './flag-rows-geth.js';
import { flagsOfReth } from './flag-rows-reth.js';

const geth = { first: 'v1.5.0', isSource: (path) => path.endsWith('.go') && !path.endsWith('_test.go') };
const reth = { first: 'v1.0.0', isSource: (path) => path.endsWith('.rs') };

const programs = {
  geth: { ...geth, read: flagsOfGeth, row: flagRow },
  'geth-keys': { ...geth, read: keysOfGeth, row: keyRow },
  reth: { ...reth, read: (tree) => flagsOfReth(tree, 'reth'), row: flagRow },
  // Later ones are made in another repository.
  'op-reth': { ...reth, read: (tree) => flagsOfReth(tree, 'op-reth'), row: flagRow, endsEarly: true },
};

/** The texts of blobs, without their comments. */
const texts = new Map();

const [name, checkout, ...others] = process.argv.slice(2);
const program = Object.hasOwn(programs, name ?? '') ? programs[name] : undefined;
if (program === undefined || checkout === undefined) {
  const usage =
    'usage: node tools/flag-rows.js geth|geth-keys|reth|op-reth <checkout> [<folder>… | <tag> <later tag>]';
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else if (others[0]?.startsWith('v')) {
  const [before, after] = others.map(
    (tag) => new Set([...program.read(treeOf(tag))].map((it) => program.row(it, {}))),
  );
  for (const row of before) if (!after.has(row)) process.stdout.write(`- ${row}\n`);
  for (const row of after) if (!before.has(row)) process.stdout.write(`+ ${row}\n`);
} else process.stdout.write(`${rowsOf(others).join('\n')}\n`);

/** A row for each form of what a release has, with the releases that have it. */
function rowsOf(folders) {
  const listed = checkout === '-' ? '' : git('tag', '--list', 'v*');
  const tags = listed
    .split('\n')
    .filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && byVersion(tag, program.first) >= 0)
    .sort(byVersion)
    .map((tag) => ({ tag, tree: treeOf(tag) }));
  const later = folders.map((folder) => ({ tag: folder.replace(/.*@/, ''), tree: folderOf(folder) }));
  const releases = [...tags, ...later];
  const rows = [];
  const newest = new Map();
  for (const [at, { tree }] of releases.entries())
    for (const it of program.read(tree)) {
      const form = program.row(it, {});
      const row = newest.get(form);
      if (row?.last === at - 1) row.last = at;
      else {
        newest.set(form, { it, name: it.name ?? it, first: at, last: at });
        rows.push(newest.get(form));
      }
    }
  const end = program.endsEarly ? Math.max(...rows.map(({ last }) => last)) : releases.length - 1;
  return rows
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.first - b.first))
    .map(({ it, first, last }) =>
      program.row(it, {
        ...(first === 0 ? {} : { since: releases[first].tag }),
        ...(last === end ? {} : { until: releases[last].tag }),
      }),
    );
}

/** `['cache', 'int', { fallback: '1024', since: 'v1.8.0' }],` */
function flagRow({ name, type, aliases, fallback }, period) {
  return rowText(name, type, {
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(fallback === null ? {} : { fallback }),
    ...period,
  });
}

/** `['Eth', ['SnapshotCache'], { since: 'v1.9.16' }],` */
function keyRow(key, period) {
  const cut = key.lastIndexOf('.');
  return rowText(key.slice(0, Math.max(0, cut)), [key.slice(cut + 1)], period);
}

function rowText(first, second, facts) {
  const quote = (value) => (Array.isArray(value) ? `[${value.map(quote).join(', ')}]` : `'${value}'`);
  const all = Object.entries(facts).map(([key, value]) => `${key}: ${quote(value)}`);
  return `  [${quote(first)}, ${quote(second)}${all.length === 0 ? '' : `, { ${all.join(', ')} }`}],`;
}

function withoutComments(text) {
  const [own] = text.split('#[cfg(test)]');
  return own.replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*/g, (_, kept = '') => kept);
}

function treeOf(tag) {
  const lines = git('ls-tree', '-r', tag).trim().split('\n');
  const blobs = new Map(
    lines.map((line) => line.split('\t')).map(([about, path]) => [path, about.split(' ')[2]]),
  );
  const read = (blob) => {
    if (!texts.has(blob)) texts.set(blob, withoutComments(git('cat-file', 'blob', blob)));
    return texts.get(blob);
  };
  return {
    all: (pattern) => [...blobs].filter(([path]) => pattern.test(path)).map(([, blob]) => read(blob)),
    list: (folder) =>
      [...blobs.keys()].filter((path) => program.isSource(path) && path.replace(/\/[^/]*$/, '') === folder),
    text: (path) => (blobs.has(path) ? read(blobs.get(path)) : ''),
  };
}

function folderOf(folder) {
  return {
    list: (name) =>
      readdirSync(`${folder}/${name}`)
        .map((one) => `${name}/${one}`)
        .filter(program.isSource),
    text: (path) =>
      existsSync(`${folder}/${path}`) ? withoutComments(readFileSync(`${folder}/${path}`, 'utf8')) : '',
  };
}

function byVersion(one, other) {
  const [a, b] = [one, other].map((tag) => tag.slice(1).split('.').map(Number));
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function git(...words) {
  return execFileSync('git', ['-C', checkout, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
