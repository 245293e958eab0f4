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

/** Secrets in lines, comments included; placeholders and keys that everybody knows are none. The nodes of a file share its lines. */
export const secretsIn = oncePer((lines: readonly string[]): readonly SecretInLine[] =>
  lines.flatMap((text, at) => {
    const found = secretsOf(text);
    const all = found.length > 0 ? found : behindFlag(lines[at - 1] ?? '', text);
    return all.length === 0 ? [] : all.map((one) => ({ ...one, line: at + 1, text }));
  }),
);

/** A key that is an item of a list, behind the item with its flag. */
function behindFlag(before: string, text: string): SecretSpan[] {
  const [, start = '', key = ''] = /^(\s*(?:-\s+)?["']?)((?:0x)?[0-9a-f]{64})["']?,?\s*$/i.exec(text) ?? [];
  const [, what] = /(--?[\w.-]{0,60}key(?:-?hex)?)["']?,?\s*$/i.exec(key === '' ? '' : before) ?? [];
  return what === undefined ? [] : [{ from: start.length, to: start.length + key.length, what }];
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
