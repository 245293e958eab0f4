/** Edits of the YAML file that `--conf` names: single-line values, with their type kept. */
import type { Settings } from '../../facts/settings.js';
import { originOf } from '../../judge/settings/setting.js';
import { type Edits, lineAt } from './edit-conf.js';

/** Sets a setting where the file sets it; in a flat file, one that is not set goes below the line of `beside`. */
export function assignInYaml(settings: Settings, flag: string, value: string, beside: string): Edits {
  const { source, values } = settings;
  const [origin, near] = [originOf(settings, flag), originOf(settings, beside)];
  const place = origin.kind === 'default' ? near : origin;
  const at = place.kind === 'yaml' ? place.at : null;
  if (at === null || at.line !== at.endLine || /\p{Cc}/u.test(value)) return null;
  const line = lineAt(source, at);
  if (line === undefined) return null;
  if (origin.kind === 'default') {
    if (!/^[\w.-]+:\s/.test(line)) return null;
    const end = { ...at, column: line.length + 1, endColumn: line.length + 1 };
    return [{ at: end, text: `\n${flag}: ${JSON.stringify(value)}` }];
  }
  const written = line.slice(at.column - 1, at.endColumn - 1);
  // Not an anchor, an alias, a tag, a block or a collection.
  if (/^[&*!|>{[]/.test(written)) return null;
  return [{ at, text: scalar(values[flag]?.value, value) }];
}

function scalar(old: unknown, value: string): string {
  if (typeof old === 'boolean') return value === '0' || value === 'false' ? 'false' : 'true';
  if (typeof old === 'number') return value;
  return JSON.stringify(value);
}
