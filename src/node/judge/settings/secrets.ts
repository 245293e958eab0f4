/** The secrets in the lines of a file, and files with secrets. */
import { oncePer, oncePerKey } from '../../../util/once-per.js';
import { isPrintedKey } from '../../../util/printed-keys.js';
import { findRealSecrets, type SecretSpan, statisticsSecret } from '../../../util/redact.js';
import { passwords } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import { secretOfNode } from '../../kinds/secret-names.js';

export interface SecretInLine extends SecretSpan {
  readonly line: number;
  readonly text: string;
}

/** Characters of a line that are searched. */
const longest = 64_000;

/** Flags that name the file of a secret: a script may write it under any name. */
const namedFile =
  /--(?:password|nodekey|(?:authrpc\.)?jwt-?secret)(?:=|["']?\s{0,9},?\s{0,9}["']?)((?!-)[\w./~-]{2,200})/g;
/** Files of secrets that are looked for in the lines that write files. */
const maxFiles = 20;

/** Secrets in lines, comments included; placeholders and keys that everybody knows are none. The nodes of a file share its lines. */
export const secretsIn = oncePer((lines: readonly string[]): readonly SecretInLine[] => {
  const named = lines.flatMap((line) => [...line.slice(0, longest).matchAll(namedFile)]);
  const files = [...new Set(named.map(([, file = '']) => file))].slice(0, maxFiles);
  return lines.flatMap((text, at) => {
    const file = /[>|]/.test(text) ? files.find((name) => text.includes(name)) : undefined;
    // Of a file that a flag names, the line is read as if its name said what it holds.
    const told = file === undefined ? text : text.replaceAll(file, 'pw'.padStart(file.length, '_'));
    const alone = secretsOf(told);
    const found = alone.length > 0 ? alone : secretsInContext(lines, at, files);
    return found.map((secret) => ({ ...secret, line: at + 1, text }));
  });
});

/** A line that holds one value alone, as an item or behind a key that says nothing about it. */
const bareValue = /^(\s*(?:-\s+)?(?:(value|default|content)\s*[:=]\s+)?["']?)([^\s"'][^"']*?)["']?,?\s*$/;
const longestBare = 500;

/** What the lines around a bare value say of it, by its key: its name, or the file that it is written into. */
const contexts: readonly {
  readonly key: string;
  /** The lines that are looked at, the next one first, as offsets. */
  readonly lines: readonly number[];
  readonly name?: RegExp;
  readonly file?: RegExp;
}[] = [
  { key: 'value', lines: [-1], name: /^\s*(?:-\s+)?name:\s+["']?([\w.-]+)["']?\s*$/ },
  { key: 'default', lines: [-1, -2, -3, -4], name: /^\s*variable\s+"([\w-]+)"/ },
  { key: 'content', lines: [1], file: /^\s*dest:\s+["']?([\w./~-]+)/ },
  { key: '', lines: [-1], name: /(?:^\s*-\s+|["'])(--?[\w.-]+)["']?,?\s*$/ },
  { key: '', lines: [-1], file: /^(?=.*<<).*(?:>|\btee|COPY\s.*<<\S+)\s*["']?([\w./~${}-]+)/ },
];

function secretsInContext(lines: readonly string[], at: number, files: readonly string[]): SecretSpan[] {
  const line = lines[at] ?? '';
  if (line.length > longestBare) return [];
  const [, start = '', key = '', value = ''] = bareValue.exec(line) ?? [];
  for (const { lines: offsets, name, file } of contexts.filter((context) => context.key === key)) {
    const around = offsets.map((offset) => lines[at + offset]?.slice(0, longestBare) ?? '');
    const said = around.map((text) => (name ?? file)?.exec(text)?.[1]).find(Boolean);
    if (value === '' || said === undefined) continue;
    // The value is read as if it stood behind its name, or as if a command wrote it into its file.
    const before = name === undefined ? 'echo ' : `${said}=`;
    const behind = name === undefined ? ` > ${files.includes(said) ? 'pw' : said}` : '';
    const shift = start.length - before.length;
    return secretsOf(before + value + behind).map(({ from, to, what }) => ({
      from: from + shift,
      to: to + shift,
      what: name === undefined ? what : said,
    }));
  }
  return [];
}

/** The trials of an edit leave most lines of a file as they are. */
const secretsOf = oncePerKey(
  (text: string): readonly SecretSpan[] =>
    findRealSecrets(text.slice(0, longest)).filter(({ from, to }) => !isPrintedKey(text.slice(from, to))),
  500,
);

/** Names of secrets that protect a database, a dashboard or a collector of metrics. */
const ofAnother = /^(?:POSTGRES|PG|MYSQL|MARIADB|MONGO|REDIS|RABBITMQ|INFLUX|GRAFANA|GF_|MINIO|SMTP)/i;
/** The same, by what precedes the secret. */
const beforeAnother =
  /(?:\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|amqps?|smtps?):\/\/|(?:metrics\.influxdb\.|[.-](?:db|database)-)(?:password|token)["']?[=\s]["']?)$/i;
const comment = /^\s*(?:#|\/\/)/;

/**
 * Low for a secret of another program than the node, one in a comment, where nothing shows that it is used, and one with which
 * others can only report for the node; medium for a password that opens nothing known. `isUnused`: nothing of the node's start
 * holds it, and its file holds settings of other programs too. `hasKey`: the key that a password opens is known.
 */
export function secretSeverity(
  { from, what, text }: SecretInLine,
  isUnused: boolean,
  hasKey: boolean,
): Severity {
  if (ofAnother.test(what) || beforeAnother.test(text.slice(0, from)) || comment.test(text)) return 'low';
  if (isUnused && /^[A-Za-z]\w*$/.test(what) && !secretOfNode.test(what)) return 'low';
  if (what === statisticsSecret) return 'low';
  return passwords.has(what) && !hasKey ? 'medium' : 'high';
}
