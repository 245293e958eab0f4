/** What an output stream can show: its width, and colour. */
import type { Host, Output } from '../host.js';

/** The columns of the terminal; for a file or a pipe COLUMNS, or 80. At least 20. */
export function widthOf(stream: Output, host: Pick<Host, 'env'>): number {
  return Math.max(20, givenWidth(stream, host) ?? 80);
}

/** Columns after which a line is cut: the same, but a file or a pipe without COLUMNS gets whole lines. */
export function lineWidthOf(stream: Output, host: Pick<Host, 'env'>): number {
  const isWhole = givenWidth(stream, host) === undefined && stream.isTTY !== true;
  return isWhole ? Number.POSITIVE_INFINITY : widthOf(stream, host);
}

function givenWidth({ columns }: Output, { env }: Pick<Host, 'env'>): number | undefined {
  // A terminal without a size, such as docker run -t and ssh -tt have from cron, says 0.
  return columns || (/^\d{1,4}$/.test(env.COLUMNS ?? '') && Number(env.COLUMNS)) || undefined;
}

/** `--color`; false for --no-color. */
export type ColorChoice = 'auto' | 'always' | 'never' | boolean;

/**
 * In this order: --color and --no-color, NO_COLOR, FORCE_COLOR (0 and false disable colour), a terminal that is not dumb. An
 * empty variable counts as unset.
 */
export function wantsColor(
  { color }: { readonly color: ColorChoice },
  host: Pick<Host, 'env'>,
  stream: Output,
): boolean {
  const { NO_COLOR, FORCE_COLOR } = host.env;
  if (color === 'always') return true;
  if (color === false || color === 'never' || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isScreen(stream, host);
}

/** Whether the terminal understands escape sequences. */
export function isScreen(stream: Output, { env }: Pick<Host, 'env'>): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Variables by which terminals that show links (OSC 8) tell who they are. */
const linking: readonly (readonly [variable: string, value: RegExp])[] = [
  ['VTE_VERSION', /^[5-9]\d{3}/],
  ['WT_SESSION', /./],
  ['KONSOLE_VERSION', /./],
  ['TERM_PROGRAM', /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|tmux)$/],
  ['TERM', /kitty|alacritty|foot|ghostty/],
];

/** Whether the terminal is known to show links. FORCE_HYPERLINK decides if it is set. */
export function showsLinks(stream: Output, host: Pick<Host, 'env'>): boolean {
  const { FORCE_HYPERLINK } = host.env;
  if (FORCE_HYPERLINK !== undefined && FORCE_HYPERLINK !== '') return FORCE_HYPERLINK !== '0';
  return isScreen(stream, host) && linking.some(([name, value]) => value.test(host.env[name] ?? ''));
}
