/** What files with keys and passwords hold, by their names and their texts. */
import { isPrintedKey } from '../../../util/printed-keys.js';
import { isPath, isPlaceholder } from '../../../util/redact.js';

/** Paths that files with secrets have, by their last part, and by a folder of keys. */
export const mayName =
  /(?:nodekey|jwt|passw|passphrase|(?:^|[._/-])(?:pass(?:file)?|pwd)(?:[._-]|$)|secret|priv)[^/]*$|(?:^|\/)(?:(?:group|host)_vars\/.*|(?:hosts|inventory)(?:\.ini)?|[^/]*\.tfvars)$|(?:^|[._/-])pw(?:[._-][^/]*)?$|(?:^|\/)UTC--|(?:^|\/)(?:key|sk\.json|(?:0x)?[0-9a-f]{40}(?:\.json)?)$|\.(?:key|hex|pem|prv)$|[\w.-]*keystore[^/.]*(?:\.json)?$|mnemonic[^/]*$|(?:^|[._/-])(?:keys?|accounts?|wallets?)[^/]*\.(?:ya?ml|json|txt)$|(?:^|[./])env$|(?:^|\/)(?:keys|keystores?|accounts|wallets)\/(?:[^/]+\/)?[^/.]+(?:\.json)?$/i;
const isOther = /\.(?:sh|js|ts|py|go|rs|md|ya?ml|toml|conf|html|css|pub|crt|example|sample|template)$/i;
/** Syntax of templates, masks, hashes and switches. */
const isNoValue = /^[<[{$%*]|:[{$]|\{\{|\$\{|^(?:x+|true|false)$/i;

/** A key or a mnemonic under its name, in a list of accounts or a file of variables. */
const namedKey =
  /(?:private[ _-]?key|mnemonic|_pk|node_?key(?:_?hex)?)["']?[ \t]*[:=][ \t]*["']?((?:0x)?[0-9a-f]{64}\b|[a-z]{3,8}(?: [a-z]{3,8}){11,23}\b)/gim;

/** A key that is all of a file, under any name but that of a hash. */
const bareKey = /^(?:0x)?[0-9a-f]{64}$/i;
const notKey = /hash|root|sha|digest|commit|checksum|pub/i;
export const isPasswordName = /pass|pwd|(?:^|[._/-])pw(?:[._-]|$)/i;

/** What the content of a file at this path gives away, as in `contains the node’s key`; null if there is nothing. */
export function secretIn(path: string, content: string, isPassword = false): string | null {
  const text = content.trim();
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(?!.*(?:example|sample|template)).*(?:ya?ml|json|txt|env|ini|hosts|inventory|tfvars)$/i.test(name)) {
    const named = [...text.matchAll(namedKey)].filter(
      ([, key = '']) => !isPrintedKey(key) && !isPlaceholder(key),
    );
    if (named.length > 0) return 'private keys';
  }
  const isKey = bareKey.test(text) && !notKey.test(name);
  if (isOther.test(name) || !(isKey || isPassword || mayName.test(path))) return null;
  if (bareKey.test(text)) {
    if (isPlaceholder(text)) return null;
    return opensEngine(name) ? 'the secret of the engine API' : 'a private key';
  }
  if (/^\{[\s\S]*"ciphertext"\s*:\s*"[0-9a-f]+"/i.test(text)) return 'the key of an account';
  if (/^\{[\s\S]*"cipher"\s*:[\s\S]*"message"\s*:\s*"[0-9a-f]+"/i.test(text)) return 'the key of a validator';
  if (/^[a-z]{3,8}(?: [a-z]{3,8}){11}(?:(?: [a-z]{3,8}){3}){0,4}$/.test(text))
    return isPlaceholder(text) ? null : 'a mnemonic';
  // A key of the transaction managers of Quorum.
  if (/^\{"data":\{"bytes":"[\w+/=]{40,}"\},"type":"unlocked"\}$/.test(text)) return 'a private key';
  if (/^-----BEGIN (?!ENCRYPTED)[A-Z ]*PRIVATE KEY-----/.test(text)) return 'a private key in PEM';
  // One password, or one on each line.
  const [password = ''] =
    /^\S[^\r\n\0]{0,99}$/.exec(text) ?? /^\S{1,99}(?=(?:\r?\n\S{1,99}){1,99}$)/.exec(text) ?? [];
  if (password === '' || !(isPassword || isPasswordName.test(name))) return null;
  return isNoValue.test(password) || isPlaceholder(password) || isPath(password) ? null : 'a password';
}

/** Whether this is a file with the secret of the tokens that the engine API asks for. */
export function opensEngine(name: string): boolean {
  return /jwt/i.test(name);
}
