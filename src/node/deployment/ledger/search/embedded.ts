/** Shell commands in the strings of JSON, in a text of the same length: what surrounds a string is blank. */

const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const cells = new RegExp(`"source"\\s*:\\s*(\\[\\s*(?:${quoted}\\s*(?:,\\s*)?)*\\]|${quoted})|[^"]+|"`, 'g');
const joins = new RegExp(
  `("Fn::Join"\\s*:\\s*\\[\\s*"(\\\\n)?[^"\\\\]*"\\s*,\\s*)(\\[\\s*(?:(?:${quoted}|\\{[^{}]*\\})\\s*(?:,\\s*)?)*\\])`,
  'g',
);
const pieces = new RegExp(`${quoted}|\\{[^{}]*\\}|[^]`, 'g');

/** The commands of a Jupyter notebook: lines that begin with `!`, and cells of bash. */
export function notebookCommands(text: string): string {
  return text.replaceAll(cells, (whole: string, source?: string) => {
    const lines = source === undefined ? '' : joined(source, ' ');
    const isShell = /^\s*%%(?:ba)?sh\b/.test(lines);
    const commands = isShell
      ? lines
      : lines.replaceAll(/^[ \t]*!((?:.*\\\n)*.*)|./gm, (all: string, command = '') =>
          command.padStart(all.length),
        );
    return `\n${commands}`.padStart(whole.length);
  });
}

/** A text with the pieces that `Fn::Join` of CloudFormation joins as the text that they make. */
export function withJoins(text: string): string {
  return text.replaceAll(
    joins,
    (_, before: string, newline: string | undefined, list: string) =>
      `${before.slice(0, -1)}\n${joined(list, newline === undefined ? ' ' : '\n')}`,
  );
}

/** The contents of the strings of a list; `$`: what is no string. */
function joined(list: string, separator: string): string {
  return list.replaceAll(pieces, (one) => {
    if (one.startsWith('{')) return '$'.padEnd(one.length);
    if (one.length === 1) return one === ',' ? separator : ' ';
    const inside = one
      .slice(1, -1)
      .replaceAll(/\\(.)/g, (_, code: string) =>
        code === 'n' ? '\n ' : code === '"' || code === '\\' ? ` ${code}` : '  ',
      );
    return ` ${inside} `;
  });
}
