/** The secrets in the lines of a file. */
import { oncePer } from '../../../util/once-per.js';
import { findRealSecrets, type SecretSpan } from '../../../util/redact.js';

export interface SecretInLine extends SecretSpan {
  readonly line: number;
}

/** Characters of a line that are searched. */
const longest = 64_000;

/** Secrets in lines, comments included; placeholders are none. The nodes of a file share its lines. */
export const secretsIn = oncePer((lines: readonly string[]): readonly SecretInLine[] =>
  lines.flatMap((text, at) =>
    findRealSecrets(text.slice(0, longest)).map((one) => ({ ...one, line: at + 1 })),
  ),
);
