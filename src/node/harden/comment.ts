/** Comments of a snippet: what they say may come from a conf, so no text can end the comment it stands in. */
import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';

const columns = 80;

/** The sentences as comment lines, each behind `indent` and `mark`; one that begins with $ is a command and stays whole. */
export function comment(sentences: readonly string[], { indent = '', mark = '#' } = {}): string[] {
  const room = columns - indent.length - mark.length - 1;
  return sentences
    .flatMap((sentence) =>
      sentence.startsWith('$ ') ? [`  ${inert(sentence)}`] : wrap(inert(sentence), room, 0, 0).split('\n'),
    )
    .map((line) => `${indent}${mark} ${line}`.trimEnd().replace(/\\$/, '\\…'));
}

/** No control characters, no {$VARIABLE} of a Caddyfile; a backslash at the end would join the next line. */
function inert(text: string): string {
  return visible(text, 1000).replaceAll('{$', '{ $');
}

/** The lines of a file, the last one ended too. */
export function file(...blocks: readonly (readonly string[])[]): string {
  const kept = blocks.filter((lines) => lines.length > 0);
  return `${kept.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
