/** Finds and masks secrets in text, by their names and shapes. */
import { maskUrls } from './mask-url.js';

/** Flags whose value is a secret (api/debug/flags.go, cmd/utils/flags.go: key material and passwords, not file paths). */
const secretFlag =
  /--?(?:[\w.-]{0,40}(?:nodekeyhex|node-key-hex|secretkey|secret-key|accesskey|access-key|\.db\.password|basic\.auth\.param))(?:=|[ \t]+)/gi;
/** The end of a name of a secret, in upper case. */
const nameEnd =
  '(?:SECRET|PASSWORD|PASSWD|PASSPHRASE|_PASS|_PW|(?:PRIVATE|ACCESS|SIGNER)_?KEY|BASIC_AUTH_PARAM|NODEKEYHEX|MNEMONIC|API_?KEY|TOKEN)(?:_?(?:KEY|HEX))?';
/** `NAME_SECRET=`, `x_password = "`; names that end in _FILE or _PATH hold a path instead, and so does geth's JWT secret. */
const secretName = new RegExp(
  String.raw`\b(?!GETH_AUTHRPC_JWTSECRET=)(?:PASS|[A-Z0-9_]{0,60}${nameEnd})(?:=|[ \t]{1,20}=[ \t]{0,9}(?=["']))`,
  'gi',
);
/** `NAME_SECRET: ` with one word after it, in YAML. In lower case, such a key often names an object: `secret: rpc-users`. */
const secretKey = new RegExp(
  String.raw`(?:\b[A-Z0-9_]{0,60}${nameEnd}|^[ \t-]{0,99}["']?[\w.-]{0,60}(?:[Pp]ass(?:word|wd|phrase)|[Pp]rivate_?[Kk]ey|[Mm]nemonic))["']?[ \t]*:[ \t]+(?=(?:"[^"]*"|'[^']*'|[^\s"'#|>&*!{[][^\s"'#,]*),?[ \t]*(?:#|$))`,
  'gm',
);
const userInfo = /\b[a-z][a-z0-9+.-]{0,20}:\/\/([^\s/?#"'@]+)@/gi;
/** What 32 bytes in hexadecimal without a telling name are called. */
const bareKey = 'a 32-byte key';
const privateKey = /(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/gi;

/** A command that prints the word behind it. */
const printing = String.raw`\b(?:echo|printf)[ \t]{1,9}(?:-\w{1,9}[ \t]{1,9}|["']%s[^"']{0,9}["'][ \t]{1,9}){0,2}["']?`;
/** What makes a printed word the password of an account: the name of the file that it goes to, or the command that reads it. */
const stored = String.raw`(?:[ \t]{1,9}["'][^"'\n]{0,99}["'])?[ \t]{0,9}(?:(?:>{1,2}|\|[ \t]{0,9}(?:sudo[ \t]{1,9})?tee\b(?:[ \t]{1,9}-a)?)[ \t]{0,9}["']?[\w.\/~\${}-]{0,200}(?:pass|pwd|pw\b)|\|[^|;&\n]{0,200}\baccount[ \t]{1,9}(?:new|import|update)\b)`;

/** What precedes the password of an account: in a call, in JSON, and after the words of a command. */
const account = String.raw`\s{0,9}(?:\\?"[^"]{0,99}"|'[^']{0,99}'|[^,"'\s]{1,99})\s{0,9},\s{0,9}\\?["']`;
const unlocking = new RegExp(
  [
    String.raw`(?:unlockAccount|importRawKey)(?:\s{0,9}\(|\\?["'][^[\]{}]{0,99}\[)${account}`,
    String.raw`newAccount(?:\s{0,9}\(\s{0,9}|\\?["'][^[\]{}]{0,99}\[\s{0,9})\\?["']`,
    // A line of /etc/passwd is no password.
    String.raw`${printing}(?!\w{1,40}:\w{0,40}:\d{1,9}:\d)(?=[^\s"'$\`<>|;&()]{2,99}["']?${stored})`,
    String.raw`--password[= ]<\(${printing}`,
    String.raw`\[${account}(?=[^\]]{0,99}\][^[\]{}]{0,99}_unlockAccount)`,
    String.raw`_unlockAccount[ \t]{1,9}(?:0x|\$)[^\s"']{0,99}[ \t]{1,9}["']?(?!-)`,
  ].join('|'),
  'g',
);
const password = /^(?:[^"'\\\s]+(?: [^"'\\\s]+)*(?=\\?["'])|[^"'\\\s]+)/;

/** Endings of secret names in any program. */
const secretWord =
  '(?:pass(?:word|wd|phrase)|secret|token|mnemonic|credentials?|(?:[_.-]|api|access|signing|secret|private)key(?:-?hex)?)';
/** `--name` and the separator before its value: on a command line, in a JSON or a YAML list. */
const likelyFlag = new RegExp(
  String.raw`(?<![\w.-])--?([\w.-]{0,60}${secretWord})(?:=|["']?[ \t]*,[ \t]*|["']?(?:[ \t]|\\?\r?\n)+(?:-[ \t]+)?)(?!--)`,
  'gi',
);
/** `NAME=`, `name: ` and the `value:` below a name. */
const likelyName = new RegExp(
  String.raw`(?<![\w.-])(?:\w[\w.-]{0,60})?${secretWord}(?:[ \t]*=[ \t]*|["']?[ \t]*:[ \t]+|["']?[ \t]*\r?\n[ \t]*value:[ \t]*)`,
  'gi',
);
/** Flags that end like a secret and take a path (cmd/utils/flags.go). */
const pathFlag =
  /^(?:(?:account-update\.)?password|(?:[\w.]+\.)?jwt-?secret|(?:p2p\.)?(?:bls-)?node-?key|genkey)$/i;
/** Words that follow a flag in a sentence, and values that are not secret. */
const noSecret =
  /^(?:true|false|null|is|are|was|has|may|takes?|gets|needs|holds|prints|names|and|or|not|in|of|on|off|out|to|at|by|for|from|with|without|the|a)[.,;:]?$/;

/** What the secret of `--ethstats name:secret@host` is called: whoever has it can report for the node. */
export const statisticsSecret = 'the secret of ethstats';
/** `--ethstats name:secret@host`, the same as a variable or a key, and the URL of such a section (cmd/utils/flags.go). */
const statistics =
  /(?:ethstats[\s=:,[\]"'-]{1,40}(?:URL[ \t]*=[ \t]*)?["']?[^\s"'@:=][^"'@:\n]{0,99}:)([^\s"'@]+)(?=@)/gi;

/** The same as a word alone: `name:secret@host`, but no image with its digest. */
const beforeHost = /(?<![\w/:.-])[\w.-]{1,60}:([^\s:@/"'$]{3,100})(?=@(?!sha256:)[\w.-])/g;

/** A URL up to the blank, quote or bracket that ends it. */
const url = /\b([a-z][a-z0-9+.-]{0,20}):\/\/[^\s/?#"'`<>\\]*([/?#][^\s"'`<>\\]*)/gi;
/** The guides that policies cite. */
const documentation = /^https:\/\/(?:docs\.kaia\.io|geth\.ethereum\.org)\/[\w/-]*$/;
/** Paths that are not secret. */
const commonPath = /^(?:\/(?:metrics|debug|pprof|cmdline|healthz?|rpc|ws|api|v\d{1,3})?)*$/i;

/** Values that are secret by name or place: likely enough to mask, not to report as a finding. */
function findLikelySecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(likelyFlag))
    if (!pathFlag.test(match[1] ?? '')) spans.push(...after(text, match, likelyValue));
  for (const match of text.matchAll(likelyName))
    if (!isProse(text, match)) spans.push(...after(text, match, likelyValue));
  for (const { 1: secret = '', 0: all, index } of text.matchAll(beforeHost)) {
    const from = index + all.length - secret.length;
    spans.push({ from, to: from + secret.length, what: statisticsSecret });
  }
  for (const { 0: all, 1: scheme = '', 2: rest = '', index } of text.matchAll(url)) {
    const path = rest.replace(/[.,;:!)\]}]+$/, '');
    const cited = documentation.test(all.slice(0, all.length - rest.length + path.length));
    const isMasked = path.includes('…') && maskUrls(all) === all;
    if (
      isMasked ||
      cited ||
      !/\w/.test(path) ||
      /^(?:kni|enode|file|unix|ipc)$/i.test(scheme) ||
      commonPath.test(path)
    )
      continue;
    const from = index + all.length - rest.length + 1;
    spans.push({ from, to: from + path.length - 1, what: 'the path of a URL' });
  }
  return spans;
}

/** A word of letters with another one behind it. */
const sentence = /^[A-Za-z][a-z’']*[.,;]?[ \t]+[\w'"(]/;

/** Whether a comment only says where the password is: `password: see the wiki`. A single word is taken for a value. */
function isProse(text: string, { index, 0: name }: RegExpExecArray): boolean {
  const before = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  const isComment = /(?:^|\s)(?:#|\/\/)/.test(before) && /:[ \t]+$/.test(name);
  return isComment && sentence.test(text.slice(index + name.length, index + name.length + 100));
}

const likelyValue = /^(?:\\?"[^"]*"?|'[^']*'?|[^\s"']+)/;

/** Offsets in UTF-16 units, end exclusive. */
export interface SecretSpan {
  readonly from: number;
  readonly to: number;
  /** The name of the value, or the kind of secret. */
  readonly what: string;
}

/** A cheap test first: every pattern above needs one of these words. */
const mayHold =
  /key|secret|pass|mnemonic|token|credential|[._]auth|unlockA|newAcc|pw\b|account|ethstats|:\/\//i;
/** Separate: in `mayHold` it would make the test three times as slow. */
const mayBeKey = /[0-9a-f]{64}/i;

/** Finds the secrets in one line of a conf, a command line or a message, in order, without overlap. */
export function findSecrets(text: string): SecretSpan[] {
  if (!mayHold.test(text) && !mayBeKey.test(text)) return [];
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(secretFlag)) spans.push(...after(text, match, /^[^\s"']+/));
  for (const match of text.matchAll(secretName)) {
    if (isPasswordFile(text, match)) continue;
    const value = /^(?:"[^"]*"?|'[^']*'?|[^\s"'#;]+)/;
    spans.push(...after(text, match, value));
  }
  for (const match of text.matchAll(secretKey))
    spans.push(...after(text, match, /^(?:"[^"]*"|'[^']*'|[^\s"'#,]+)/));
  for (const match of text.matchAll(userInfo)) {
    const [all, user = ''] = match;
    const from = match.index + all.indexOf('://') + 3;
    // `postgres:@db` has an empty password.
    const isOpen = user.endsWith(':') || isReference(user.slice(user.indexOf(':') + 1));
    if (!isOpen && !/^(?:kni|enode)/i.test(all))
      spans.push({ from, to: from + user.length, what: 'a password in a URL' });
  }
  for (const { 0: all, 1: secret = '', index } of text.matchAll(statistics)) {
    const to = index + all.length;
    if (!isReference(secret)) spans.push({ from: to - secret.length, to, what: statisticsSecret });
  }
  for (const match of text.matchAll(unlocking))
    spans.push(
      ...after(text, match, password).map((one) => ({ ...one, what: 'the password of an account' })),
    );
  for (const match of text.matchAll(privateKey)) {
    // No key: an empty hash, such as the parent of the genesis block, and the digest of an image.
    if (/^(?:0x)?0+$/i.test(match[0])) continue;
    if (/\bsha256:$/i.test(text.slice(Math.max(0, match.index - 8), match.index))) continue;
    spans.push({ from: match.index, to: match.index + match[0].length, what: bareKey });
  }
  return withoutOverlap(spans);
}

/** Asterisks alone are no placeholder: saved facts mask real secrets with them. */
const placeholder =
  /^(?:<[^>]*>|[<*](?:the|your|insert|enter|replace)\b.*|\{\{.*|(?:\$\(|`[a-z]).*|change[-_]?(?:me|it|this)|(?:replace|insert|enter|your)[-_ ].*|secret[-_]?token|(?:super|my)[-_]?secret|placeholder|todo|tbd|example|dummy|redacted|[x.]{3,}|(?:test ){11}junk|ENC\[.*|Ag[AB][\w+/]{80,}=*|(?:0x)?(?:0{9,}|(?:1234567890abcdef){4}))$/i;

/** Whether documents and templates have the value, or its base64, in the place of a secret. */
export function isPlaceholder(value: string): boolean {
  return [value, Buffer.from(value, 'base64').toString('latin1')].some((text) => placeholder.test(text));
}

/** What precedes a hash of 32 bytes: a checksum annotation of a chart. */
const beforeHash = /\bchecksum[\w./-]{0,60}["']?[ \t]*[:=][ \t]*["']?$/i;

/** The end of a key and the separator before its value: `mixHash":"`, `MAC=`, also escaped. */
const separator = String.raw`\\?["']?[ \t]*[:=][ \t]*\\?["']?$`;
/** 32 bytes that are no key: fields of a genesis, a block or a transaction, ids of commits, salt and MAC of a keystore. */
const beforeNoKey = new RegExp(
  `(?:hash|root|extra_?data|difficulty|digest|checksum|commit|revision|sha_?256|\\b(?:nonce|salt|mac))${separator}|sha_?256[ \\t]+$`,
  'i',
);
const beforeCiphertext = new RegExp(`\\bciphertext${separator}`, 'i');

/** What the ciphertext of a keystore is called. */
export const encryptedKey = 'the encrypted key of an account';

/** What names 32 bytes as a key, directly before them, and what a line stores them in, behind them. */
const beforeKey =
  /(?:(?<!pub(?:lic)?[_-]?)key|secret|jwt|seed|token|passw(?:or)?d|passphrase|mnemonic|priv\w{0,9}|wallet|signer|import|\b(?:np?|p)k)[\w.-]{0,30}["'`]?\s{0,9}[:=,(<]{0,3}\s{0,9}(?:(?:echo|printf)\s{1,9}(?:-n\s{1,9}|["']?%s["']?\s{1,9})?)?[["'`{]{0,2}$/i;
const behindKey =
  /^["'`]?[^>|\n]{0,40}(?:>|\|\s{0,9}(?:sudo\s{1,9})?tee\b)[^\n]{0,200}(?:key|secret|jwt|token|passw|pw\b)/i;

/** Returns whether 32 bytes are a key: a name before them or a file after them says so, or they are a whole line. */
function isNamedKey(text: string, { from, to }: SecretSpan, before: string): boolean {
  return (
    text.trim().length === to - from || beforeKey.test(before) || behindKey.test(text.slice(to, to + 300))
  );
}

/** Whether the value repeats the name, as in `password=password` of usage texts and templates. */
function repeatsName(value: string, name: string): boolean {
  return value.length > 2 && name.toLowerCase().endsWith(value.toLowerCase());
}

/**
 * The secrets of a line without hashes, public keys, and placeholders such as `changeme` and `<password>`. An encrypted keystore
 * is one secret.
 */
export function findRealSecrets(text: string): SecretSpan[] {
  return findSecrets(text).flatMap((one) => {
    const { from, to, what } = one;
    // A list of YAML or JSON goes on behind the value.
    const value = text.slice(from, to).replace(/[,\]}:]+$/, '');
    const before = text.slice(Math.max(0, from - 80), from);
    if (isPlaceholder(value) || repeatsName(value, what) || beforeHash.test(before)) return [];
    if (value === 'test' && /^InfluxDB/.test(what)) return []; // What dumpconfig of geth prints.
    if (/^0x(?:[0-9a-f]{40}|[0-9a-f]{96})$/i.test(value)) return []; // An address, and the public key of a relay before its host.
    // A count, as of requests with a token, a word for the value in a usage text, and the symbol of a token.
    if (/^(?:\d{1,3}|HEX|KEY|VALUE|STRING|FILE|PATH)$/.test(value) && !/pass.|.pass/i.test(what)) return [];
    if (/^[A-Z]{1,6}$/.test(value) && /token/i.test(what)) return [];
    if (what !== bareKey) return [one];
    if (beforeNoKey.test(before)) return [];
    if (beforeCiphertext.test(before)) return [{ ...one, what: encryptedKey }];
    return isNamedKey(text, one, before) ? [one] : [];
  });
}

/** --password, --authrpc.jwtsecret and --jwt-secret take the path of a file (cmd/utils/flags.go); a variable of such a name holds a secret. */
function isPasswordFile(text: string, { index, 0: name }: RegExpExecArray): boolean {
  const flag = text.slice(Math.max(0, index - 20), index) + name;
  return /(?:^|[\s"'=])--?(?:(?:account-update\.)?password|(?:[\w.]+\.)?jwt-?secret)=$/i.test(flag);
}

/**
 * The text with every secret masked character by character, which keeps columns. Also masks the path and the query of
 * a URL, which may be an API key, and the values of unknown flags and variables with secret names.
 */
export function redact(text: string): string {
  if (!mayHold.test(text) && !mayBeKey.test(text) && !text.includes('@')) return text;
  return maskSpans(text, withoutOverlap([...findSecrets(text), ...findLikelySecrets(text)]));
}

/** The text with these spans masked, which are in order; of one that goes beyond the text, its part. */
export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  let out = '';
  let at = 0;
  for (const { from, to } of spans) {
    out += text.slice(at, from);
    out += '*'.repeat(Math.max(0, Math.min(to, text.length) - from));
    at = to;
  }
  return out + text.slice(at);
}

/** Masks the secrets of lines; a secret may be on the line after its name. */
export function redactLines(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : redact(lines.join('\n')).split('\n');
}

/** Whether the value of a flag or a variable is a secret by its name. */
export function isSecretName(name: string): boolean {
  return [`--${name}=x`, `${name}=x`].some((text) => redact(text) !== text);
}

/** Masks the secrets of a command line; the secret of a flag may be the next word. By default, words keep their length. */
export function redactWords(
  words: readonly string[],
  mask = (secret: string) => '*'.repeat(secret.length),
): string[] {
  return words.map((word, at) => {
    const [, name = '', value = ''] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (name.startsWith('-') ? isSecretFlag(name) : name !== '' && isSecretName(name))
      return `${name}=${mask(value)}`;
    const before = words[at - 1] ?? '';
    if (isSecretFlag(before)) return mask(word);
    // The flag may say what a part of its value is.
    return /^--?ethstats$/i.test(before)
      ? redact(`${before} ${word}`).slice(before.length + 1)
      : redact(word);
  });
}

/** Whether the value of `--name`, behind = or as the next word, is a secret. */
export function isSecretFlag(word: string): boolean {
  return /^--?[^=\s]+$/.test(word) && redact(`${word}=x`) !== `${word}=x`;
}

const reference =
  /^(?:0x)?(?:\$?\{\{|<%|\$\(|process\.env|(?:\$(?:\w+|\{[\w.[\]"]+(?::?\?[^}]*|:?-)?\})[:@/._-]*)+$)/;

/** Whether the text is only variables, or the beginning of a template's expression or of a command. */
function isReference(text: string): boolean {
  return reference.test(text);
}

/** Whether the text is the path of a file. Base64 may begin with a slash too: its parts mix letters of both cases and digits. */
export function isPath(text: string): boolean {
  const file =
    /^(?!\/\/)(?:\.{1,2}|~|\$\w+|\$\{\w+\}|[\w.-]{1,40}(?=.*\.(?:txt|hex|key|json|pem)$))?(?:\/[\w.@-]+)+\/?$/;
  if (!file.test(text)) return false;
  return text.split('/').every((part) => !(/[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part)));
}

/** The value after a name, without its quotes. Empty values, paths, `$X` and comments are not secrets. */
function after(text: string, match: RegExpExecArray, shape: RegExp): SecretSpan[] {
  const from = match.index + match[0].length;
  const value = shape.exec(text.slice(from))?.[0] ?? '';
  const bare = value.replace(/^["']|["']$/g, '');
  const isComment = bare === '#' || (bare.startsWith('#') && /\s$/.test(match[0]));
  const isOther = noSecret.test(bare) || isReference(bare) || isPath(bare.replace(/[,\]}]+$/, ''));
  if (bare === '' || isOther || isComment) return [];
  const start = from + value.indexOf(bare);
  const name = match[0].replace(/^[\s"'-]+(?=\w+["']?:)|["'=:\s]+$/g, '');
  return [{ from: start, to: start + bare.length, what: name }];
}

function withoutOverlap(spans: readonly SecretSpan[]): SecretSpan[] {
  const kept: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = kept.at(-1);
    if (last === undefined || span.from >= last.to) kept.push(span);
    else if (span.to > last.to) kept[kept.length - 1] = { ...last, to: span.to };
  }
  return kept;
}
