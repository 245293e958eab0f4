/** Edits of the TOML file that `--config` names: values of one line, with their type kept. */
import type { Origin, Settings } from '../../facts/settings.js';
import { type Edits, lineAt } from './edit-conf.js';

/** Sets a setting where the file sets it. */
export function assignInToml(
  { source }: Settings,
  { at }: Extract<Origin, { readonly kind: 'toml' }>,
  value: string,
): Edits {
  if (at === null || at.line !== at.endLine || /\p{Cc}/u.test(value)) return null;
  const written = lineAt(source, at)?.slice(at.column - 1, at.endColumn - 1);
  if (written === undefined || /^(?:"""|''')/.test(written)) return null;
  return [{ at, text: asWritten(written, value) }];
}

function asWritten(written: string, value: string): string {
  if (written.startsWith('[')) {
    const items = value.split(',').filter((item) => item !== '');
    return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;
  }
  if (/^(?:true|false)$/.test(written)) return value === '0' || value === 'false' ? 'false' : 'true';
  return /^["']/.test(written) ? JSON.stringify(value) : value;
}
