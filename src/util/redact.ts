/** What must never be printed: secrets in text, found by the names and shapes they come with. */

/** Flags whose value is a secret (api/debug/flags.go, cmd/utils/flags.go: key material and passwords, not file paths). */
const secretFlag =
  /--?(?:[\w.-]{0,40}(?:nodekeyhex|node-key-hex|secretkey|secret-key|accesskey|access-key|\.db\.password|basic\.auth\.param))(?:=|[ \t]+)/gi;
/** `NAME_SECRET=`, `X_PASSWORD=`; names that end in _FILE or _PATH hold a path instead. */
const secretName =
  /\b[A-Za-z0-9_]{0,60}(?:SECRET|PASSWORD|PASSWD|PASSPHRASE|PRIVATE_?KEY|ACCESS_?KEY|BASIC_AUTH_PARAM|NODEKEYHEX|MNEMONIC|API_?KEY|TOKEN)(?:_?(?:KEY|HEX))?=/gi;
const userInfo = /\b[a-z][a-z0-9+.-]{0,20}:\/\/([^\s/?#"'@]+)@/gi;
const privateKey = /(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/gi;

/** A stretch of the text that is secret: offsets in UTF-16 units, end exclusive. */
export interface SecretSpan {
  readonly from: number;
  readonly to: number;
  /** What it is: the name it is the value of, or its kind. */
  readonly what: string;
}

/** One cheap look: almost no text holds anything of the kind. Every pattern above needs one of these. */
const mayHold = /key|secret|passw|passphrase|mnemonic|token|[._]auth|:\/\//i;
/** Apart, since among the words it makes them three times as slow. */
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
  for (const match of text.matchAll(userInfo)) {
    const from = match.index + match[0].indexOf('://') + 3;
    if (!/^(?:kni|enode)/i.test(match[0])) {
      spans.push({ from, to: from + (match[1] ?? '').length, what: 'a password in a URL' });
    }
  }
  for (const match of text.matchAll(privateKey)) {
    // No key is zero: it is an empty hash, as of a genesis block's parent.
    if (/^(?:0x)?0+$/i.test(match[0])) continue;
    spans.push({ from: match.index, to: match.index + match[0].length, what: 'a 32-byte key' });
  }
  return withoutOverlap(spans);
}

/** --password takes the path of a file (cmd/utils/flags.go), unlike any variable of that name. */
function isPasswordFile(text: string, { index, 0: name }: RegExpExecArray): boolean {
  return (
    /^password=$/i.test(name) &&
    /(?:^|[\s"'=])--?(?:account-update\.)?$/.test(text.slice(Math.max(0, index - 20), index))
  );
}

/** The text with every secret replaced, character by character, so that columns stay where they were. */
export function redact(text: string): string {
  let out = '';
  let at = 0;
  for (const span of findSecrets(text)) {
    out += text.slice(at, span.from) + '*'.repeat(span.to - span.from);
    at = span.to;
  }
  return out + text.slice(at);
}

/** The words of a command line without their secrets, each as long as it was; a flag's secret may be the next word. */
export function redactWords(words: readonly string[]): string[] {
  const line = redact(words.join(' '));
  let at = 0;
  return words.map((word) => {
    const part = line.slice(at, at + word.length);
    at += word.length + 1;
    return part;
  });
}

/** The value that follows a name; quotes around it stay visible. Empty values and `$X` are not secrets. */
function after(text: string, match: RegExpExecArray, shape: RegExp): SecretSpan[] {
  const from = match.index + match[0].length;
  const value = shape.exec(text.slice(from))?.[0] ?? '';
  const bare = value.replace(/^["']|["']$/g, '');
  if (bare === '' || /^\$\{?\w+\}?$/.test(bare)) return [];
  const start = from + value.indexOf(bare);
  const name = match[0].replace(/[=\s]+$/, '');
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
