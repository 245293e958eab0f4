/** What shows that a text is a conf, or that it is something else. */
import { jsonOf } from '../../util/json.js';
import { isKnownVariable } from '../kinds/kaia/variables.js';

const shellish =
  /^[ \t]*(?:(?:export[ \t]+)?[A-Za-z_]\w*[ \t]?\+?=|: |true\b|(?:if|then|else|elif|fi|for|do|done|case|esac|unset|export|source|echo|set)\b|\.[ \t]|\[|\{[{%])/;

/** How much of a text is assignments and what stands between them, comments and blank lines apart. */
export function shellShare(text: string): number {
  const lines = text
    .slice(0, 65_536)
    .split('\n')
    .filter((line) => !/^[ \t\r]*(?:#|$)/.test(line));
  return lines.length === 0 ? 1 : lines.filter((line) => shellish.test(line)).length / lines.length;
}

/** Names that other programs' settings use too. */
export const shared = new Set(
  'PORT SUBPORT NETWORK NETWORK_ID DATA_DIR LOG_DIR METRICS PROMETHEUS VERBOSITY KEY_PATH MULTICHANNEL BOOTNODES DB_TYPE'.split(
    ' ',
  ),
);
/** `. file` or an eval may bring the settings. */
export const sourcesMore = /^[ \t]*(?:\.|source|eval)[ \t]/m;

const assignment = /(?<![\w$.-])(?:\$\{)?([A-Za-z_]\w{0,79})[ \t]?(?:\+|:)?=/g;

/** The names a launcher reads that the text assigns, up to the first that is not another program's. */
export function knownNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (/^[ \t]*#/.test(line)) continue;
    for (const [, name = ''] of line.matchAll(assignment)) {
      const upper = name.toUpperCase();
      const known = isKnownVariable(upper) || /^(?:KAIA|KLAYTN)_/.test(name);
      if (known) names.add(upper);
      if (names.size === 0 || shared.has(upper)) continue;
      if (known) return names;
      break;
    }
  }
  return names;
}

const yamlLine = /^[ \t]*(?:- |-$|---$|["']?[A-Za-z_][\w./-]*["']?:(?:[ \t]|$))/;
const shellLine = /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]?\+?=/;

/** What else it is, if that shows; a launcher would source a file of its own name whatever stands in the first line. */
export function otherKind(text: string, named: boolean): string | null {
  if (/^\s*[[{]/.test(text) && (jsonOf(text) !== undefined || /^\s*\{\s*"/.test(text))) return 'it is JSON';
  if (/^\s*<(?:\?xml|!doctype|html|[a-z]+[ >])/i.test(text)) return 'it is markup';
  if (!named && text.startsWith('#!')) return 'it is a script';
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^[ \t]*#/.test(line));
  const shell = lines.filter((line) => shellLine.test(line)).length;
  if (lines.filter((line) => yamlLine.test(line)).length > Math.max(shell, lines.length / 2))
    return 'it is YAML';
  if (/^(?:```|~~~)/m.test(text)) return 'it is Markdown';
  if (!named && yamlLine.test(lines.find((line) => !/^[ \t]*\{[{%#]/.test(line)) ?? '')) return 'it is YAML';
  return null;
}
