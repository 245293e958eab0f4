/**
 * The flags of `reth node` by release, as src/node/kinds/reth/flag-table.ts has them, from the clap structs of a checkout:
 *
 *     node tools/reth-releases.js <checkout>
 *
 * With op-reth behind it: the flags that `op-reth node` has beside them, up to the last release that has them here.
 *
 *     node tools/reth-releases.js <checkout> op-reth
 */
import { execFileSync } from 'node:child_process';

/** Files that a default is looked up in: constants of crates, and what `Default` of a struct of defaults says. */
const defaultsIn = [
  /crates\/rpc\/rpc-server-types\/src\/constants\.rs$/,
  /crates\/rpc\/rpc-builder\/src\/constants\.rs$/,
  /crates\/node[-/]core\/src\/args\/(?:rpc_server|network|metric)\.rs$/,
  /crates\/net\/(?:discv4|discv5|network|network-types)\/src\/(?:lib|constants|config)\.rs$/,
];

/** The structs that `node` is parsed into; the fields of the program itself are global flags. */
const roots = { reth: ['NodeCommand', 'LogArgs', 'TraceArgs'], 'op-reth': ['RollupArgs'] };
const places =
  /^(?:crates\/(?:node[-/]core\/src\/args|node\/core\/src\/args|tracing)\/.*|crates\/cli\/commands\/src\/node|bin\/reth\/src\/commands\/node\/mod|crates\/optimism\/node\/src\/args)\.rs$/;

const letters = [
  [/^bool$/, 'b'],
  [/^(?:std::net::)?IpAddr$/, 'a'],
  [/^(?:std::net::)?SocketAddr$/, 'A'],
  [/^u16$/, 'P'],
  [/^(?:u8|u32|u64|usize|ZeroAsNoneU64)$/, 'u'],
  [/^(?:i32|i64)$/, 'l'],
  [/^MaxU32$/, 'm'],
  [/^f64$/, 'f'],
  [/^Duration$/, 'd'],
  [/^PathBuf$/, 'p'],
  [/^Vec</, 'S'],
];

/** The texts of blobs, without their comments and tests. */
const texts = new Map();

const [checkout, program = 'reth'] = process.argv.slice(2);
if (checkout === undefined || roots[program] === undefined) {
  process.stderr.write('usage: node tools/reth-releases.js <checkout> [op-reth]\n');
  process.exitCode = 2;
} else process.stdout.write(`${flagTable().join('\n')}\n`);

/** A row for each form of each flag, with the releases that have it. */
function flagTable() {
  const releases = git('tag', '--list', 'v*')
    .split('\n')
    .filter((tag) => /^v[1-9]\d*\.\d+\.\d+$/.test(tag))
    .sort(byVersion);
  const rows = [];
  const newest = new Map();
  for (const [at, tag] of releases.entries())
    for (const flag of flagsAt(treeOf(tag))) {
      const line = [flag.name, flag.type, flag.aliases.join() || '-', flag.fallback]
        .join(' ')
        .replace(/( -)+$/, '');
      const row = newest.get(line);
      if (row?.last === at - 1) row.last = at;
      else {
        newest.set(line, { name: flag.name, line, first: at, last: at });
        rows.push(newest.get(line));
      }
    }
  const end = program === 'reth' ? releases.length - 1 : Math.max(...rows.map(({ last }) => last));
  return rows
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.first - b.first))
    .map(({ line, first, last }) => {
      const since = first === 0 ? '' : releases[first];
      const until = last === end ? '' : releases[last];
      return since === '' && until === '' ? line : `${line} ${since}..${until}`;
    });
}

/** The flags of the structs, and of those that they flatten. */
function flagsAt(tree) {
  const structs = new Map();
  for (const text of tree.all(places))
    for (const [, name, body] of text.matchAll(/^pub(?:\(crate\))? struct (\w+)[^{;]*?\{\n(.*?)^\}/gms))
      if (!structs.has(name)) structs.set(name, body);
  const found = new Map();
  const visit = (name) => {
    for (const { attributes, field, type } of fieldsOf(structs.get(name) ?? '')) {
      if (/\bcfg\(/.test(attributes)) continue;
      if (/\bflatten\b/.test(attributes)) visit(type.replace(/<.*/, ''));
      else {
        const flag = flagOf(attributes, field, type, tree);
        if (flag !== null) found.set(flag.name, flag);
      }
    }
  };
  for (const root of roots[program]) visit(root);
  return found.values();
}

/** The fields of a struct, each with the text of its attributes. */
function* fieldsOf(body) {
  let attributes = '';
  for (let at = 0; at < body.length; ) {
    const rest = body.slice(at);
    const attribute = /^\s*#\[/.exec(rest);
    if (attribute !== null) {
      const end = closing(body, at + attribute[0].length - 1);
      attributes += body.slice(at, end);
      at = end;
      continue;
    }
    const field = /^\s*(?:pub(?:\(crate\))? )?(\w+):\s*([^,\n]+),?\n?/.exec(rest);
    if (field === null) {
      at += 1;
      continue;
    }
    yield { attributes, field: field[1], type: field[2].replace(/^Option<(.*)>$/, '$1') };
    attributes = '';
    at += field[0].length;
  }
}

/** The index behind the bracket that closes the one at `start`; texts count as one. */
function closing(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const one = text[at];
    if (one === '"') at += /^"(?:[^"\\]|\\.)*/s.exec(text.slice(at))[0].length;
    else if ('([{'.includes(one)) depth += 1;
    else if (')]}'.includes(one) && --depth === 0) return at + 1;
  }
  return text.length;
}

function flagOf(attributes, field, type, tree) {
  if (!/\blong\b/.test(attributes)) return null;
  const name = /\blong\s*=\s*"([^"]+)"/.exec(attributes)?.[1] ?? field.replaceAll('_', '-');
  const listed = [
    ...attributes.matchAll(/\b(?:visible_)?alias(?:es)?\s*=\s*(?:&?\[([^\]]*)\]|"([^"]+)")/g),
  ].flatMap(([, many = '', one]) => [
    ...(one === undefined ? [] : [one]),
    ...[...many.matchAll(/"([^"]+)"/g)].map(([, each]) => each),
  ]);
  const short = /\bshort\s*=\s*'(\w)'/.exec(attributes)?.[1];
  const letter = short ?? (/\bshort\b(?!\s*=)/.test(attributes) ? field[0] : undefined);
  const kind = typeOf(attributes, type);
  return {
    name,
    type: kind,
    aliases: letter === undefined ? listed : [...listed, letter],
    // A switch is off until it is given, and cannot be turned off.
    fallback: kind === 'b' || kind === 'c' ? '-' : defaultOf(attributes, tree),
  };
}

function typeOf(attributes, type) {
  if (/ArgAction::Count/.test(attributes)) return 'c';
  if (/require_equals = true/.test(attributes)) return 'j';
  if (/num_args = 0\.\.=1/.test(attributes)) return 'o';
  if (/ArgAction::Set\b/.test(attributes)) return 's';
  if (/parse_socket_address/.test(attributes)) return 'A';
  if (/MaxOr::new/.test(attributes)) return 'm';
  const own = letters.find(([pattern]) => pattern.test(type))?.[1] ?? 's';
  // Another parser may take more than digits.
  const isParsed =
    /\bvalue_parser\s*=(?!\s*(?:RangedU64ValueParser|(?:clap::)?value_parser!))/.test(attributes) ||
    /\bvalue_parser\([a-z]/.test(attributes);
  return isParsed && 'uPlfdap'.includes(own) ? 's' : own;
}

/** The text of a literal default, or of a named one; `-`: there is none, or it is computed. */
function defaultOf(attributes, tree) {
  const text = /\bdefault_value\s*=\s*"([^"\s]*)"/.exec(attributes)?.[1];
  if (text !== undefined) return text || '-';
  const at = /\bdefault_value(?:_t)?\s*=\s*/.exec(attributes);
  if (at === null) return '-';
  const start = at.index + at[0].length;
  let end = start;
  for (let depth = 0; end < attributes.length; end++) {
    const one = attributes[end];
    if ('([{'.includes(one)) depth += 1;
    else if (')]}'.includes(one) && --depth < 0) break;
    else if (one === ',' && depth === 0) break;
  }
  return resolve(attributes.slice(start, end).trim(), tree);
}

function resolve(value, tree, depth = 0) {
  if (/^(?:false|true|None|0)$/.test(value)) return value === '0' || value === 'true' ? value : '-';
  if (/^-?[\d_]+(?:\.\d+)?$/.test(value)) return value.replaceAll('_', '');
  if (/^"[^"\s]+"$/.test(value)) return value.slice(1, -1);
  if (/Ipv4Addr::LOCALHOST/.test(value)) return '127.0.0.1';
  if (/Ipv4Addr::UNSPECIFIED/.test(value)) return '0.0.0.0';
  const shift = /^\(?1 << (\d+)\)? - 1$/.exec(value);
  if (shift !== null) return String(2 ** Number(shift[1]) - 1);
  const field = /::get_global\(\)\.(\w+)/.exec(value)?.[1];
  const name =
    field ??
    /(?:^|::)([A-Za-z_]\w*)$/.exec(
      value
        .replace(/^ZeroAsNoneU64::new\((.*)\)$/, '$1')
        .replace(/^\((.*)\)\.into\(\)$/, '$1')
        .replace(/(?: as u64|\.(?:into|to_string|clone)\(\))+$/, ''),
    )?.[1];
  if (name === undefined || depth > 3) return '-';
  const isField = field !== undefined || /^[a-z]/.test(name);
  const pattern = isField
    ? new RegExp(`^ {12}${name}: (.+),$`, 'gm')
    : new RegExp(`const ${name}: [^=]+ = ([^;]+);`, 'g');
  // That of Windows is none that resolves.
  for (const path of defaultsIn)
    for (const text of tree.all(path))
      for (const [, found] of text.matchAll(pattern)) {
        const resolved = found === name ? '-' : resolve(found, tree, depth + 1);
        if (resolved !== '-') return resolved;
      }
  return '-';
}

function withoutComments(text) {
  return text.replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*/g, (_, kept = '') => kept);
}

function treeOf(tag) {
  const blobs = new Map(
    git('ls-tree', '-r', tag)
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([about, path]) => [path, about.split(' ')[2]]),
  );
  const read = (blob) => {
    if (!texts.has(blob)) {
      const [text] = git('cat-file', 'blob', blob).split('#[cfg(test)]');
      texts.set(blob, withoutComments(text));
    }
    return texts.get(blob);
  };
  return {
    all: (pattern) => [...blobs].filter(([path]) => pattern.test(path)).map(([, blob]) => read(blob)),
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
