/** The flags of reth and op-reth in the clap structs of a release. */

/** Files that a default is looked up in: constants of crates, and what `Default` of a struct of defaults says. */
const defaultsIn = [
  /crates\/rpc\/rpc-server-types\/src\/constants\.rs$/,
  /crates\/rpc\/rpc-builder\/src\/constants\.rs$/,
  /crates\/node[-/]core\/src\/args\/(?:rpc_server|network|metric)\.rs$/,
  /crates\/net\/(?:discv4|discv5|network|network-types)\/src\/(?:lib|constants|config)\.rs$/,
];

/** The structs that `node` is parsed into; the fields of the program itself are global flags. */
export const roots = { reth: ['NodeCommand', 'LogArgs', 'TraceArgs'], 'op-reth': ['RollupArgs'] };
const places =
  /^(?:crates\/(?:node[-/]core\/src\/args|node\/core\/src\/args|tracing)\/.*|crates\/cli\/commands\/src\/node|bin\/reth\/src\/commands\/node\/mod|crates\/optimism\/node\/src\/args)\.rs$/;

const types = [
  [/^bool$/, 'bool'],
  [/^(?:std::net::)?IpAddr$/, 'ip'],
  [/^(?:std::net::)?SocketAddr$/, 'socket'],
  [/^u16$/, 'port'],
  [/^(?:u8|u32|u64|usize|ZeroAsNoneU64)$/, 'uint64'],
  [/^(?:i32|i64)$/, 'int64'],
  [/^MaxU32$/, 'max'],
  [/^f64$/, 'float'],
  [/^Duration$/, 'duration'],
  [/^PathBuf$/, 'path'],
  [/^Vec</, 'list'],
];

/** Types whose text another parser may read. */
const parsed = ['uint64', 'port', 'int64', 'float', 'duration', 'ip', 'path'];

/** The flags of the structs, and of those that they flatten. */
export function flagsOfReth(tree, program) {
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
    aliases: (letter === undefined ? listed : [...listed, letter]).filter((one) => one !== name),
    // A switch is off until it is given, and cannot be turned off.
    fallback: kind === 'bool' || kind === 'count' ? null : defaultOf(attributes, tree),
  };
}

function typeOf(attributes, type) {
  if (/ArgAction::Count/.test(attributes)) return 'count';
  if (/require_equals = true/.test(attributes)) return 'joined';
  if (/num_args = 0\.\.=1/.test(attributes)) return 'optional';
  if (/ArgAction::Set\b/.test(attributes)) return 'string';
  if (/parse_socket_address/.test(attributes)) return 'socket';
  if (/MaxOr::new/.test(attributes)) return 'max';
  const own = types.find(([pattern]) => pattern.test(type))?.[1] ?? 'string';
  // Another parser may take more than digits.
  const isParsed =
    /\bvalue_parser\s*=(?!\s*(?:RangedU64ValueParser|(?:clap::)?value_parser!))/.test(attributes) ||
    /\bvalue_parser\([a-z]/.test(attributes);
  return isParsed && parsed.includes(own) ? 'string' : own;
}

/** The text of a literal default, or of a named one; null: there is none, or it is computed. */
function defaultOf(attributes, tree) {
  const text = /\bdefault_value\s*=\s*"([^"\s]*)"/.exec(attributes)?.[1];
  if (text !== undefined) return text || null;
  const at = /\bdefault_value(?:_t)?\s*=\s*/.exec(attributes);
  if (at === null) return null;
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
  if (/^(?:false|true|None|0)$/.test(value)) return value === '0' || value === 'true' ? value : null;
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
  if (name === undefined || depth > 3) return null;
  const isField = field !== undefined || /^[a-z]/.test(name);
  const pattern = isField
    ? new RegExp(`^ {12}${name}: (.+),$`, 'gm')
    : new RegExp(`const ${name}: [^=]+ = ([^;]+);`, 'g');
  // That of Windows is none that resolves.
  for (const path of defaultsIn)
    for (const text of tree.all(path))
      for (const [, found] of text.matchAll(pattern)) {
        const resolved = found === name ? null : resolve(found, tree, depth + 1);
        if (resolved !== null) return resolved;
      }
  return null;
}
