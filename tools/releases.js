/**
 * What changed between two tags of a node's source, as far as the tables by release hold it, for the commit that adds a
 * release: node tools/releases.js <checkout> v2.2.0 v2.2.1
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [checkout, before, after] = process.argv.slice(2);
if (after === undefined) {
  process.stderr.write('usage: node tools/releases.js <checkout> <tag> <later tag>\n');
  process.exitCode = 2;
} else {
  const table = readFileSync(new URL('../src/node/kinds/kaia/flag-table.ts', import.meta.url), 'utf8');
  const known = new Set([...table.matchAll(/^ {2}\['([^']+)'/gm)].map(([, name]) => name));
  const note = (name) => (known.has(name) ? '' : '   (not in flag-table.ts)');
  report('flags (cmd/utils, api/debug, kaiax)', flags, note);
  report('modules (rpc.API namespaces)', namespaces);
  report('launchers’ variables (build/packaging, build/rpm)', variables);
  report('command-line library, module path (go.mod)', libraries);
}

/** Prints the rows of `read` that one of the tags has and the other has not. */
function report(title, read, note = () => '') {
  const [old, now] = [read(before), read(after)];
  const gone = [...old].filter((row) => !now.has(row)).map((row) => `- ${row}`);
  const come = [...now].filter((row) => !old.has(row)).map((row) => `+ ${row}${note(row.split(' ')[0])}`);
  const lines = gone.length + come.length === 0 ? ['  the same'] : [...gone, ...come];
  process.stdout.write(`${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}

/** Each flag in one line: name, type, second names, variables, default. */
function flags(tag) {
  const rows = new Set();
  for (const path of list(tag, 'cmd/utils', 'api/debug', 'kaiax'))
    for (const [, type, body] of source(tag, path).matchAll(/[=\s]&?(?:cli\.)?(\w+)Flag\{\n(.*?)\n\t\}/gs)) {
      const name = /\bName:\s*"([^"]+)"/.exec(body)?.[1];
      if (name === undefined) continue;
      const texts = (field) =>
        [...(field.exec(body)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(([, one]) => one);
      const names = texts(/\bAliases:\s*\[\]string\{([^}]*)\}/);
      const environment = texts(/\bEnvVars?:\s*(?:\[\]string\{)?([^}\n]*)/);
      const fallback = /\bValue:\s*(.+?),?\n/.exec(`${body}\n`)?.[1] ?? '-';
      rows.add([name, type, names.join() || '-', environment.join() || '-', fallback].join(' '));
    }
  return rows;
}

function namespaces(tag) {
  return new Set(
    matches(tag, 'Namespace: +"[a-z0-9]+"', '*.go', ':!*_test.go', ':!contracts').map((one) =>
      one.replace(/.*"(.*)"/, '$1'),
    ),
  );
}

/** `kend/tar RPC_API` */
function variables(tag) {
  const rows = new Set();
  for (const [folder, from] of [
    ['build/packaging/linux/bin', 'tar'],
    ['build/rpm/etc/init.d', 'rpm'],
  ])
    for (const path of list(tag, folder))
      for (const [, name] of source(tag, path).matchAll(/\$\{?([A-Z][A-Z0-9_]+)/g))
        rows.add(`${path.slice(folder.length + 1)}/${from} ${name}`);
  return rows;
}

function libraries(tag) {
  const lines = source(tag, 'go.mod').split('\n');
  return new Set(lines.filter((line) => /^module |urfave\/cli/.test(line)).map((line) => line.trim()));
}

function list(tag, ...folders) {
  const names = git('ls-tree', '-r', '--name-only', tag, '--', ...folders).split('\n');
  return names.filter(
    (name) => name !== '' && !name.endsWith('_test.go') && (name.endsWith('.go') || !name.includes('.go')),
  );
}

function source(tag, path) {
  return git('show', `${tag}:${path}`);
}

function matches(tag, pattern, ...paths) {
  return git('grep', '-hoE', pattern, tag, '--', ...paths)
    .split('\n')
    .filter((line) => line !== '');
}

function git(...words) {
  return execFileSync('git', ['-C', checkout, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
}
