/** The flags of geth, and the keys of its TOML file, in the source of a release. */

const types = {
  BoolFlag: 'bool',
  BoolTFlag: 'bool',
  IntFlag: 'int',
  Int64Flag: 'int64',
  UintFlag: 'uint',
  Uint64Flag: 'uint64',
  Float64Flag: 'float',
  DurationFlag: 'duration',
  DirectoryFlag: 'path',
  PathFlag: 'path',
  StringSliceFlag: 'list',
  TextMarshalerFlag: 'text',
  BigFlag: 'text',
};

/** Files with the defaults that flags take from a configuration. */
const defaultsIn = [
  'eth/ethconfig/config.go',
  'eth/config.go',
  'eth/gasprice/gasprice.go',
  'core/txpool/legacypool/legacypool.go',
  'core/txpool/blobpool/config.go',
  'core/txpool/txpool.go',
  'core/tx_pool.go',
  'miner/miner.go',
  'metrics/config.go',
  'node/defaults.go',
  'node/config.go',
  'rpc/server.go',
  'metrics/metrics.go',
  'dashboard/config.go',
];

/** The Go types that each section of the TOML file is decoded into, the newest place first. */
const keyPlaces = {
  '': [['cmd/geth/config.go', 'gethConfig']],
  Eth: [
    ['eth/ethconfig/gen_config.go', 'Config'],
    ['eth/gen_config.go', 'Config'],
  ],
  'Eth.GPO': [['eth/gasprice/gasprice.go', 'Config']],
  'Eth.TxPool': [
    ['core/txpool/legacypool/legacypool.go', 'Config'],
    ['core/txpool/txpool.go', 'Config'],
    ['core/tx_pool.go', 'TxPoolConfig'],
  ],
  'Eth.Ethash': [['consensus/ethash/ethash.go', 'Config']],
  'Eth.Miner': [['miner/miner.go', 'Config']],
  'Eth.BlobPool': [['core/txpool/blobpool/config.go', 'Config']],
  Node: [['node/config.go', 'Config']],
  'Node.HTTPTimeouts': [['rpc/http.go', 'HTTPTimeouts']],
  'Node.P2P': [
    ['p2p/config.go', 'Config'],
    ['p2p/server.go', 'Config'],
  ],
  Metrics: [['metrics/config.go', 'Config']],
  Ethstats: [['cmd/geth/config.go', 'ethstatsConfig']],
};

/** The flags of the program itself, of a tree: what app.Flags in cmd/geth holds, directly and by the groups it names. */
export function flagsOfGeth(read) {
  const packages = { main: 'cmd/geth', utils: 'cmd/utils', debug: 'internal/debug' };
  const sources = Object.entries(packages).flatMap(([name, folder]) =>
    read.list(folder).map((path) => [name, read.text(path)]),
  );
  const values = new Map(sources.flatMap(([own, text]) => definitions(text, own)));
  const found = new Map();
  const visit = (key) => {
    const value = values.get(key);
    if (value === undefined) return;
    values.delete(key);
    const [, type, body] = /^&?(?:\w+\.)?(\w+Flag)\{(.*)\}$/s.exec(value.text) ?? [];
    if (type !== undefined) {
      const flag = flagOf(type, body, read);
      found.set(flag.name, flag);
    } else for (const one of names(value.text, value.own)) visit(one);
  };
  for (const [own, text] of sources)
    if (own === 'main')
      for (const [, list] of text.matchAll(
        /\bapp\.Flags = ((?:[^\n]*\([^()]*(?:\([^()]*\)[^()]*)*\)|\[\]cli\.Flag\{[^}]*\}|[^\n]*))/g,
      ))
        for (const one of names(list, 'main')) visit(one);
  return [...found.values()];
}

function flagOf(type, body, read) {
  const text = (field) => new RegExp(`\\b${field}:\\s*"([^"]*)"`).exec(body)?.[1];
  const written = text('Name') ?? resolve(/\bName:\s*([\w.]+)/.exec(body)[1], read);
  const [name, ...second] = written.split(/,\s*/);
  const listed = /\bAliases:\s*\[\]string\{([^}]*)\}/.exec(body)?.[1] ?? '';
  const aliases = [...second, ...[...listed.matchAll(/"([^"]*)"/g)].map(([, one]) => one)];
  const value = /\bValue:\s*(.+?),?\s*(?:\n|$)/.exec(body)?.[1];
  return {
    name,
    type: types[type] ?? 'string',
    aliases,
    fallback: value === undefined ? null : resolve(value, read),
  };
}

/**
 * `Section.Key` of each exported field that the file's sections are decoded into, under its `toml` name; the file and the type
 * of a section moved between releases, so the first that a release has counts. A section that no field leads to is none.
 */
export function keysOfGeth(read) {
  const fieldsIn = (path, type) => {
    const bodies = [
      ...read.text(path).matchAll(new RegExp(`^\\t?type ${type} struct \\{\\n(.*?)\\n\\t?\\}`, 'gms')),
    ];
    return [
      ...(bodies.at(-1)?.[1] ?? '').matchAll(
        /^\s*([A-Z]\w*(?:, *[A-Z]\w*)*)[ \t]+[^\s`][^`\n]*(?:`(.*)`)?\s*$/gm,
      ),
    ].flatMap(([, names, tags = '']) => {
      const name = /\btoml:"([^",]*)/.exec(tags)?.[1];
      return name === '-' ? [] : names.split(/, */).map((one) => name || one);
    });
  };
  const keys = new Set();
  for (const [section, places] of Object.entries(keyPlaces)) {
    if (section.includes('.') && !keys.has(section)) continue;
    const found = places.map(([path, type]) => fieldsIn(path, type)).find((fields) => fields.length > 0);
    for (const key of found ?? []) keys.add(section === '' ? key : `${section}.${key}`);
  }
  for (const [, key] of read.text('cmd/geth/config.go').matchAll(/"(?:eth|ethconfig)\.Config\.(\w+)"/g))
    keys.add(`Eth.${key}`);
  return keys;
}

/** `name = value` at the top of a file and in its var blocks. */
function definitions(text, own) {
  return [...text.matchAll(/^(?:var |\t)(\w+)\s*=\s*(?=\S)/gm)].map((match) => {
    const start = match.index + match[0].length;
    return [`${own}.${match[1]}`, { own, text: expression(text, start) }];
  });
}

/** The text up to the end of the line on which every bracket is closed. */
function expression(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const one = text[at];
    if (one === '"') at += /^"(?:[^"\\\n]|\\.)*/.exec(text.slice(at, at + 2000))[0].length;
    else if ('({['.includes(one)) depth += 1;
    else if (')}]'.includes(one)) depth -= 1;
    else if (one === '\n' && depth <= 0) return text.slice(start, at).trim();
  }
  return text.slice(start);
}

function names(text, own) {
  return [...text.matchAll(/(?:\b(utils|debug)\.)?\b([A-Za-z]\w*)/g)].map(
    ([, from = own, name]) => `${from}.${name}`,
  );
}

/** The text of a default that a literal or a named constant gives; null: it is computed. */
function resolve(value, read, depth = 0) {
  if (/^(?:""|0|false|nil)$/.test(value)) return value === '0' ? '0' : null;
  if (/^-?[\d_.]+$/.test(value)) return value.replaceAll('_', '');
  if (/^"[^"\s]*"$/.test(value)) return value.slice(1, -1);
  const product = /^([\d\s*]+)$/.exec(value);
  if (product !== null) return String(value.split('*').reduce((all, one) => all * Number(one), 1));
  const time = /^(?:(\d+)\s*\*\s*)?time\.(Second|Minute|Hour)$/.exec(value);
  if (time !== null) return `${time[1] ?? 1}${{ Second: 's', Minute: 'm0s', Hour: 'h0m0s' }[time[2]]}`;
  const list = /^\[\]string\{"([\w.]+)"\}$|^strings\.Join\(([\w.]+), ","\)$/.exec(value);
  if (list !== null) return list[1] ?? resolve(list[2], read, depth);
  const name = /(?:^|\.)(\w+)$/.exec(
    value.replace(/\.(?:String|Milliseconds|Seconds)\(\)$|^int\(|^uint64\(|\)$/g, ''),
  )?.[1];
  if (name === undefined || depth > 1) return null;
  for (const path of defaultsIn) {
    const found = new RegExp(`^\\t*(?:const |var )?${name}\\s*(?::|=)\\s*([^,\\n]+?),?\\s*$`, 'm').exec(
      read.text(path),
    );
    if (found !== null) return resolve(found[1], read, depth + 1);
  }
  return null;
}
