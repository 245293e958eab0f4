/** docs/lint.svg: the recording of a terminal (asciicast 2) in which a conf is checked, drawn as an animated SVG. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns, graphemes } from '../src/terminal/wrap.js';
import { xml } from '../src/util/xml.js';
import { run } from './cli/run.js';

/** A header, then events: seconds, `o` for output, and the text. */
export type Cast = readonly [
  { readonly version: 2; readonly width: number; readonly height: number },
  ...(readonly [at: number, type: 'o', text: string])[],
];

/** Types a command, runs it on a terminal of 90 columns, and records a line every tenth of a second. */
export async function recordLint(): Promise<Cast> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-recording-'));
  cpSync(new URL('../fixtures/demo/kend.conf', import.meta.url), join(folder, 'kend.conf'));
  const words = ['node', 'lint', 'kend.conf'];
  const width = 90;
  const { out } = await run(words, { cwd: folder, terminal: true, columns: width, env: { TERM: 'xterm' } });
  rmSync(folder, { recursive: true });
  const typed = ['$ ', ...`kaiactl ${words.join(' ')}`, '\n'].map(
    (text, at) => [0.5 + at * 0.06, 'o', text] as const,
  );
  const start = (typed.at(-1)?.[0] ?? 0) + 0.4;
  const lines = out.trimEnd().split(/(?<=\n)/);
  const shown = lines.map((text, at) => [start + at * 0.1, 'o', text] as const);
  return [{ version: 2, width, height: lines.length + 1 }, ...typed, ...shown];
}

const [charWidth, lineHeight, margin] = [8, 18, 12];

/** Draws text, line breaks and colours (SGR); a cast with other escape sequences is refused. */
export function draw([{ width, height }, ...events]: Cast): string {
  const parts: string[] = [];
  let [x, y, sgr] = [0, 0, ''];
  for (const [at, , text] of events) {
    for (const [, code, line] of text.matchAll(/\u001b\[([\d;]*)m|([^\u001b\n]+|\n)/g)) {
      if (code !== undefined) sgr = /^(?:0?|22|39)$/.test(code) ? '' : `${sgr} c${code}`;
      if (line === '\n') [x, y] = [0, y + 1];
      if (line === undefined || line === '\n') continue;
      const size = [...graphemes(line)].reduce((sum, one) => sum + columns(one), 0);
      const place = `x="${margin + x * charWidth}" y="${margin + (y + 1) * lineHeight - 5}"`;
      const fit = `textLength="${size * charWidth}" lengthAdjust="spacingAndGlyphs"`;
      const style = `class="o${sgr}" style="animation-delay:${at.toFixed(2)}s"`;
      if (line.trim() !== '') parts.push(`<text ${place} ${fit} ${style}>${xml(line)}</text>`);
      x += size;
    }
    if (/\u001b(?!\[[\d;]*m)/.test(text)) throw new Error('a cast holds more than text and colours');
  }
  const [w, h] = [width * charWidth + 2 * margin, height * lineHeight + 2 * margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" xml:space="preserve">
<title>kaiactl node lint: the findings of a conf, each with its place and its fix</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre; }
.c1 { font-weight: 700; } .c2 { fill: #9198a1; } .c31 { fill: #ff7b72; } .c33 { fill: #e3b341; } .c36 { fill: #39c5cf; }
.o { visibility: hidden; animation: show 10ms forwards; }
@keyframes show { to { visibility: visible; } }
@media (prefers-reduced-motion: reduce) { .o { animation-delay: 0s !important; } }
</style>
<rect width="${w}" height="${h}" rx="8" fill="#0d1117"/>
${parts.join('\n')}
</svg>
`;
}
